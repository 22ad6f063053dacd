// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/instrument/emulator/lanes/operation_rig.h"

#include <algorithm>

using namespace dormer::emulator::instructions;

using namespace dormer::emulator::test;

namespace {

template <typename T>
void checkLogic(const std::string& type) {
    check<T, T, T>("and." + type, [](T a, T b) { return T(a & b); });
    check<T, T, T>("or." + type, [](T a, T b) { return T(a | b); });
    check<T, T, T>("xor." + type, [](T a, T b) { return T(a ^ b); });
    check<T, T>("not." + type, [](T a) { return T(~a); });
    check<T, T>("cnot." + type, [](T a) { return T(a == 0); });
}

/// One bit at a time, so that no amount is out of range for the host.
template <typename T>
T shiftSlowly(T v, u32 amount, bool left) {
    for (u32 i = 0; i < std::min(amount, 64u); ++i)
        v = left ? T(std::make_unsigned_t<T>(v) << 1) : T(v >> 1);
    return v;
}
template <typename U, typename S>
void checkShifts(const std::string& bits) {
    check<U, U, u32>("shl.b" + bits, [](U a, u32 n) { return shiftSlowly(a, n, true); });
    check<U, U, u32>("shr.u" + bits, [](U a, u32 n) { return shiftSlowly(a, n, false); });
    check<U, U, u32>("shr.b" + bits, [](U a, u32 n) { return shiftSlowly(a, n, false); });
    check<S, S, u32>("shr.s" + bits, [](S a, u32 n) { return shiftSlowly(a, n, false); });
}

} // namespace

TEST_CASE("Logic of all widths") {
    checkLogic<u16>("b16");
    checkLogic<u32>("b32");
    checkLogic<u64>("b64");
}

TEST_CASE("Shifts, also beyond the width") {
    checkShifts<u16, s16>("16");
    checkShifts<u32, s32>("32");
    checkShifts<u64, s64>("64");
}

TEST_CASE("Funnel shifts") {
    const auto funnel = [](bool left, bool clamp) {
        return [=](u32 a, u32 b, u32 c) {
            const u32 n = clamp ? std::min(c, 32u) : c & 31;
            u64 both = u64(b) << 32 | a;
            for (u32 i = 0; i < n; ++i)
                both = left ? both << 1 : both >> 1;
            return u32(left ? both >> 32 : both);
        };
    };
    check<u32, u32, u32, u32>("shf.l.clamp.b32", funnel(true, true));
    check<u32, u32, u32, u32>("shf.l.wrap.b32", funnel(true, false));
    check<u32, u32, u32, u32>("shf.r.clamp.b32", funnel(false, true));
    check<u32, u32, u32, u32>("shf.r.wrap.b32", funnel(false, false));
}

TEST_CASE("Every table of lop3") {
    const auto cases = combinations<u32, u32, u32>(64);
    for (const InstructionSet isa : instructionSets())
        for (u32 lut = 0; lut < 256; ++lut) {
            OperationRig rig("lop3.b32", {4, 4, 4, 4, 4}, isa);
            rig.immediate(4, lut);
            REQUIRE(rig.prepare());
            for (unsigned i = 0; i < kLanes; ++i)
                std::tie(rig.lanes<u32>(1)[i], rig.lanes<u32>(2)[i], rig.lanes<u32>(3)[i]) = cases[i];
            rig.run(0xFFFFFFFE);
            for (unsigned i = 1; i < kLanes; ++i) {
                u32 wanted = 0;
                const auto [a, b, c] = cases[i];
                for (unsigned bit = 0; bit < 32; ++bit)
                    wanted |= (lut >> ((a >> bit & 1) * 4 + (b >> bit & 1) * 2 + (c >> bit & 1)) & 1) << bit;
                REQUIRE(rig.lanes<u32>(0)[i] == wanted);
            }
            CHECK(rig.lanes<u32>(0)[0] == 0);
        }
}

TEST_CASE("Logic on predicates, with immediates, keeps the other lanes' bits") {
    for (const InstructionSet isa : instructionSets()) {
        const u32 a = 0x0F0F3355, b = 0x00FF5566, exec = 0xFFFF00FF, before = 0x12345678;
        const auto run = [&](const std::string& name, int immediateOperand, u64 bits) {
            const bool one = name == "not.pred";
            OperationRig rig(name,
                             one ? std::vector<int>{kPredicate, kPredicate}
                                 : std::vector<int>{kPredicate, kPredicate, kPredicate},
                             isa);
            if (immediateOperand > 0) rig.immediate(unsigned(immediateOperand), bits);
            REQUIRE(rig.prepare());
            rig.predicate(0) = before;
            rig.predicate(1) = a;
            if (!one) rig.predicate(2) = b;
            rig.run(exec);
            CHECK((rig.predicate(0) & ~exec) == (before & ~exec));
            return rig.predicate(0) & exec;
        };
        CHECK(run("and.pred", 0, 0) == (a & b & exec));
        CHECK(run("or.pred", 0, 0) == ((a | b) & exec));
        CHECK(run("xor.pred", 0, 0) == ((a ^ b) & exec));
        CHECK(run("not.pred", 0, 0) == (~a & exec));
        CHECK(run("and.pred", 2, 0) == 0);
        CHECK(run("or.pred", 2, ~0ull) == exec);
        CHECK(run("xor.pred", 1, 1) == (~b & exec));
    }
}
