// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/answers.h"
#include "kernels/harness/cuda_check.h"

#include <cuda/cmath>
#include <cuda/std/span>

#include <cstdint>
#include <string>

/// What the variants on managed memory do: the host numbers the elements, the device adds one to each, the
/// host looks.
namespace dormer::kernels {

inline constexpr unsigned kManagedBlock = 256;
using Counter = std::uint32_t;

__global__ static void increment(cuda::std::span<Counter> counters) {
    const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < counters.size()) ++counters[i];
}

/// Brings the pages to the host, wherever they are.
inline void numberOnHost(cuda::std::span<Counter> counters, std::uint64_t seed) {
    for (std::size_t i = 0; i < counters.size(); ++i)
        counters[i] = static_cast<Counter>(seed + i);
}

/// Launches and waits: the host must not touch what a kernel works on.
inline void incrementOnDevice(cuda::std::span<Counter> counters) {
    increment<<<static_cast<unsigned>(cuda::ceil_div(counters.size(), kManagedBlock)), kManagedBlock>>>(
        counters);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
}

inline CheckResult checkIncremented(cuda::std::span<const Counter> counters, std::uint64_t seed) {
    for (std::size_t i = 0; i < counters.size(); ++i) {
        const auto wanted = static_cast<Counter>(seed + i + 1);
        if (counters[i] != wanted)
            return {false, "counter " + std::to_string(i) + " is " + std::to_string(counters[i]) +
                               " and not " + std::to_string(wanted)};
    }
    return {true, "counter[i] == seed + i + 1 for all " + std::to_string(counters.size()) + " counters"};
}

inline std::vector<Expectation> incrementAnswers() {
    return globalSectors(kCoalescedSectors, "32 lanes read 128 neighbouring bytes", kCoalescedSectors,
                         "32 lanes write 128 neighbouring bytes");
}

} // namespace dormer::kernels
