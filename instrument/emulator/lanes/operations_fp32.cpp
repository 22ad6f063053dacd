// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/lanes/float_lanes.h"

/// Single precision as IEEE 754 has it, in all four rounding modes.
namespace dormer::emulator::lanes::DORMER_ISA {
namespace {

template <bool Ftz, bool Sat>
instructions::Handler arithmetic(const instructions::Spec& s) {
    switch (s.op) {
    case instructions::Op::Add:
        return rounded(s.rounding, binary<float, float, float>([](float a, float b) {
                           return output<Ftz, Sat>(input<Ftz>(a) + input<Ftz>(b));
                       }));
    case instructions::Op::Sub:
        return rounded(s.rounding, binary<float, float, float>([](float a, float b) {
                           return output<Ftz, Sat>(input<Ftz>(a) - input<Ftz>(b));
                       }));
    case instructions::Op::Mul:
        return rounded(s.rounding, binary<float, float, float>([](float a, float b) {
                           return output<Ftz, Sat>(input<Ftz>(a) * input<Ftz>(b));
                       }));
    case instructions::Op::Fma:
    case instructions::Op::Mad:
        return rounded(s.rounding, ternary<float, float, float, float>([](float a, float b, float c) {
                           return output<Ftz, Sat>(
                               __builtin_fmaf(input<Ftz>(a), input<Ftz>(b), input<Ftz>(c)));
                       }));
    default:
        return nullptr;
    }
}

template <bool Ftz>
instructions::Handler divisions(const instructions::Spec& s) {
    switch (s.op) {
    case instructions::Op::Div:
        if (s.has(instructions::kApprox)) {
            // PTX: divisors beyond 2^126 give 0, or NaN for an infinite dividend; within, 2 ulp.
            return binary<float, float, float>([](float a, float b) {
                const float x = input<Ftz>(a), y = input<Ftz>(b);
                const float magnitude = bitsAs<float>(bitsAs<u32>(y) & 0x7FFFFFFF);
                const bool huge = (magnitude > 0x1p126f) & (magnitude < __builtin_inff());
                return output<Ftz, false>(huge ? x * 0.0f : x / y);
            });
        }
        return rounded(s.rounding, binary<float, float, float>([](float a, float b) {
                           return output<Ftz, false>(input<Ftz>(a) / input<Ftz>(b));
                       }));
    case instructions::Op::Rcp:
        return rounded(s.rounding,
                       unary<float, float>([](float a) { return output<Ftz, false>(1.0f / input<Ftz>(a)); }));
    case instructions::Op::Sqrt:
        return rounded(s.rounding, unary<float, float>([](float a) {
                           return output<Ftz, false>(__builtin_sqrtf(input<Ftz>(a)));
                       }));
    default:
        return nullptr;
    }
}

template <bool Ftz>
instructions::Handler signs(instructions::Op op) {
    if (op == instructions::Op::Abs)
        return unary<float, float>(
            [](float a) { return bitsAs<float>(bitsAs<u32>(input<Ftz>(a)) & 0x7FFFFFFF); });
    return unary<float, float>(
        [](float a) { return bitsAs<float>(bitsAs<u32>(input<Ftz>(a)) ^ 0x80000000); });
}

template <bool Max, bool NanWins, bool Ftz>
[[gnu::always_inline]] inline float extremum(float a, float b) {
    return Max ? maximum<NanWins>(input<Ftz>(a), input<Ftz>(b))
               : minimum<NanWins>(input<Ftz>(a), input<Ftz>(b));
}
/// Of the magnitudes; the sign is the product's.
template <bool Max, bool NanWins, bool Ftz>
[[gnu::always_inline]] inline float magnitudeExtremum(float a, float b) {
    const u32 x = bitsAs<u32>(a), y = bitsAs<u32>(b);
    const float m = extremum<Max, NanWins, Ftz>(bitsAs<float>(x & 0x7FFFFFFF), bitsAs<float>(y & 0x7FFFFFFF));
    return m != m ? m : bitsAs<float>(bitsAs<u32>(m) | ((x ^ y) & 0x80000000));
}

template <bool Max, bool NanWins, bool Ftz>
instructions::Handler extrema(const instructions::Spec& s) {
    if (s.operands == 4) {
        if (s.has(instructions::kXorSignAbs)) return nullptr;
        return ternary<float, float, float, float>([](float a, float b, float c) {
            return extremum<Max, NanWins, Ftz>(extremum<Max, NanWins, Ftz>(a, b), c);
        });
    }
    if (s.has(instructions::kXorSignAbs))
        return binary<float, float, float>(
            [](float a, float b) { return magnitudeExtremum<Max, NanWins, Ftz>(a, b); });
    return binary<float, float, float>([](float a, float b) { return extremum<Max, NanWins, Ftz>(a, b); });
}
template <bool Max>
instructions::Handler extrema(const instructions::Spec& s) {
    if (s.has(instructions::kNanResult))
        return s.has(instructions::kFtz) ? extrema<Max, true, true>(s) : extrema<Max, true, false>(s);
    return s.has(instructions::kFtz) ? extrema<Max, false, true>(s) : extrema<Max, false, false>(s);
}

instructions::Handler find(const instructions::Spec& s) {
    const bool ftz = s.has(instructions::kFtz), sat = s.has(instructions::kSat);
    switch (s.op) {
    case instructions::Op::Add:
    case instructions::Op::Sub:
    case instructions::Op::Mul:
    case instructions::Op::Fma:
    case instructions::Op::Mad: {
        const bool three = s.op == instructions::Op::Fma || s.op == instructions::Op::Mad;
        if (!s.only(instructions::kFtz | instructions::kSat) ||
            !(three ? s.widths(4, 4, 4, 4) : s.widths(4, 4, 4)))
            return nullptr;
        if (ftz) return sat ? arithmetic<true, true>(s) : arithmetic<true, false>(s);
        return sat ? arithmetic<false, true>(s) : arithmetic<false, false>(s);
    }
    case instructions::Op::Div:
        if (!s.only(instructions::kFtz | instructions::kApprox | instructions::kFull) || !s.widths(4, 4, 4))
            return nullptr;
        return ftz ? divisions<true>(s) : divisions<false>(s);
    case instructions::Op::Rcp:
    case instructions::Op::Sqrt: // .approx is within 1 ulp: the rounded result will do
        if (!s.only(instructions::kFtz | instructions::kApprox) || !s.widths(4, 4)) return nullptr;
        return ftz ? divisions<true>(s) : divisions<false>(s);
    case instructions::Op::Abs:
    case instructions::Op::Neg:
        if (!s.only(instructions::kFtz) || !s.widths(4, 4)) return nullptr;
        return ftz ? signs<true>(s.op) : signs<false>(s.op);
    case instructions::Op::Min:
    case instructions::Op::Max:
        if (!s.only(instructions::kFtz | instructions::kNanResult | instructions::kXorSignAbs) ||
            !s.widths(4, 4, 4))
            return nullptr;
        if (s.operands == 4 && s.bytes[3] != 4) return nullptr;
        return s.op == instructions::Op::Max ? extrema<true>(s) : extrema<false>(s);
    case instructions::Op::Copysign: // copysign d, a, b: the sign of a, the magnitude of b
        if (!s.only(0) || !s.widths(4, 4, 4)) return nullptr;
        return binary<u32, u32, u32>([](u32 a, u32 b) { return (a & 0x80000000) | (b & 0x7FFFFFFF); });
    default:
        return nullptr;
    }
}

} // namespace

instructions::Found findFp32(const instructions::Spec& s) {
    if (s.typeCount != 1 || s.has(instructions::kInteger)) return {};
    return {find(s), 0, 0};
}

} // namespace dormer::emulator::lanes::DORMER_ISA
