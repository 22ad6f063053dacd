// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Keys that look random and are all different, so that a result can be traced back to where it came from.
namespace dormer::kernels {

/// MurmurHash3's finalizer (Appleby): a one-to-one mapping of 32 bits.
__host__ __device__ constexpr std::uint32_t scrambled(std::uint32_t x) {
    x = (x ^ (x >> 16)) * 0x85EBCA6BU;
    x = (x ^ (x >> 13)) * 0xC2B2AE35U;
    return x ^ (x >> 16);
}

/// Its inverse; the factors are the inverses of the others modulo 2^32.
__host__ __device__ constexpr std::uint32_t unscrambled(std::uint32_t x) {
    x = (x ^ (x >> 16)) * 0x7ED1B41DU;
    x = (x ^ (x >> 13) ^ (x >> 26)) * 0xA5CB9243U;
    return x ^ (x >> 16);
}

static_assert(0x85EBCA6BU * 0xA5CB9243U == 1U && 0xC2B2AE35U * 0x7ED1B41DU == 1U);
static_assert(unscrambled(scrambled(0x12345678U)) == 0x12345678U);

/// Key of element i; a seed gives the elements other keys.
struct DistinctKey {
    std::uint32_t seed;
    __host__ __device__ std::uint32_t operator()(std::size_t i) const {
        return scrambled(static_cast<std::uint32_t>(i) ^ scrambled(seed));
    }
    /// The element that has this key; may be none of the array's.
    __host__ __device__ std::uint32_t elementOf(std::uint32_t key) const {
        return unscrambled(key) ^ scrambled(seed);
    }
};

} // namespace dormer::kernels
