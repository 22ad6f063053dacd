// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/device_wide/keys.cuh"
#include "kernels/harness/inputs.cuh"

namespace dormer::kernels {

/// Runs of equal values, of 1 to 7 elements: each eight elements hold two. So the number of runs is known,
/// and where each begins can be told from its number alone.
struct Runs {
    std::uint64_t seed;

    static constexpr std::size_t kElementsOfTwo = 8;
    [[nodiscard]] static constexpr std::size_t count(std::size_t elements) { return elements / 4; }

    [[nodiscard]] __device__ unsigned lengthOfFirst(std::size_t pair) const {
        return 1 + static_cast<unsigned>(mixed(seed, pair) % 7);
    }
    [[nodiscard]] __device__ unsigned length(std::size_t run) const {
        const unsigned first = lengthOfFirst(run / 2);
        return run % 2 == 0 ? first : static_cast<unsigned>(kElementsOfTwo) - first;
    }
    [[nodiscard]] __device__ std::size_t begin(std::size_t run) const {
        return run / 2 * kElementsOfTwo + (run % 2 == 0 ? 0 : lengthOfFirst(run / 2));
    }
    /// Of a run; no two have the same.
    [[nodiscard]] __device__ static int value(std::size_t run) {
        return static_cast<int>(scrambled(static_cast<std::uint32_t>(run)));
    }
    /// Of an element.
    __device__ int operator()(std::size_t i) const {
        const std::size_t pair = i / kElementsOfTwo;
        return value(2 * pair + (i % kElementsOfTwo < lengthOfFirst(pair) ? 0 : 1));
    }
};

} // namespace dormer::kernels
