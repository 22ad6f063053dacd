// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/lanes/lane_loop.h"

/// Floating-point formats of 19 bits or fewer, by numbers: one value at a time, all roundings.
namespace dormer::emulator::lanes::DORMER_ISA {

struct SmallFormat {
    unsigned exponentBits, mantissaBits;
    bool infinities;
    u32 nan;     ///< what NaN becomes
    u32 largest; ///< finite magnitude
};
inline constexpr SmallFormat kFormat16{5, 10, true, 0x7FFF, 0x7BFF};
inline constexpr SmallFormat kFormatB16{8, 7, true, 0x7FFF, 0x7F7F};
inline constexpr SmallFormat kFormatTf32{8, 10, true, 0x3FFFF, 0x3FBFF}; ///< the upper 19 bits of 32
inline constexpr SmallFormat kFormatE4M3{4, 3, false, 0x7F, 0x7E};       ///< OCP 8-bit: 448 is the largest
inline constexpr SmallFormat kFormatE5M2{5, 2, true, 0x7F, 0x7B};

inline SmallFormat formatOf(instructions::Kind kind) {
    switch (kind) {
    case instructions::Kind::F16:
    case instructions::Kind::F16x2:
        return kFormat16;
    case instructions::Kind::BF16:
    case instructions::Kind::BF16x2:
        return kFormatB16;
    case instructions::Kind::TF32:
        return kFormatTf32;
    case instructions::Kind::E4M3:
    case instructions::Kind::E4M3x2:
        return kFormatE4M3;
    default:
        return kFormatE5M2;
    }
}

/// The value as bits of the format. `finite`: infinities and what is beyond the range become the largest
/// value.
inline u32 encodeSmall(const SmallFormat& f, double value, instructions::Rounding rounding, bool finite) {
    const u64 bits = bitsAs<u64>(value);
    const u32 sign = u32(bits >> 63) << (f.exponentBits + f.mantissaBits);
    const bool negative = sign != 0;
    if (value != value) return f.nan;
    const s32 bias = (1 << (f.exponentBits - 1)) - 1, lowest = 1 - bias;
    const s32 rawExponent = s32(bits >> 52 & 0x7FF);
    const u32 infinity = f.infinities ? ((1u << f.exponentBits) - 1) << f.mantissaBits : f.largest + 1;
    const auto overflow = [&](bool awayFromZero) {
        if (finite) return sign | f.largest;
        return awayFromZero ? (f.infinities ? sign | infinity : sign | f.nan) : sign | f.largest;
    };
    if (rawExponent == 0x7FF) return overflow(true);
    u64 mantissa = bits & 0x000FFFFFFFFFFFFF;
    if (rawExponent != 0) mantissa |= 1ull << 52;
    if (mantissa == 0) return sign;
    const s32 exponent = rawExponent != 0 ? rawExponent - 1023 : -1022;
    const s32 target = exponent > lowest ? exponent : lowest;
    s32 shift = 52 - s32(f.mantissaBits) + (target - exponent);
    if (shift > 60) shift = 60; // nothing but the sticky bits is left
    u64 kept = mantissa >> shift;
    const u64 rest = mantissa & ((1ull << shift) - 1), half = 1ull << (shift - 1);
    bool up = false;
    switch (rounding) {
    case instructions::Rounding::Up:
        up = rest != 0 && !negative;
        break;
    case instructions::Rounding::Down:
        up = rest != 0 && negative;
        break;
    case instructions::Rounding::Zero:
        break;
    case instructions::Rounding::Away:
        up = rest >= half;
        break;
    default:
        up = rest > half || (rest == half && (kept & 1) != 0);
        break;
    }
    kept += up ? 1 : 0;
    // The hidden bit of `kept` carries into the exponent field.
    const u64 encoded = (u64(target - lowest) << f.mantissaBits) + kept;
    if (encoded >= infinity) {
        const bool away = rounding == instructions::Rounding::Nearest ||
                          rounding == instructions::Rounding::Away ||
                          rounding == instructions::Rounding::None ||
                          (rounding == instructions::Rounding::Up && !negative) ||
                          (rounding == instructions::Rounding::Down && negative);
        return overflow(away);
    }
    return sign | u32(encoded);
}

inline double decodeSmall(const SmallFormat& f, u32 bits) {
    const u32 sign = bits >> (f.exponentBits + f.mantissaBits) & 1;
    const u32 exponent = bits >> f.mantissaBits & ((1u << f.exponentBits) - 1);
    const u32 mantissa = bits & ((1u << f.mantissaBits) - 1);
    const s32 bias = (1 << (f.exponentBits - 1)) - 1;
    const u32 magnitude = bits & ((1u << (f.exponentBits + f.mantissaBits)) - 1);
    double value = 0;
    if (f.infinities && exponent == (1u << f.exponentBits) - 1)
        value = mantissa != 0 ? __builtin_nan("") : __builtin_inf();
    else if (!f.infinities && magnitude == f.nan)
        value = __builtin_nan("");
    else {
        const s32 power = (exponent != 0 ? s32(exponent) : 1) - bias - s32(f.mantissaBits);
        const double scale = bitsAs<double>(u64(power + 1023) << 52);
        value = double(mantissa | (exponent != 0 ? 1u << f.mantissaBits : 0)) * scale;
    }
    return sign != 0 ? -value : value;
}

} // namespace dormer::emulator::lanes::DORMER_ISA
