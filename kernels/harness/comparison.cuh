// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/device_buffer.h"
#include "kernels/harness/workload.h"

#include <cuda/cmath>

#include <algorithm>
#include <string>

namespace dormer::kernels {

struct Differences {
    unsigned long long count = 0;
    unsigned long long first = ~0ULL;
};

template <typename IsRight>
__global__ void findDifferences(std::size_t count, IsRight isRight, Differences* found) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
        if (isRight(i)) continue;
        atomicAdd(&found->count, 1ULL);
        atomicMin(&found->first, static_cast<unsigned long long>(i));
    }
}

/// Asks isRight(i) on the device for every i below `count`; `claim` says in words what that compares.
template <typename IsRight>
CheckResult checkEach(std::size_t count, IsRight isRight, const std::string& claim) {
    const DeviceBuffer<Differences> found(1);
    constexpr Differences kNone;
    CUDA_CHECK(cudaMemcpy(found.data(), &kNone, sizeof(kNone), cudaMemcpyHostToDevice));
    constexpr unsigned kBlock = 256;
    constexpr std::size_t kMostBlocks = 4096;
    const auto blocks = static_cast<unsigned>(std::min(cuda::ceil_div(count, kBlock), kMostBlocks));
    findDifferences<<<blocks, kBlock>>>(count, isRight, found.data());
    CUDA_CHECK(cudaGetLastError());
    const Differences differences = found.toHost().front();
    if (differences.count == 0) return {true, claim + " for all " + std::to_string(count) + " elements"};
    return {false, claim + " fails for " + std::to_string(differences.count) + " of " +
                       std::to_string(count) + " elements, the first at index " +
                       std::to_string(differences.first)};
}

} // namespace dormer::kernels
