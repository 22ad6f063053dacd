// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// For sources compiled for x86-64-v3 and up, which has the half-precision conversions.

#include <immintrin.h>

#include <bit>
#include <cstdint>

namespace dormer::emulator::instructions::half {

[[gnu::always_inline]] inline float toFloat(std::uint16_t bits) {
    return _cvtsh_ss(bits);
}
/// Rounds to nearest, ties to even.
[[gnu::always_inline]] inline std::uint16_t fromFloat(float value) {
    return static_cast<std::uint16_t>(_cvtss_sh(value, _MM_FROUND_TO_NEAREST_INT));
}
[[gnu::always_inline]] inline std::uint16_t brainFromFloat(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if (value != value) return 0x7FFF; // the canonical NaN of bf16
    return static_cast<std::uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

} // namespace dormer::emulator::instructions::half
