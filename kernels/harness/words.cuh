// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

/// What one lane loads or stores at a time: 4, 8 or 16 bytes as one, two or four 32-bit parts. CUDA's vector
/// types are aligned to their size, so that each is one instruction.
namespace dormer::kernels {

template <typename Word>
inline constexpr unsigned kBytes = sizeof(Word);
template <typename Word>
inline constexpr unsigned kParts = sizeof(Word) / sizeof(std::uint32_t);

/// Name's suffix of variants that move such words: "" for 4 bytes, "_8", "_16".
template <typename Word>
inline constexpr const char* kSuffix = kBytes<Word> == 4   ? ""
                                       : kBytes<Word> == 8 ? "_8"
                                                           : "_16";

/// A value for every 32-bit part of an array: neighbours differ in high and low bits.
__host__ __device__ constexpr std::uint32_t partAt(std::uint32_t index) {
    return (index + 1) * 2'654'435'761U; // Knuth's multiplicative hash
}

/// Element `index` of an array of Words whose parts are partAt(0), partAt(1), ...
template <typename Word>
__host__ __device__ constexpr Word wordAt(std::uint32_t index) {
    const std::uint32_t part = index * kParts<Word>;
    if constexpr (kParts<Word> == 1)
        return partAt(part);
    else if constexpr (kParts<Word> == 2)
        return {partAt(part), partAt(part + 1)};
    else
        return {partAt(part), partAt(part + 1), partAt(part + 2), partAt(part + 3)};
}

/// Uses every part, so that the compiler can't narrow a load.
template <typename Word>
__host__ __device__ constexpr std::uint32_t sumOfParts(const Word& word) {
    if constexpr (kParts<Word> == 1)
        return word;
    else if constexpr (kParts<Word> == 2)
        return word.x + word.y;
    else
        return word.x + word.y + word.z + word.w;
}

template <typename Word>
__host__ __device__ constexpr bool areEqual(const Word& a, const Word& b) {
    if constexpr (kParts<Word> == 1)
        return a == b;
    else if constexpr (kParts<Word> == 2)
        return a.x == b.x && a.y == b.y;
    else
        return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}

} // namespace dormer::kernels
