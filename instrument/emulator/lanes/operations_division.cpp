// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/lanes/lane_loop.h"

/// div and rem on integers. PTX leaves division by zero to the machine; ptxas' code for sm_90 ends in a
/// predicated "~divisor" for quotient and remainder, signed and not: all ones.
namespace dormer::emulator::lanes::DORMER_ISA {
namespace {

/// Exact for all 32-bit operands: a quotient of doubles rounds to an integer only when it is one.
template <bool Remainder>
u32 divide(u32 a, u32 b) {
    const double safe = b == 0 ? 1.0 : double(b);
    const u32 quotient = u32(s64(double(a) / safe));
    return b == 0 ? 0xFFFFFFFF : Remainder ? a - quotient * b : quotient;
}
template <bool Remainder>
u32 divideSigned(u32 a, u32 b) {
    const double safe = b == 0 ? 1.0 : double(s32(b));
    const u32 quotient = u32(s64(double(s32(a)) / safe)); // -2^31 / -1 wraps to -2^31, as on hardware
    return b == 0 ? 0xFFFFFFFF : Remainder ? a - quotient * b : quotient;
}
template <bool Remainder>
u64 divide64(u64 a, u64 b) {
    if (b == 0) return ~0ull;
    return Remainder ? a % b : a / b;
}
template <bool Remainder>
u64 divideSigned64(u64 a, u64 b) {
    if (b == 0) return ~0ull;
    if (b == ~0ull) return Remainder ? 0 : 0 - a; // -2^63 / -1 would trap
    return u64(Remainder ? s64(a) % s64(b) : s64(a) / s64(b));
}

template <bool Remainder>
instructions::Handler find(instructions::Kind type) {
    switch (type) {
    case instructions::Kind::U16:
        return binary<u16, u16, u16>([](u16 a, u16 b) { return u16(divide<Remainder>(a, b)); });
    case instructions::Kind::S16:
        return binary<s16, s16, s16>(
            [](s16 a, s16 b) { return s16(divideSigned<Remainder>(u32(s32(a)), u32(s32(b)))); });
    case instructions::Kind::U32:
        return binary<u32, u32, u32>([](u32 a, u32 b) { return divide<Remainder>(a, b); });
    case instructions::Kind::S32:
        return binary<u32, u32, u32>([](u32 a, u32 b) { return divideSigned<Remainder>(a, b); });
    case instructions::Kind::U64:
        return binary<u64, u64, u64>([](u64 a, u64 b) { return divide64<Remainder>(a, b); });
    case instructions::Kind::S64:
        return binary<u64, u64, u64>([](u64 a, u64 b) { return divideSigned64<Remainder>(a, b); });
    default:
        return nullptr;
    }
}

} // namespace

instructions::Found findDivision(const instructions::Spec& s) {
    const unsigned bytes = instructions::bytesOf(s.type());
    if (s.typeCount != 1 || !s.only(0) || s.rounding != instructions::Rounding::None ||
        !s.widths(bytes, bytes, bytes))
        return {};
    return {s.op == instructions::Op::Rem ? find<true>(s.type()) : find<false>(s.type()), 0, 0};
}

} // namespace dormer::emulator::lanes::DORMER_ISA
