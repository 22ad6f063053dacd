// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Without any profiler: how long does one kernel take when its arrays lie in fresh memory, and when they lie
// where larger arrays were freed before? The answer bounds how closely two tools can agree on its duration.

#include "kernels/harness/cuda_check.h"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

__global__ void sum(const float* a, const float* b, float* c, unsigned n) {
    const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

/// Median of 21 launches by CUDA events, microseconds.
double medianMicroseconds() {
    constexpr unsigned kElements = 1u << 24;
    constexpr std::size_t kBytes = kElements * sizeof(float);
    float* arrays[3] = {};
    for (float*& array : arrays) {
        CUDA_CHECK(cudaMalloc(&array, kBytes));
        CUDA_CHECK(cudaMemset(array, 0, kBytes));
    }
    cudaEvent_t start = nullptr, stop = nullptr;
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    std::vector<double> times;
    for (int i = 0; i < 21; ++i) {
        CUDA_CHECK(cudaDeviceSynchronize());
        CUDA_CHECK(cudaEventRecord(start));
        sum<<<kElements / 256, 256>>>(arrays[0], arrays[1], arrays[2], kElements);
        CUDA_CHECK(cudaEventRecord(stop));
        CUDA_CHECK(cudaEventSynchronize(stop));
        float milliseconds = 0;
        CUDA_CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
        times.push_back(1e3 * static_cast<double>(milliseconds));
    }
    for (float* array : arrays)
        CUDA_CHECK(cudaFree(array));
    std::ranges::nth_element(times, times.begin() + 10);
    return times[10];
}

} // namespace

int main() {
    try {
        const double fresh = medianMicroseconds();
        void* large[3] = {};
        for (void*& array : large) {
            CUDA_CHECK(cudaMalloc(&array, std::size_t{1} << 30));
            CUDA_CHECK(cudaMemset(array, 1, std::size_t{1} << 30));
        }
        for (void* array : large)
            CUDA_CHECK(cudaFree(array));
        const double reused = medianMicroseconds();
        std::printf("sum of 2^24 floats: %.1f us in fresh memory, %.1f us where larger arrays were freed, "
                    "ratio %.2f\n",
                    fresh, reused, reused / fresh);
    } catch (const dormer::kernels::CudaError& error) {
        std::fprintf(stderr, "gpu_placement_benchmark: %s\n", error.what());
        return 4;
    }
}
