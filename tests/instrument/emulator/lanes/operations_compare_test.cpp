// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/instrument/emulator/lanes/operation_rig.h"

using namespace dormer::emulator::instructions;

using namespace dormer::emulator::test;

namespace {

enum class Order { Less, Equal, Greater, Unordered };

template <typename T>
Order orderOf(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
        if (std::isnan(a) || std::isnan(b)) return Order::Unordered;
    return a < b ? Order::Less : a > b ? Order::Greater : Order::Equal;
}

struct Comparison {
    std::string name;
    bool less, equal, greater, unordered;
    [[nodiscard]] bool holds(Order order) const {
        return order == Order::Less      ? less
               : order == Order::Equal   ? equal
               : order == Order::Greater ? greater
                                         : unordered;
    }
};
const std::vector<Comparison> kOrdered = {
    {"eq", false, true, false, false}, {"ne", true, false, true, false},  {"lt", true, false, false, false},
    {"le", true, true, false, false},  {"gt", false, false, true, false}, {"ge", false, true, true, false},
};
const std::vector<Comparison> kUnsignedNames = {{"lo", true, false, false, false},
                                                {"ls", true, true, false, false},
                                                {"hi", false, false, true, false},
                                                {"hs", false, true, true, false}};
const std::vector<Comparison> kUnordered = {
    {"equ", false, true, false, true}, {"neu", true, false, true, true},  {"ltu", true, false, false, true},
    {"leu", true, true, false, true},  {"gtu", false, false, true, true}, {"geu", false, true, true, true},
    {"num", true, true, true, false},  {"nan", false, false, false, true}};

template <typename T, typename Prepare = std::identity>
void checkSetp(const std::string& type, const std::vector<Comparison>& comparisons, Prepare prepare = {}) {
    const auto cases = combinations<T, T>(2000);
    for (const InstructionSet isa : instructionSets())
        for (const Comparison& comparison : comparisons) {
            const std::string name = "setp." + comparison.name + "." + type;
            INFO(name);
            OperationRig rig(name, {kPredicate, int(sizeof(T)), int(sizeof(T))}, isa);
            rig.second(kPredicate);
            REQUIRE(rig.prepare());
            for (std::size_t start = 0; start < cases.size(); start += kLanes) {
                u32 wanted = 0;
                for (unsigned i = 0; i < kLanes; ++i) {
                    const auto [a, b] = cases[(start + i) % cases.size()];
                    rig.lanes<T>(1)[i] = a;
                    rig.lanes<T>(2)[i] = b;
                    wanted |= u32(comparison.holds(orderOf(prepare(a), prepare(b)))) << i;
                }
                rig.run();
                REQUIRE(rig.predicate(0) == wanted);
                REQUIRE(rig.secondPredicate() == ~wanted);
                rig.predicate(0) = rig.secondPredicate() = 0xF0F0F0F0;
                rig.run(0x00FFFF00);
                REQUIRE(rig.predicate(0) == ((wanted & 0x00FFFF00) | 0xF00000F0));
            }
        }
}

float flushed(float v) {
    return std::fabs(v) < 0x1p-126f ? std::copysign(0.0f, v) : v;
}

} // namespace

TEST_CASE("setp compares integers of all widths") {
    checkSetp<u16>("u16", kOrdered);
    checkSetp<s16>("s16", kOrdered);
    checkSetp<u32>("u32", kOrdered);
    checkSetp<u32>("u32", kUnsignedNames);
    checkSetp<s32>("s32", kOrdered);
    checkSetp<u64>("u64", kOrdered);
    checkSetp<u64>("u64", kUnsignedNames);
    checkSetp<s64>("s64", kOrdered);
    checkSetp<u32>("b32", {kOrdered[0], kOrdered[1]});
    checkSetp<u64>("b64", {kOrdered[0], kOrdered[1]});
}

TEST_CASE("setp compares floats, ordered and not") {
    for (const auto& comparisons : {kOrdered, kUnordered}) {
        checkSetp<float>("f32", comparisons);
        checkSetp<float>("ftz.f32", comparisons, flushed);
        checkSetp<double>("f64", comparisons);
    }
}

TEST_CASE("setp joins a third predicate, negated or not") {
    for (const InstructionSet isa : instructionSets())
        for (const std::string join : {"and", "or", "xor"})
            for (const bool negated : {false, true}) {
                OperationRig rig("setp.lt." + join + ".s32", {kPredicate, 4, 4, kPredicate}, isa);
                rig.second(kPredicate);
                REQUIRE(rig.prepare());
                if (negated) rig.inst.flags |= kNegatedC;
                for (unsigned i = 0; i < kLanes; ++i) {
                    rig.lanes<s32>(1)[i] = s32(i) - 16;
                    rig.lanes<s32>(2)[i] = 0;
                }
                rig.predicate(3) = 0x33333333;
                rig.run();
                const u32 less = 0x0000FFFF, c = negated ? 0xCCCCCCCC : 0x33333333;
                CHECK(rig.predicate(0) == (join == "and" ? less & c : join == "or" ? less | c : less ^ c));
                CHECK(rig.secondPredicate() == (join == "and"  ? ~less & c
                                                : join == "or" ? ~less | c
                                                               : ~less ^ c));
            }
}

TEST_CASE("set writes ones or 1.0") {
    check<u32, s32, s32>("set.lt.u32.s32", [](s32 a, s32 b) { return a < b ? 0xFFFFFFFF : 0; });
    check<u32, float, float>("set.ge.u32.f32", [](float a, float b) { return a >= b ? 0xFFFFFFFF : 0; });
    check<float, s32, s32>("set.eq.f32.s32", [](s32 a, s32 b) { return a == b ? 1.0f : 0.0f; });
    check<u32, double, double>("set.neu.s32.f64",
                               [](double a, double b) { return !(a == b) ? 0xFFFFFFFF : 0; });
    check<float, u64, u64>("set.hi.f32.u64", [](u64 a, u64 b) { return a > b ? 1.0f : 0.0f; });
}

TEST_CASE("selp chooses by lane") {
    const auto choose = [](auto zero, const std::string& type) {
        using T = decltype(zero);
        for (const InstructionSet isa : instructionSets())
            for (const u32 exec : {kAllLanes, 0x80FF1234u}) {
                OperationRig rig("selp." + type, {int(sizeof(T)), int(sizeof(T)), int(sizeof(T)), kPredicate},
                                 isa);
                REQUIRE(rig.prepare());
                for (unsigned i = 0; i < kLanes; ++i) {
                    rig.lanes<T>(0)[i] = T(5);
                    rig.lanes<T>(1)[i] = T(100 + i);
                    rig.lanes<T>(2)[i] = T(200 + i);
                }
                rig.predicate(3) = 0xA5A51234;
                rig.run(exec);
                for (unsigned i = 0; i < kLanes; ++i)
                    CHECK(rig.lanes<T>(0)[i] == ((exec >> i & 1) == 0         ? T(5)
                                                 : (0xA5A51234 >> i & 1) != 0 ? T(100 + i)
                                                                              : T(200 + i)));
            }
    };
    choose(u16{}, "b16");
    choose(u32{}, "u32");
    choose(u64{}, "f64");
    choose(float{}, "f32");
}

TEST_CASE("slct chooses by sign") {
    check<u32, u32, u32, s32>("slct.u32.s32", [](u32 a, u32 b, s32 c) { return c < 0 ? b : a; });
    check<u64, u64, u64, s32>("slct.b64.s32", [](u64 a, u64 b, s32 c) { return c < 0 ? b : a; });
    // Negative zero counts as zero, NaN as negative.
    check<u32, u32, u32, float>("slct.b32.f32", [](u32 a, u32 b, float c) { return c >= 0 ? a : b; });
    check<u32, u32, u32, float>("slct.ftz.b32.f32",
                                [](u32 a, u32 b, float c) { return flushed(c) >= 0 ? a : b; });
}

TEST_CASE("testp tells the classes of floats") {
    const auto test = [](auto zero, const std::string& type, const std::string& property, auto holds) {
        using T = decltype(zero);
        for (const InstructionSet isa : instructionSets()) {
            OperationRig rig("testp." + property + "." + type, {kPredicate, int(sizeof(T))}, isa);
            REQUIRE(rig.prepare());
            const auto values = interesting<T>();
            for (std::size_t start = 0; start < values.size(); start += kLanes) {
                u32 wanted = 0;
                for (unsigned i = 0; i < kLanes; ++i) {
                    const T v = values[(start + i) % values.size()];
                    rig.lanes<T>(1)[i] = v;
                    wanted |= u32(holds(v)) << i;
                }
                rig.run();
                CHECK(rig.predicate(0) == wanted);
            }
        }
    };
    const auto all = [&](auto zero, const std::string& type) {
        test(zero, type, "finite", [](auto v) { return std::isfinite(v); });
        test(zero, type, "infinite", [](auto v) { return std::isinf(v); });
        test(zero, type, "number", [](auto v) { return !std::isnan(v); });
        test(zero, type, "notanumber", [](auto v) { return std::isnan(v); });
        test(zero, type, "normal", [](auto v) { return std::isnormal(v); });
        test(zero, type, "subnormal", [](auto v) { return std::fpclassify(v) == FP_SUBNORMAL; });
    };
    all(float{}, "f32");
    all(double{}, "f64");
}
