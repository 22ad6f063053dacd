// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/lanes/half_lanes.h"
#include "instrument/emulator/lanes/special_functions.h"

/// Arithmetic on f16, bf16 and their pairs. Single precision has more than twice the bits and two, so that
/// sums, differences and products rounded twice equal those rounded once; fma goes through double precision.
namespace dormer::emulator::lanes::DORMER_ISA {
namespace {

enum HalfFlag : u16 { kHalfFtz = 1, kHalfSat = 2, kHalfRelu = 4, kHalfOob = 8 };

template <typename Format, unsigned N>
[[gnu::always_inline]] inline void load(const instructions::Warp& w, instructions::Ref ref, bool ftz,
                                        float* to) {
    if (ftz)
        Format::template widen<N, true>(w.lanes<u16>(ref), to);
    else
        Format::template widen<N, false>(w.lanes<u16>(ref), to);
}

/// Clamps, rounds and writes.
template <typename Format, unsigned N>
void finish(instructions::Warp& w, const instructions::Inst& in, float* values) {
    if ((in.flags & kHalfSat) != 0)
        for (unsigned i = 0; i < N; ++i)
            values[i] = output<false, true>(values[i]);
    if ((in.flags & kHalfRelu) != 0)
        for (unsigned i = 0; i < N; ++i)
            values[i] = values[i] <= 0.0f ? 0.0f : values[i];
    alignas(64) u16 halves[N];
    Format::template narrow<N>(values, halves);
    if ((in.flags & kHalfFtz) != 0)
        for (unsigned i = 0; i < N; ++i)
            halves[i] = (halves[i] & Format::kExponent) == 0 ? u16(halves[i] & 0x8000) : halves[i];
    storeHalves<N>(w, in.dst, halves);
}

template <typename Format, unsigned N, typename F>
auto halfUnary(F) {
    return [](instructions::Warp& w, const instructions::Inst& in) {
        alignas(64) float a[N];
        load<Format, N>(w, in.a, (in.flags & kHalfFtz) != 0, a);
#pragma GCC ivdep
        for (unsigned i = 0; i < N; ++i)
            a[i] = F{}(a[i]);
        finish<Format, N>(w, in, a);
    };
}
template <typename Format, unsigned N, typename F>
auto halfBinary(F) {
    return [](instructions::Warp& w, const instructions::Inst& in) {
        alignas(64) float a[N], b[N];
        load<Format, N>(w, in.a, (in.flags & kHalfFtz) != 0, a);
        load<Format, N>(w, in.b, (in.flags & kHalfFtz) != 0, b);
#pragma GCC ivdep
        for (unsigned i = 0; i < N; ++i)
            a[i] = F{}(a[i], b[i]);
        finish<Format, N>(w, in, a);
    };
}

/// The neighbour with an odd last bit when a sum left the error `error`: rounding such a number to fewer bits
/// is then correct (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums").
template <typename U, typename F>
[[gnu::always_inline]] inline F toOdd(F sum, F error) {
    const U sumBits = bitsAs<U>(sum), errorBits = bitsAs<U>(error);
    const U towards = ((sumBits ^ errorBits) >> (sizeof(U) * 8 - 1)) != 0 ? ~U(0) : U(1);
    const U inexact = (error < F(0)) | (error > F(0)) ? U(1) : U(0); // neither for the NaN of infinite sums
    return bitsAs<F>(U(sumBits + ((inexact & ~sumBits & 1) != 0 ? towards : U(0))));
}
/// What a + b lost (Knuth's TwoSum).
template <typename F>
[[gnu::always_inline]] inline F lostBy(F a, F b, F sum) {
    const F part = sum - a;
    return (a - (sum - part)) + (b - part);
}

/// a * b + c rounded to odd in single precision, into a. The product of two f16 is exact there.
template <unsigned N>
void fmaToOdd(Binary16, float* a, const float* b, const float* c) {
#pragma GCC ivdep
    for (unsigned i = 0; i < N; ++i) {
        const float product = a[i] * b[i], sum = product + c[i];
        a[i] = toOdd<u32>(sum, lostBy(product, c[i], sum));
    }
}
/// The product of two bf16 may leave the range of single precision and come back by the addition.
template <unsigned N>
void fmaToOdd(Bfloat16, float* a, const float* b, const float* c) {
    alignas(64) double sums[N];
    alignas(64) float rests[N];
#pragma GCC ivdep
    for (unsigned i = 0; i < N; ++i) {
        const double product = double(a[i]) * double(b[i]), addend = double(c[i]), sum = product + addend;
        sums[i] = toOdd<u64>(sum, lostBy(product, addend, sum));
    }
#pragma GCC ivdep
    for (unsigned i = 0; i < N; ++i) {
        a[i] = float(sums[i]);
        const double rest = sums[i] - double(a[i]);
        rests[i] = rest > 0.0 ? 1.0f : rest < 0.0 ? -1.0f : 0.0f;
    }
#pragma GCC ivdep
    for (unsigned i = 0; i < N; ++i)
        a[i] = toOdd<u32>(a[i], rests[i]);
}

template <typename Format, unsigned N>
void halfFma(instructions::Warp& w, const instructions::Inst& in) {
    alignas(64) float a[N], b[N], c[N];
    const bool ftz = (in.flags & kHalfFtz) != 0;
    load<Format, N>(w, in.a, ftz, a);
    load<Format, N>(w, in.b, ftz, b);
    load<Format, N>(w, in.c, ftz, c);
    fmaToOdd<N>(Format{}, a, b, c);
    if ((in.flags & kHalfOob) != 0) {
        // .oob: a NaN with all bits set in a or b stands for data out of bounds and gives 0.
        const u16* rawA = w.lanes<u16>(in.a);
        const u16* rawB = w.lanes<u16>(in.b);
        for (unsigned i = 0; i < N; ++i)
            a[i] = rawA[i] == 0xFFFF || rawB[i] == 0xFFFF ? 0.0f : a[i];
    }
    finish<Format, N>(w, in, a);
}

template <bool Max, bool NanWins>
[[gnu::always_inline]] inline float extremum(float a, float b) {
    return Max ? maximum<NanWins>(a, b) : minimum<NanWins>(a, b);
}
template <typename Format, unsigned N, bool Max, bool NanWins>
instructions::Handler extrema(const instructions::Spec& s) {
    if (s.has(instructions::kXorSignAbs))
        return halfBinary<Format, N>([](float a, float b) {
            const u32 x = bitsAs<u32>(a), y = bitsAs<u32>(b);
            const float m =
                extremum<Max, NanWins>(bitsAs<float>(x & 0x7FFFFFFF), bitsAs<float>(y & 0x7FFFFFFF));
            return m != m ? m : bitsAs<float>(bitsAs<u32>(m) | ((x ^ y) & 0x80000000));
        });
    return halfBinary<Format, N>([](float a, float b) { return extremum<Max, NanWins>(a, b); });
}

template <typename Format, unsigned N>
instructions::Handler find(const instructions::Spec& s) {
    switch (s.op) {
    case instructions::Op::Add:
        return halfBinary<Format, N>([](float a, float b) { return a + b; });
    case instructions::Op::Sub:
        return halfBinary<Format, N>([](float a, float b) { return a - b; });
    case instructions::Op::Mul:
        return halfBinary<Format, N>([](float a, float b) { return a * b; });
    case instructions::Op::Fma:
        return halfFma<Format, N>;
    case instructions::Op::Min:
        return s.has(instructions::kNanResult) ? extrema<Format, N, false, true>(s)
                                               : extrema<Format, N, false, false>(s);
    case instructions::Op::Max:
        return s.has(instructions::kNanResult) ? extrema<Format, N, true, true>(s)
                                               : extrema<Format, N, true, false>(s);
    case instructions::Op::Ex2:
        return s.has(instructions::kApprox)
                   ? instructions::Handler(halfUnary<Format, N>([](float a) { return exp2Single(a); }))
                   : nullptr;
    case instructions::Op::Tanh:
        return s.has(instructions::kApprox)
                   ? instructions::Handler(halfUnary<Format, N>([](float a) { return tanhSingle(a); }))
                   : nullptr;
    default:
        return nullptr;
    }
}

/// abs and neg touch the sign alone, so any format will do.
instructions::Handler signs(const instructions::Spec& s) {
    const unsigned bytes = instructions::bytesOf(s.type());
    if (!s.widths(bytes, bytes)) return nullptr;
    if (s.has(instructions::kFtz)) {
        if (s.type() != instructions::Kind::F16 && s.type() != instructions::Kind::F16x2) return nullptr;
        const bool pair = s.type() == instructions::Kind::F16x2;
        if (s.op == instructions::Op::Abs)
            return pair ? instructions::Handler(
                              halfUnary<Binary16, 64>([](float a) { return __builtin_fabsf(a); }))
                        : instructions::Handler(
                              halfUnary<Binary16, 32>([](float a) { return __builtin_fabsf(a); }));
        return pair ? instructions::Handler(halfUnary<Binary16, 64>([](float a) { return -a; }))
                    : instructions::Handler(halfUnary<Binary16, 32>([](float a) { return -a; }));
    }
    if (bytes == 2) {
        if (s.op == instructions::Op::Abs) return unary<u16, u16>([](u16 a) { return u16(a & 0x7FFF); });
        return unary<u16, u16>([](u16 a) { return u16(a ^ 0x8000); });
    }
    if (s.op == instructions::Op::Abs) return unary<u32, u32>([](u32 a) { return a & 0x7FFF7FFF; });
    return unary<u32, u32>([](u32 a) { return a ^ 0x80008000; });
}

/// add.f32.f16 d, a, c and fma.rn.f32.f16 d, a, b, c: 16-bit operands in a single-precision operation.
template <typename Format, instructions::Op Which, bool Sat>
void mixed(instructions::Warp& w, const instructions::Inst& in) {
    alignas(64) float a[instructions::kLanes];
    Format::template widen<instructions::kLanes>(w.lanes<u16>(in.a), a);
    float* dst = w.lanes<float>(in.dst);
    if constexpr (Which == instructions::Op::Fma) {
        alignas(64) float b[instructions::kLanes];
        Format::template widen<instructions::kLanes>(w.lanes<u16>(in.b), b);
        eachLane(
            w.exec, dst,
            [](float x, float y, float z) { return output<false, Sat>(__builtin_fmaf(x, y, z)); }, a, b,
            w.lanes<float>(in.c));
    } else {
        eachLane(
            w.exec, dst,
            [](float x, float y) {
                return output<false, Sat>(Which == instructions::Op::Add ? x + y : x - y);
            },
            a, w.lanes<float>(in.b));
    }
}
template <typename Format, instructions::Op Which>
instructions::Handler mixedRounded(const instructions::Spec& s) {
    if (s.has(instructions::kSat))
        return rounded(s.rounding, [](instructions::Warp& w, const instructions::Inst& in) {
            mixed<Format, Which, true>(w, in);
        });
    return rounded(s.rounding, [](instructions::Warp& w, const instructions::Inst& in) {
        mixed<Format, Which, false>(w, in);
    });
}
template <typename Format>
instructions::Handler findMixed(const instructions::Spec& s) {
    if (!s.only(instructions::kSat)) return nullptr;
    switch (s.op) {
    case instructions::Op::Add:
        return s.widths(4, 2, 4) ? mixedRounded<Format, instructions::Op::Add>(s) : nullptr;
    case instructions::Op::Sub:
        return s.widths(4, 2, 4) ? mixedRounded<Format, instructions::Op::Sub>(s) : nullptr;
    case instructions::Op::Fma:
        return s.widths(4, 2, 2, 4) ? mixedRounded<Format, instructions::Op::Fma>(s) : nullptr;
    default:
        return nullptr;
    }
}

} // namespace

instructions::Found findHalf(const instructions::Spec& s) {
    if (s.typeCount == 2 && s.type() == instructions::Kind::F32) {
        if (s.types[1] == instructions::Kind::F16) return {findMixed<Binary16>(s), 0, 0};
        if (s.types[1] == instructions::Kind::BF16) return {findMixed<Bfloat16>(s), 0, 0};
        return {};
    }
    if (s.typeCount != 1 ||
        (s.rounding != instructions::Rounding::None && s.rounding != instructions::Rounding::Nearest) ||
        s.has(instructions::kInteger))
        return {};
    instructions::Found found;
    found.flags = static_cast<u16>(
        (s.has(instructions::kFtz) ? kHalfFtz : 0) | (s.has(instructions::kSat) ? kHalfSat : 0) |
        (s.has(instructions::kRelu) ? kHalfRelu : 0) | (s.has(instructions::kOutOfBounds) ? kHalfOob : 0));
    if (s.op == instructions::Op::Abs || s.op == instructions::Op::Neg) {
        found.run = s.only(instructions::kFtz) ? signs(s) : nullptr;
        return found;
    }
    const bool extremum = s.op == instructions::Op::Min || s.op == instructions::Op::Max,
               special = s.op == instructions::Op::Ex2 || s.op == instructions::Op::Tanh;
    const u64 known = extremum  ? instructions::kFtz | instructions::kNanResult | instructions::kXorSignAbs
                      : special ? instructions::kFtz | instructions::kApprox
                      : s.op == instructions::Op::Fma ? instructions::kFtz | instructions::kSat |
                                                            instructions::kRelu | instructions::kOutOfBounds
                                                      : instructions::kFtz | instructions::kSat;
    const unsigned bytes = instructions::bytesOf(s.type());
    if (!s.only(known)) return {};
    if (!(special                         ? s.widths(bytes, bytes)
          : s.op == instructions::Op::Fma ? s.widths(bytes, bytes, bytes, bytes)
                                          : s.widths(bytes, bytes, bytes)))
        return {};
    switch (s.type()) {
    case instructions::Kind::F16:
        found.run = find<Binary16, 32>(s);
        break;
    case instructions::Kind::F16x2:
        found.run = find<Binary16, 64>(s);
        break;
    case instructions::Kind::BF16:
        found.run = find<Bfloat16, 32>(s);
        break;
    case instructions::Kind::BF16x2:
        found.run = find<Bfloat16, 64>(s);
        break;
    default:
        return {};
    }
    return found;
}

} // namespace dormer::emulator::lanes::DORMER_ISA
