// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/lanes/lane_loop.h"

/// What PTX adds to IEEE arithmetic: flushing of subnormals, saturation, canonical NaNs.
namespace dormer::emulator::lanes::DORMER_ISA {

/// Single-precision results that are NaN have this pattern (PTX ISA, floating point instructions).
inline constexpr u32 kNan32 = 0x7FFFFFFF;

[[gnu::always_inline]] inline bool isNan(float v) {
    return (bitsAs<u32>(v) & 0x7FFFFFFF) > 0x7F800000;
}
[[gnu::always_inline]] inline bool isNan(double v) {
    return v != v;
}

[[gnu::always_inline]] inline float flush(float v) {
    const u32 bits = bitsAs<u32>(v);
    return bitsAs<float>((bits & 0x7F800000) == 0 ? bits & 0x80000000 : bits);
}
template <bool Ftz>
[[gnu::always_inline]] inline float input(float v) {
    return Ftz ? flush(v) : v;
}
[[gnu::always_inline]] inline float canonical(float v) {
    return v != v ? bitsAs<float>(kNan32) : v;
}
template <bool Ftz, bool Sat>
[[gnu::always_inline]] inline float output(float v) {
    if (Sat) {
        const float low = v > 0.0f ? v : 0.0f; // NaN becomes +0
        v = low < 1.0f ? low : 1.0f;
    }
    if (Ftz) v = flush(v);
    return Sat ? v : canonical(v);
}
template <bool Sat>
[[gnu::always_inline]] inline double output(double v) {
    if (!Sat) return v;
    const double low = v > 0.0 ? v : 0.0;
    return low < 1.0 ? low : 1.0;
}

/// +0 counts as greater than -0; one NaN gives the other operand unless `NanWins`.
template <bool NanWins>
[[gnu::always_inline]] inline float minimum(float a, float b) {
    const u32 x = bitsAs<u32>(a), y = bitsAs<u32>(b);
    const float zeros = bitsAs<float>(x | y); // equal operands, or zeros of two signs
    const float lesser = a < b ? a : b < a ? b : zeros;
    if (NanWins) return a != a || b != b ? bitsAs<float>(kNan32) : lesser;
    return canonical(a != a ? b : b != b ? a : lesser);
}
template <bool NanWins>
[[gnu::always_inline]] inline float maximum(float a, float b) {
    const u32 x = bitsAs<u32>(a), y = bitsAs<u32>(b);
    const float zeros = bitsAs<float>(x & y);
    const float greater = a > b ? a : b > a ? b : zeros;
    if (NanWins) return a != a || b != b ? bitsAs<float>(kNan32) : greater;
    return canonical(a != a ? b : b != b ? a : greater);
}
[[gnu::always_inline]] inline double minimum(double a, double b) {
    const double zeros = bitsAs<double>(bitsAs<u64>(a) | bitsAs<u64>(b));
    return a != a ? b : b != b ? a : a < b ? a : b < a ? b : zeros;
}
[[gnu::always_inline]] inline double maximum(double a, double b) {
    const double zeros = bitsAs<double>(bitsAs<u64>(a) & bitsAs<u64>(b));
    return a != a ? b : b != b ? a : a > b ? a : b > a ? b : zeros;
}

} // namespace dormer::emulator::lanes::DORMER_ISA
