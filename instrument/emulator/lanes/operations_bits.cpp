// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/lanes/lane_loop.h"

/// Counting, finding, extracting and permuting bits. Formulas are those of the PTX ISA's pseudo-code.
namespace dormer::emulator::lanes::DORMER_ISA {
namespace {

template <typename T>
u32 leadingZeros(T v) {
    constexpr u32 kBits = sizeof(T) * 8;
    if (v == 0) return kBits;
    return u32(sizeof(T) == 8 ? __builtin_clzll(v) : __builtin_clz(u32(v)));
}

template <typename T>
T maskOf(u32 length) {
    constexpr u32 kBits = sizeof(T) * 8;
    return length >= kBits ? T(~T(0)) : T((T(1) << (length & (kBits - 1))) - 1);
}

template <typename T>
T extract(T a, u32 position, u32 length) {
    constexpr u32 kBits = sizeof(T) * 8;
    position &= 0xFF;
    length &= 0xFF;
    const T shifted = position >= kBits ? T(0) : T(a >> position);
    return shifted & maskOf<T>(length);
}

/// Bits beyond the field or the register take the sign: the field's top bit, or the register's.
template <typename T>
T extractSigned(T a, u32 position, u32 length) {
    constexpr u32 kBits = sizeof(T) * 8;
    const T field = extract(a, position, length);
    position &= 0xFF;
    length &= 0xFF;
    const u32 top = position + length - 1 > kBits - 1 ? kBits - 1 : position + length - 1;
    const bool sign = length != 0 && (a >> top & 1) != 0;
    const u32 room = position >= kBits ? 0 : kBits - position;
    return sign ? T(field | ~maskOf<T>(length < room ? length : room)) : field;
}

template <typename T>
T insert(T a, T b, u32 position, u32 length) {
    constexpr u32 kBits = sizeof(T) * 8;
    position &= 0xFF;
    length &= 0xFF;
    if (position >= kBits) return b;
    const T mask = T(maskOf<T>(length) << position);
    return T((b & ~mask) | ((a << position) & mask));
}

/// Position of the highest bit that is not the sign.
template <typename T>
u32 findHighest(T v, bool isSigned, bool shiftAmount) {
    constexpr u32 kBits = sizeof(T) * 8;
    if (isSigned && (v >> (kBits - 1)) != 0) v = T(~v);
    if (v == 0) return 0xFFFFFFFF;
    const u32 zeros = leadingZeros(v);
    return shiftAmount ? zeros : kBits - 1 - zeros;
}

template <bool Clamp>
u32 bitMask(u32 a, u32 b) {
    const u32 start = a & 31, end = start + (b & 31);
    u32 low = instructions::kAllLanes << start;
    if (Clamp && a >= 32) low = 0;
    const bool whole = end >= 32 || (Clamp && (a >= 32 || b >= 32));
    const u32 high = whole ? 0 : instructions::kAllLanes << (end & 31);
    return low & ~high;
}

template <bool Clamp, bool Signed>
u32 extend(u32 a, u32 b) {
    if (Clamp && b >= 32) return a;
    const u32 n = b & 31;
    const u32 kept = a & maskOf<u32>(n);
    const bool sign = Signed && n != 0 && (a >> ((n - 1) & 31) & 1) != 0;
    return sign ? kept | ~maskOf<u32>(n) : kept;
}

u32 findNth(u32 mask, u32 base, s32 offset) {
    if (offset == 0) return base < 32 && (mask >> base & 1) != 0 ? base : 0xFFFFFFFF;
    const s32 step = offset > 0 ? 1 : -1;
    s32 left = offset > 0 ? offset : -offset;
    for (s64 at = base; at >= 0 && at < 32; at += step)
        if ((mask >> at & 1) != 0 && --left == 0) return u32(at);
    return 0xFFFFFFFF;
}

u32 permute(u32 a, u32 b, u32 selector) {
    const u64 bytes = u64(b) << 32 | a;
    u32 result = 0;
    for (unsigned i = 0; i < 4; ++i) {
        const u32 nibble = selector >> 4 * i & 15;
        const u32 byte = u32(bytes >> 8 * (nibble & 7)) & 0xFF;
        const u32 sign = (byte & 0x80) != 0 ? 0xFFu : 0u;
        result |= ((nibble & 8) != 0 ? sign : byte) << 8 * i;
    }
    return result;
}

/// The other modes' selectors, indexed by the two low bits of c (PTX ISA, table of prmt).
template <u32 S0, u32 S1, u32 S2, u32 S3>
instructions::Handler permuteMode() {
    return ternary<u32, u32, u32, u32>([](u32 a, u32 b, u32 c) {
        const u32 low = (c & 1) != 0 ? S1 : S0, high = (c & 1) != 0 ? S3 : S2;
        return permute(a, b, (c & 2) != 0 ? high : low);
    });
}

instructions::Handler findPermute(const instructions::Spec& s) {
    switch (s.flags) {
    case 0:
        return ternary<u32, u32, u32, u32>([](u32 a, u32 b, u32 c) { return permute(a, b, c); });
    case instructions::kForward4:
        return permuteMode<0x3210, 0x4321, 0x5432, 0x6543>();
    case instructions::kBackward4:
        return permuteMode<0x5670, 0x6701, 0x7012, 0x0123>();
    case instructions::kReplicate8:
        return permuteMode<0x0000, 0x1111, 0x2222, 0x3333>();
    case instructions::kEdgeLeft:
        return permuteMode<0x3210, 0x3211, 0x3222, 0x3333>();
    case instructions::kEdgeRight:
        return permuteMode<0x0000, 0x1110, 0x2210, 0x3210>();
    case instructions::kReplicate16:
        return permuteMode<0x1010, 0x3232, 0x1010, 0x3232>();
    default:
        return nullptr;
    }
}

template <typename T>
instructions::Handler counting(const instructions::Spec& s) {
    switch (s.op) {
    case instructions::Op::Popc:
        return unary<u32, T>(
            [](T a) { return u32(sizeof(T) == 8 ? __builtin_popcountll(a) : __builtin_popcount(u32(a))); });
    case instructions::Op::Clz:
        return unary<u32, T>([](T a) { return leadingZeros(a); });
    case instructions::Op::Bfind:
        if (instructions::isSigned(s.type()))
            return s.has(instructions::kShiftAmount)
                       ? instructions::Handler(unary<u32, T>([](T a) { return findHighest(a, true, true); }))
                       : instructions::Handler(
                             unary<u32, T>([](T a) { return findHighest(a, true, false); }));
        return s.has(instructions::kShiftAmount)
                   ? instructions::Handler(unary<u32, T>([](T a) { return findHighest(a, false, true); }))
                   : instructions::Handler(unary<u32, T>([](T a) { return findHighest(a, false, false); }));
    default:
        return nullptr;
    }
}

u32 reverse(u32 v) {
    v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
    v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
    v = (v >> 4 & 0x0F0F0F0F) | (v & 0x0F0F0F0F) << 4;
    return __builtin_bswap32(v);
}

template <typename T>
void insertHandler(instructions::Warp& w, const instructions::Inst& in) {
    eachLane(
        w.exec, w.lanes<T>(in.dst), [](T a, T b, u32 c, u32 d) { return insert(a, b, c, d); },
        w.lanes<T>(in.a), w.lanes<T>(in.b), w.lanes<u32>(in.c), w.lanes<u32>(in.d));
}

template <typename T>
instructions::Handler fields(const instructions::Spec& s) {
    if (s.op == instructions::Op::Bfi) return insertHandler<T>;
    if (instructions::isSigned(s.type()))
        return ternary<T, T, u32, u32>([](T a, u32 b, u32 c) { return extractSigned(a, b, c); });
    return ternary<T, T, u32, u32>([](T a, u32 b, u32 c) { return extract(a, b, c); });
}

instructions::Handler find(const instructions::Spec& s) {
    const unsigned bytes = instructions::bytesOf(s.type());
    switch (s.op) {
    case instructions::Op::Popc:
    case instructions::Op::Clz:
    case instructions::Op::Bfind:
        if (!s.only(s.op == instructions::Op::Bfind ? u64(instructions::kShiftAmount) : u64(0)) ||
            !s.widths(4, bytes))
            return nullptr;
        return bytes == 4 ? counting<u32>(s) : bytes == 8 ? counting<u64>(s) : nullptr;
    case instructions::Op::Brev:
        if (!s.only(0) || !s.widths(bytes, bytes)) return nullptr;
        if (bytes == 4) return unary<u32, u32>([](u32 a) { return reverse(a); });
        if (bytes == 8)
            return unary<u64, u64>([](u64 a) { return u64(reverse(u32(a))) << 32 | reverse(u32(a >> 32)); });
        return nullptr;
    case instructions::Op::Bfe:
    case instructions::Op::Bfi:
        if (!s.only(0) || !(s.op == instructions::Op::Bfe ? s.widths(bytes, bytes, 4, 4)
                                                          : s.widths(bytes, bytes, bytes, 4, 4)))
            return nullptr;
        return bytes == 4 ? fields<u32>(s) : bytes == 8 ? fields<u64>(s) : nullptr;
    case instructions::Op::Bmsk:
        if (!s.only(instructions::kClamp | instructions::kWrap) || !s.widths(4, 4, 4)) return nullptr;
        if (s.has(instructions::kClamp))
            return binary<u32, u32, u32>([](u32 a, u32 b) { return bitMask<true>(a, b); });
        return binary<u32, u32, u32>([](u32 a, u32 b) { return bitMask<false>(a, b); });
    case instructions::Op::Szext:
        if (!s.only(instructions::kClamp | instructions::kWrap) || !s.widths(4, 4, 4)) return nullptr;
        if (instructions::isSigned(s.type())) {
            if (s.has(instructions::kClamp))
                return binary<u32, u32, u32>([](u32 a, u32 b) { return extend<true, true>(a, b); });
            return binary<u32, u32, u32>([](u32 a, u32 b) { return extend<false, true>(a, b); });
        }
        if (s.has(instructions::kClamp))
            return binary<u32, u32, u32>([](u32 a, u32 b) { return extend<true, false>(a, b); });
        return binary<u32, u32, u32>([](u32 a, u32 b) { return extend<false, false>(a, b); });
    case instructions::Op::Fns:
        if (!s.only(0) || !s.widths(4, 4, 4, 4)) return nullptr;
        return ternary<u32, u32, u32, s32>([](u32 a, u32 b, s32 c) { return findNth(a, b, c); });
    case instructions::Op::Prmt:
        return s.widths(4, 4, 4, 4) ? findPermute(s) : nullptr;
    default:
        return nullptr;
    }
}

/// Differences of the unsigned parts of two registers, each in its place or, with .add, summed to c. Of the
/// "video" instructions these are the ones CUDA's SIMD intrinsics still are compiled to.
template <unsigned Bits, bool Sum>
u32 partDifferences(u32 a, u32 b, u32 c) {
    constexpr u32 kMask = (1u << Bits) - 1;
    u32 result = Sum ? c : 0;
    for (unsigned shift = 0; shift < 32; shift += Bits) {
        const u32 x = a >> shift & kMask, y = b >> shift & kMask;
        const u32 difference = x < y ? y - x : x - y;
        result += Sum ? difference : difference << shift;
    }
    return result;
}

template <unsigned Bits>
instructions::Handler partDifferences(const instructions::Spec& s) {
    for (unsigned i = 0; i < s.typeCount; ++i)
        if (s.types[i] != instructions::Kind::U32) return nullptr;
    if (s.typeCount != 3 || !s.only(instructions::kAddition) || !s.widths(4, 4, 4, 4)) return nullptr;
    if (s.has(instructions::kAddition))
        return ternary<u32, u32, u32, u32>(
            [](u32 a, u32 b, u32 c) { return partDifferences<Bits, true>(a, b, c); });
    return ternary<u32, u32, u32, u32>(
        [](u32 a, u32 b, u32 c) { return partDifferences<Bits, false>(a, b, c); });
}

} // namespace

instructions::Found findBits(const instructions::Spec& s) {
    if (s.op == instructions::Op::Vabsdiff2 && s.rounding == instructions::Rounding::None)
        return {partDifferences<16>(s), 0, 0};
    if (s.op == instructions::Op::Vabsdiff4 && s.rounding == instructions::Rounding::None)
        return {partDifferences<8>(s), 0, 0};
    if (s.typeCount != 1 || s.rounding != instructions::Rounding::None) return {};
    return {find(s), 0, 0};
}

} // namespace dormer::emulator::lanes::DORMER_ISA
