// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/inputs.cuh"
#include "kernels/harness/table.h"

#include <algorithm>

namespace dormer::kernels {

inline constexpr Sizes kDeviceWideSize{std::size_t{1} << 26, std::size_t{1} << 22};
/// For algorithms that take more than a few instructions per element.
inline constexpr Sizes kHeavySize{std::size_t{1} << 25, std::size_t{1} << 20};
/// For those that pass over their data several times.
inline constexpr Sizes kSortSize{std::size_t{1} << 25, std::size_t{1} << 19};

/// Memory that CUB's algorithms work in. They are called twice: without memory they only say how much they
/// need. `call` is such a call, of a pointer and a number of bytes.
template <typename Call>
DeviceBuffer<char> temporaryFor(Call call) {
    std::size_t bytes = 0;
    CUDA_CHECK(call(nullptr, bytes));
    return DeviceBuffer<char>(bytes);
}
template <typename Call>
void launchWith(const DeviceBuffer<char>& temporary, Call call) {
    std::size_t bytes = temporary.bytes();
    CUDA_CHECK(call(temporary.data(), bytes));
}

/// The check of a number that an algorithm counted, or else of the values it wrote.
template <typename CheckValues>
CheckResult checkCounted(const DeviceBuffer<int>& counted, std::size_t expected, const std::string& what,
                         CheckValues checkValues) {
    const int found = counted.toHost().front();
    if (found < 0 || static_cast<std::size_t>(found) != expected)
        return {false,
                std::to_string(found) + " " + what + " were found instead of " + std::to_string(expected)};
    return checkValues();
}

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
