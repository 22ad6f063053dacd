// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/device_wide/values.cuh"
#include "kernels/harness/answers.h"
#include "kernels/harness/workload.h"

#include <vector>

namespace dormer::kernels {

inline constexpr int kBins = 256;
/// Samples lie in [0, kSampleEnd).
inline constexpr int kSampleEnd = kBins * kBins;

struct Sample {
    std::uint64_t seed;
    __device__ int operator()(std::size_t i) const { return static_cast<int>(mixed(seed, i) >> 48); }
};

/// The reference: one histogram a block in shared memory, and binOf(sample) by arithmetic.
template <typename BinOf>
__global__ void countSamples(cuda::std::span<const int> samples, BinOf binOf, int* counts) {
    __shared__ int ours[kBins];
    for (unsigned bin = threadIdx.x; bin < kBins; bin += blockDim.x)
        ours[bin] = 0;
    __syncthreads();
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < samples.size(); i += stride)
        atomicAdd(&ours[binOf(samples[i])], 1);
    __syncthreads();
    for (unsigned bin = threadIdx.x; bin < kBins; bin += blockDim.x)
        atomicAdd(&counts[bin], ours[bin]);
}

template <typename BinOf>
CheckResult checkHistogram(const DeviceBuffer<int>& samples, const DeviceBuffer<int>& counts, BinOf binOf) {
    const DeviceBuffer<int> reference(kBins);
    CUDA_CHECK(cudaMemset(reference.data(), 0, reference.bytes()));
    countSamples<<<264, 256>>>(samples.view(), binOf, reference.data());
    CUDA_CHECK(cudaGetLastError());
    const std::vector<int> expected = reference.toHost();
    const std::vector<int> found = counts.toHost();
    for (int bin = 0; bin < kBins; ++bin) {
        const auto at = static_cast<std::size_t>(bin);
        if (found[at] != expected[at])
            return {false, "bin " + std::to_string(bin) + " holds " + std::to_string(found[at]) +
                               " instead of " + std::to_string(expected[at])};
    }
    return {true, "all " + std::to_string(kBins) + " bins hold their share of " +
                      std::to_string(samples.size()) + " samples"};
}

inline std::vector<Expectation> sampleAnswers(std::size_t size) {
    return {
        ofKernel("DeviceHistogramSweepKernel", atLeast("global_load_sectors", static_cast<double>(size) / 8,
                                                       "each sample is loaded once, 8 to a sector"))};
}

inline std::vector<std::string> sampleParameters(std::size_t size) {
    return {"size=" + std::to_string(size), "type=int", "bins=" + std::to_string(kBins)};
}

} // namespace dormer::kernels
