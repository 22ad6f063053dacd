// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/device_buffer.h"

#include <cuda/cmath>

#include <algorithm>
#include <cstdint>

/// Inputs that are the same for the same seed, on every device, made where they are needed.
namespace dormer::kernels {

/// SplitMix64's output function (Steele, Lea, Flood 2014): one well-mixed number per index, in any order.
__host__ __device__ inline std::uint64_t mixed(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = (seed * 0x2545F4914F6CDD1DULL + index + 1) * 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

/// Uniform in [0, 1), a multiple of 2^-24: exact in float and in double.
__host__ __device__ inline float uniform(std::uint64_t seed, std::uint64_t index) {
    return static_cast<float>(mixed(seed, index) >> 40) * (1.0F / 16'777'216.0F);
}

template <typename T, typename Generator>
__global__ void fillKernel(cuda::std::span<T> values, Generator generator) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < values.size(); i += stride)
        values[i] = generator(i);
}

/// Fills on the device with generator(index). The generator is a small struct with a __device__ operator().
template <typename T, typename Generator>
void fill(const DeviceBuffer<T>& buffer, Generator generator) {
    constexpr unsigned kBlock = 256;
    constexpr std::size_t kMostBlocks = 4096;
    const auto blocks = static_cast<unsigned>(std::min(cuda::ceil_div(buffer.size(), kBlock), kMostBlocks));
    fillKernel<<<blocks, kBlock>>>(buffer.span(), generator);
    CUDA_CHECK(cudaGetLastError());
}

/// scale * uniform(seed, i)
template <typename T>
struct Uniform {
    std::uint64_t seed;
    T scale;
    __device__ T operator()(std::size_t i) const { return static_cast<T>(uniform(seed, i)) * scale; }
};

} // namespace dormer::kernels
