// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/lanes/lane_loop.h"

/// From a condition of each lane to one word and back.
namespace dormer::emulator::lanes::DORMER_ISA {

/// One bit for each lane. `flags` holds 0 or all ones.
[[gnu::always_inline]] inline u32 packBits(const s32* flags) {
#ifdef __AVX512DQ__
    return u32(_mm512_movepi32_mask(_mm512_load_si512(flags))) |
           u32(_mm512_movepi32_mask(_mm512_load_si512(flags + 16))) << 16;
#else
    u32 word = 0;
    for (unsigned i = 0; i < 4; ++i) {
        const __m256i part = _mm256_load_si256(reinterpret_cast<const __m256i*>(flags + 8 * i));
        word |= u32(_mm256_movemask_ps(_mm256_castsi256_ps(part))) << 8 * i;
    }
    return word;
#endif
}

/// test(sources[i]...) for all lanes as a word.
template <typename F, typename... S>
[[gnu::always_inline]] inline u32 testLanes(F test, const S*... sources) {
    alignas(64) s32 flags[instructions::kLanes];
#pragma GCC ivdep
    for (unsigned i = 0; i < instructions::kLanes; ++i)
        flags[i] = test(sources[i]...) ? -1 : 0;
    return packBits(flags);
}

/// dst[i] = bit i of the word ? yes : no.
template <typename T>
[[gnu::always_inline]] inline void expandBits(u32 exec, T* dst, u32 word, T yes, T no) {
    alignas(64) T values[instructions::kLanes];
#pragma GCC ivdep
    for (unsigned i = 0; i < instructions::kLanes; ++i)
        values[i] = (word >> i & 1) != 0 ? yes : no;
    store(exec, dst, values);
}

} // namespace dormer::emulator::lanes::DORMER_ISA
