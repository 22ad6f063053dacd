// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/inputs.cuh"

namespace dormer::kernels {

/// Of each two neighbours one is wanted, and chance says which: half of all are, and element k of those
/// wanted comes from pair k.
struct Pairs {
    std::uint64_t seed;

    [[nodiscard]] __device__ std::size_t wantedOf(std::size_t pair) const {
        return 2 * pair + static_cast<std::size_t>(mixed(seed, pair) >> 63);
    }
    [[nodiscard]] __device__ std::size_t unwantedOf(std::size_t pair) const { return wantedOf(pair) ^ 1; }

    /// Tells the element and, in the lowest bit, whether it is wanted. Below 2^31, as sizes are at most 2^30.
    __device__ int operator()(std::size_t i) const {
        return static_cast<int>(2 * i + (wantedOf(i / 2) == i ? 1 : 0));
    }
};

struct IsWanted {
    __host__ __device__ bool operator()(int value) const { return (value & 1) != 0; }
};

} // namespace dormer::kernels
