// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/lanes/float_lanes.h"

/// The functions of the special function unit, computed in double precision and rounded once: well inside
/// PTX's error bounds, but not hardware's very bits, which no document gives.
namespace dormer::emulator::lanes::DORMER_ISA {

/// 2^x for |x| < 1000, exact for integers.
[[gnu::always_inline]] inline double exp2Double(double x) {
    const double whole = __builtin_floor(x + 0.5);
    const double t = (x - whole) * 0.69314718055994530942;
    // Taylor series; t < 0.35, so that the next term is below 1e-13.
    double p = 1.0 / 39916800;
    p = p * t + 1.0 / 3628800;
    p = p * t + 1.0 / 362880;
    p = p * t + 1.0 / 40320;
    p = p * t + 1.0 / 5040;
    p = p * t + 1.0 / 720;
    p = p * t + 1.0 / 120;
    p = p * t + 1.0 / 24;
    p = p * t + 1.0 / 6;
    p = p * t + 0.5;
    p = p * t + 1.0;
    p = p * t + 1.0;
    return p * bitsAs<double>(u64(s64(s32(whole)) + 1023) << 52);
}

[[gnu::always_inline]] inline float exp2Single(float a) {
    // Beyond these every result is infinite or 0.
    const float low = a > -200.0f ? a : -200.0f;
    const float bounded = low < 200.0f ? low : 200.0f;
    return a != a ? a : float(exp2Double(double(bounded)));
}

[[gnu::always_inline]] inline float log2Single(float a) {
    // log2(2^e m) = e + 2 atanh((m-1)/(m+1)) / ln 2 with m in [0.7, 1.42].
    const u64 bits = bitsAs<u64>(double(a));
    const s32 exponent = s32(bits >> 52 & 0x7FF) - 1023;
    double m = bitsAs<double>((bits & 0x000FFFFFFFFFFFFF) | 0x3FF0000000000000);
    const bool upper = m > 1.4142135623730951;
    m = upper ? m * 0.5 : m;
    const double e = double(upper ? exponent + 1 : exponent);
    const double z = (m - 1.0) / (m + 1.0), zz = z * z;
    double p = 1.0 / 15;
    p = p * zz + 1.0 / 13;
    p = p * zz + 1.0 / 11;
    p = p * zz + 1.0 / 9;
    p = p * zz + 1.0 / 7;
    p = p * zz + 1.0 / 5;
    p = p * zz + 1.0 / 3;
    p = p * zz + 1.0;
    const float finite = float(e + z * p * 2.8853900817779268147);
    const float infinity = __builtin_inff();
    return a != a || a < 0.0f ? bitsAs<float>(kNan32) : a == 0.0f ? -infinity : a == infinity ? a : finite;
}

/// sin(a), or cos(a) with Quarter = 1. PTX gives no error bound for |a| beyond 100 pi; there the result stays
/// within [-1, 1].
template <int Quarter>
[[gnu::always_inline]] inline float sineSingle(float a) {
    const double x = double(a);
    const double wanted = __builtin_floor(x * 0.63661977236758134308 + 0.5);
    const double inside = wanted > -1e9 ? wanted : -1e9;
    const double turns = inside < 1e9 ? inside : 1e9;
    // pi/2 in two parts, of which the first has trailing zeros.
    double r = (x - turns * 1.57079632673412561417) - turns * 6.07710050650619224932e-11;
    r = r > -0.7853982 ? r : -0.7853982;
    r = r < 0.7853982 ? r : 0.7853982;
    const s32 quadrant = s32(turns) + Quarter;
    const double rr = r * r;
    double sine = -1.0 / 39916800;
    sine = sine * rr + 1.0 / 362880;
    sine = sine * rr - 1.0 / 5040;
    sine = sine * rr + 1.0 / 120;
    sine = sine * rr - 1.0 / 6;
    sine = sine * rr * r + r;
    double cosine = 1.0 / 479001600;
    cosine = cosine * rr - 1.0 / 3628800;
    cosine = cosine * rr + 1.0 / 40320;
    cosine = cosine * rr - 1.0 / 720;
    cosine = cosine * rr + 1.0 / 24;
    cosine = cosine * rr - 0.5;
    cosine = cosine * rr + 1.0;
    const double value = (quadrant & 1) != 0 ? cosine : sine;
    const float result = float((quadrant & 2) != 0 ? -value : value);
    const bool invalid = !(a < __builtin_inff() && a > -__builtin_inff()); // infinities and NaN
    const bool sameZero = Quarter == 0 && a == 0.0f;                       // keeps the sign of zero
    return invalid ? bitsAs<float>(kNan32) : sameZero ? a : result;
}

[[gnu::always_inline]] inline float tanhSingle(float a) {
    const float low = a > -20.0f ? a : -20.0f; // beyond, the result is 1 in single precision
    const float bounded = low < 20.0f ? low : 20.0f;
    const double x = double(bounded);
    const double e = exp2Double(x * 2.8853900817779268147); // exp(2x)
    const double quotient = (e - 1.0) / (e + 1.0);
    const bool tiny = (x < 1e-4) & (x > -1e-4); // where e - 1 cancels
    const float result = float(tiny ? x - x * x * x * (1.0 / 3) : quotient);
    return a != a ? bitsAs<float>(kNan32) : a == 0.0f ? a : result;
}

} // namespace dormer::emulator::lanes::DORMER_ISA
