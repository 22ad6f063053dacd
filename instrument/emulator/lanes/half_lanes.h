// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/lanes/float_lanes.h"

/// Arrays of 16-bit floats to single precision and back. A packed pair is two neighbours.
namespace dormer::emulator::lanes::DORMER_ISA {

struct Binary16 {
    static constexpr u16 kOne = 0x3C00, kNan = 0x7FFF, kInfinity = 0x7C00, kLargest = 0x7BFF;
    static constexpr u16 kExponent = 0x7C00;
    template <unsigned N, bool Ftz = false>
    [[gnu::always_inline]] static void widen(const u16* from, float* to) {
        for (unsigned i = 0; i < N; i += 8) {
            __m128i raw = _mm_load_si128(reinterpret_cast<const __m128i*>(from + i));
            if (Ftz) {
                const __m128i subnormal =
                    _mm_cmpeq_epi16(_mm_and_si128(raw, _mm_set1_epi16(kExponent)), _mm_setzero_si128());
                const __m128i sign = _mm_and_si128(raw, _mm_set1_epi16(s16(0x8000)));
                raw = _mm_blendv_epi8(raw, sign, subnormal);
            }
            _mm256_store_ps(to + i, _mm256_cvtph_ps(raw));
        }
    }
    /// To nearest even unless told otherwise; NaNs become canonical.
    template <unsigned N, int Mode = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC>
    [[gnu::always_inline]] static void narrow(const float* from, u16* to) {
        for (unsigned i = 0; i < N; i += 8)
            _mm_store_si128(reinterpret_cast<__m128i*>(to + i),
                            _mm256_cvtps_ph(_mm256_load_ps(from + i), Mode));
#pragma GCC ivdep
        for (unsigned i = 0; i < N; ++i)
            to[i] = (to[i] & 0x7FFF) > kInfinity ? kNan : to[i];
    }
};

struct Bfloat16 {
    static constexpr u16 kOne = 0x3F80, kNan = 0x7FFF, kInfinity = 0x7F80, kLargest = 0x7F7F;
    static constexpr u16 kExponent = 0x7F80;
    template <unsigned N, bool Ftz = false>
    [[gnu::always_inline]] static void widen(const u16* from, float* to) {
#pragma GCC ivdep
        for (unsigned i = 0; i < N; ++i)
            to[i] = input<Ftz>(bitsAs<float>(u32(from[i]) << 16));
    }
    template <unsigned N>
    [[gnu::always_inline]] static void narrow(const float* from, u16* to) {
#pragma GCC ivdep
        for (unsigned i = 0; i < N; ++i) {
            const u32 bits = bitsAs<u32>(from[i]);
            const u32 even = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
            to[i] = (bits & 0x7FFFFFFF) > 0x7F800000 ? kNan : u16(even);
        }
    }
};

/// Writes N/32 halves of each lane.
template <unsigned N>
[[gnu::always_inline]] inline void storeHalves(instructions::Warp& w, instructions::Ref dst,
                                               const u16* values) {
    if constexpr (N == instructions::kLanes)
        store(w.exec, w.lanes<u16>(dst), values);
    else
        store(w.exec, w.lanes<u32>(dst), reinterpret_cast<const u32*>(values));
}

} // namespace dormer::emulator::lanes::DORMER_ISA
