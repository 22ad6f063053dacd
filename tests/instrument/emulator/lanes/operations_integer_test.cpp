// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/instrument/emulator/lanes/operation_rig.h"

#include <algorithm>

using namespace dormer::emulator::instructions;

using namespace dormer::emulator::test;

namespace {

using i128 = __int128;
using u128 = unsigned __int128;

template <typename T>
struct Wide {
    using Type = std::conditional_t<sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, s32, u32>,
                                    std::conditional_t<std::is_signed_v<T>, s64, u64>>;
};

/// Through 128 bits: no operation overflows there.
template <typename T>
void checkType(const std::string& type) {
    constexpr unsigned kBits = sizeof(T) * 8;
    check<T, T, T>("add." + type, [](T a, T b) { return T(u128(i128(a) + i128(b))); });
    check<T, T, T>("sub." + type, [](T a, T b) { return T(u128(i128(a) - i128(b))); });
    check<T, T, T>("mul.lo." + type, [](T a, T b) { return T(u128(a) * u128(b)); });
    const auto high = [](T a, T b) {
        return std::is_signed_v<T> ? T((i128(a) * i128(b)) >> kBits) : T((u128(a) * u128(b)) >> kBits);
    };
    check<T, T, T>("mul.hi." + type, high);
    check<T, T, T, T>("mad.lo." + type, [](T a, T b, T c) { return T(u128(a) * u128(b) + u128(c)); });
    check<T, T, T, T>("mad.hi." + type, [=](T a, T b, T c) { return T(u128(high(a, b)) + u128(c)); });
    check<T, T, T>("min." + type, [](T a, T b) { return std::min(a, b); });
    check<T, T, T>("max." + type, [](T a, T b) { return std::max(a, b); });
    check<T, T, T, T>("sad." + type, [](T a, T b, T c) {
        return T(u128(i128(c) + (i128(std::max(a, b)) - i128(std::min(a, b)))));
    });
    // ptxas emits "~divisor" for a zero divisor, in quotient and remainder alike.
    check<T, T, T>("div." + type, [](T a, T b) { return b == 0 ? T(-1) : T(i128(a) / i128(b)); });
    check<T, T, T>("rem." + type, [](T a, T b) { return b == 0 ? T(-1) : T(i128(a) % i128(b)); });
    if constexpr (std::is_signed_v<T>) {
        check<T, T>("abs." + type, [](T a) { return T(u128(a < 0 ? -i128(a) : i128(a))); });
        check<T, T>("neg." + type, [](T a) { return T(u128(-i128(a))); });
    }
    if constexpr (sizeof(T) < 8) {
        using W = typename Wide<T>::Type;
        check<W, T, T>("mul.wide." + type, [](T a, T b) { return W(i128(a) * i128(b)); });
        check<W, T, T, W>("mad.wide." + type,
                          [](T a, T b, W c) { return W(u128(i128(a) * i128(b) + i128(c))); });
    }
}

s32 clamp32(i128 v) {
    return s32(std::clamp<i128>(v, -2147483648LL, 2147483647LL));
}

template <typename T>
T low24(T v) {
    return T(T(u32(v) << 8) >> 8);
}

} // namespace

TEST_CASE("Integer arithmetic of 16 bits") {
    checkType<u16>("u16");
    checkType<s16>("s16");
}
TEST_CASE("Integer arithmetic of 32 bits") {
    checkType<u32>("u32");
    checkType<s32>("s32");
}
TEST_CASE("Integer arithmetic of 64 bits") {
    checkType<u64>("u64");
    checkType<s64>("s64");
}

TEST_CASE("Integer arithmetic that saturates") {
    check<s32, s32, s32>("add.sat.s32", [](s32 a, s32 b) { return clamp32(i128(a) + b); });
    check<s32, s32, s32>("sub.sat.s32", [](s32 a, s32 b) { return clamp32(i128(a) - b); });
    check<s32, s32, s32, s32>("mad.hi.sat.s32",
                              [](s32 a, s32 b, s32 c) { return clamp32(((i128(a) * b) >> 32) + c); });
    check<s32, s32, s32>("min.relu.s32", [](s32 a, s32 b) { return std::max(std::min(a, b), 0); });
    check<s32, s32, s32>("max.relu.s32", [](s32 a, s32 b) { return std::max(std::max(a, b), 0); });
    CHECK(refused("add.sat.u32", {4, 4, 4}));
    CHECK(refused("add.relu.s32", {4, 4, 4}));
    CHECK(refused("mul.sat.s32", {4, 4, 4}));
}

TEST_CASE("24-bit multiplication") {
    check<u32, u32, u32>("mul24.lo.u32", [](u32 a, u32 b) { return u32(u64(low24(a)) * low24(b)); });
    check<u32, u32, u32>("mul24.hi.u32", [](u32 a, u32 b) { return u32((u64(low24(a)) * low24(b)) >> 16); });
    check<s32, s32, s32>("mul24.lo.s32", [](s32 a, s32 b) { return s32(s64(low24(a)) * low24(b)); });
    check<s32, s32, s32>("mul24.hi.s32", [](s32 a, s32 b) { return s32((s64(low24(a)) * low24(b)) >> 16); });
    check<s32, s32, s32, s32>(
        "mad24.lo.s32", [](s32 a, s32 b, s32 c) { return s32(u32(s64(low24(a)) * low24(b)) + u32(c)); });
    check<s32, s32, s32, s32>("mad24.hi.sat.s32", [](s32 a, s32 b, s32 c) {
        return clamp32(i128(s32((s64(low24(a)) * low24(b)) >> 16)) + c);
    });
}

TEST_CASE("Dot products of bytes") {
    const auto byte = [](u32 v, unsigned i, bool isSigned) {
        const u32 raw = v >> 8 * i & 0xFF;
        return isSigned ? s64(s8(raw)) : s64(raw);
    };
    const auto half = [](u32 v, unsigned i, bool isSigned) {
        const u32 raw = v >> 16 * i & 0xFFFF;
        return isSigned ? s64(s16(raw)) : s64(raw);
    };
    for (const bool signedA : {false, true})
        for (const bool signedB : {false, true}) {
            const std::string types = std::string(signedA ? ".s32" : ".u32") + (signedB ? ".s32" : ".u32");
            check<u32, u32, u32, u32>("dp4a" + types, [=](u32 a, u32 b, u32 c) {
                s64 sum = c;
                for (unsigned i = 0; i < 4; ++i)
                    sum += byte(a, i, signedA) * byte(b, i, signedB);
                return u32(sum);
            });
            for (const unsigned first : {0u, 2u})
                check<u32, u32, u32, u32>((first == 0 ? "dp2a.lo" : "dp2a.hi") + types,
                                          [=](u32 a, u32 b, u32 c) {
                                              return u32(c + half(a, 0, signedA) * byte(b, first, signedB) +
                                                         half(a, 1, signedA) * byte(b, first + 1, signedB));
                                          });
        }
}

TEST_CASE("Pairs of 16-bit integers") {
    const auto pairwise = [](auto f) {
        return [f](u32 a, u32 b) {
            return u32(u16(f(u16(a), u16(b)))) | u32(u16(f(u16(a >> 16), u16(b >> 16)))) << 16;
        };
    };
    check<u32, u32, u32>("add.u16x2", pairwise([](u16 a, u16 b) { return a + b; }));
    check<u32, u32, u32>("min.u16x2", pairwise([](u16 a, u16 b) { return std::min(a, b); }));
    check<u32, u32, u32>("max.u16x2", pairwise([](u16 a, u16 b) { return std::max(a, b); }));
    check<u32, u32, u32>("min.s16x2", pairwise([](u16 a, u16 b) { return std::min(s16(a), s16(b)); }));
    check<u32, u32, u32>("max.s16x2", pairwise([](u16 a, u16 b) { return std::max(s16(a), s16(b)); }));
    check<u32, u32, u32>("max.relu.s16x2", pairwise([](u16 a, u16 b) {
                             return std::max({s16(a), s16(b), s16(0)});
                         }));
    check<u32, u32, u32>("min.relu.s16x2",
                         pairwise([](u16 a, u16 b) { return std::max(std::min(s16(a), s16(b)), s16(0)); }));
}

TEST_CASE("Carries make a sum of 128 bits out of 32-bit parts") {
    for (const InstructionSet isa : instructionSets()) {
        std::mt19937_64 random(3);
        for (int round = 0; round < 20; ++round) {
            u128 a[kLanes], b[kLanes];
            for (unsigned i = 0; i < kLanes; ++i) {
                a[i] = u128(random()) << 64 | random();
                // Every other operand makes carries run through all parts.
                b[i] = i % 2 == 0 ? ~a[i] + (i % 4 == 0) : u128(random()) << 64 | random();
            }
            const u32 exec = round % 2 == 0 ? kAllLanes : u32(random()) | 1;
            for (const bool subtract : {false, true}) {
                u128 result[kLanes] = {};
                Warp carried;
                for (unsigned part = 0; part < 4; ++part) {
                    const std::string name = part == 0   ? (subtract ? "sub.cc.u32" : "add.cc.u32")
                                             : part == 3 ? (subtract ? "subc.u32" : "addc.u32")
                                                         : (subtract ? "subc.cc.u32" : "addc.cc.u32");
                    OperationRig rig(name, {4, 4, 4}, isa);
                    REQUIRE(rig.prepare());
                    rig.warp().carry = carried.carry;
                    for (unsigned i = 0; i < kLanes; ++i) {
                        rig.lanes<u32>(1)[i] = u32(a[i] >> 32 * part);
                        rig.lanes<u32>(2)[i] = u32(b[i] >> 32 * part);
                    }
                    rig.run(exec);
                    carried.carry = rig.warp().carry;
                    for (unsigned i = 0; i < kLanes; ++i)
                        result[i] |= u128(rig.lanes<u32>(0)[i]) << 32 * part;
                }
                for (unsigned i = 0; i < kLanes; ++i) {
                    const u128 wanted = (exec >> i & 1) == 0 ? 0 : subtract ? a[i] - b[i] : a[i] + b[i];
                    CHECK(bool(result[i] == wanted));
                }
            }
            // 64 x 64 -> 128 bits by mad.lo.cc and madc.hi, as compilers write it.
            OperationRig low("mad.lo.cc.u64", {8, 8, 8, 8}, isa), high("madc.hi.u64", {8, 8, 8, 8}, isa);
            REQUIRE((low.prepare() && high.prepare()));
            for (unsigned i = 0; i < kLanes; ++i)
                for (OperationRig* rig : {&low, &high}) {
                    rig->lanes<u64>(1)[i] = u64(a[i]);
                    rig->lanes<u64>(2)[i] = u64(b[i]);
                    rig->lanes<u64>(3)[i] = rig == &low ? u64(a[i] >> 64) : u64(b[i] >> 64);
                }
            low.run();
            high.warp().carry = low.warp().carry;
            high.run();
            for (unsigned i = 0; i < kLanes; ++i) {
                const u128 addend = (b[i] >> 64) << 64 | u64(a[i] >> 64);
                const u128 wanted = u128(u64(a[i])) * u64(b[i]) + addend;
                CHECK(low.lanes<u64>(0)[i] == u64(wanted));
                CHECK(high.lanes<u64>(0)[i] == u64(wanted >> 64));
            }
        }
    }
}

TEST_CASE("What integers can't do is refused") {
    CHECK(refused("add.u32", {4, 4, 8}));
    CHECK(refused("add.u8", {2, 2, 2}));
    CHECK(refused("mul.wide.u64", {8, 8, 8}));
    CHECK(refused("add.rn.u32", {4, 4, 4}));
    CHECK(refused("add.nonsense.u32", {4, 4, 4}));
    CHECK(refused("nonsense.u32", {4, 4, 4}));
}
