// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/inputs.cuh"
#include "kernels/table.h"

#include <algorithm>

namespace dormer::kernels {

inline constexpr Sizes kDeviceWideSize{std::size_t{1} << 26, std::size_t{1} << 22};

/// 0 or 1, so that no sum of 2^30 of them overflows an int.
struct CoinFlip {
    std::uint64_t seed;
    __device__ int operator()(std::size_t i) const { return static_cast<int>(mixed(seed, i) >> 63); }
};

inline std::vector<std::string> deviceWideParameters(std::size_t size) {
    return {"size=" + std::to_string(size), "type=int"};
}

// Whole sectors, so that the traffic follows from the size; and too many for CUB to take its kernel for one
// tile.
inline std::size_t roundDeviceWide(std::size_t wanted) {
    constexpr std::size_t kLeast = std::size_t{1} << 16;
    return std::max(kLeast, roundUp(wanted, 32));
}

} // namespace dormer::kernels
