// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/processes/steps.h"

#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

#include <algorithm>
#include <vector>

__global__ void addOne(float* values) {
    values[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}

__global__ void waitForFlag(volatile int* flag) {
    while (*flag == 0) {
    }
}

int takeSteps(int steps) {
    constexpr int kBlocks = 16, kThreads = 128;
    std::vector<float> values(kBlocks * kThreads);
    float* device = nullptr;
    cudaMalloc(&device, values.size() * sizeof(float));
    cudaMemset(device, 0, values.size() * sizeof(float));
    for (int step = 0; step < steps; ++step) {
        for (const char* range : {"forward", "backward"}) {
            nvtxRangePushA(range);
            addOne<<<kBlocks, kThreads>>>(device);
            nvtxRangePop();
        }
    }
    cudaMemcpy(values.data(), device, values.size() * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(device);
    const bool right = std::all_of(values.begin(), values.end(),
                                   [&](float value) { return value == 2.0f * static_cast<float>(steps); });
    return cudaGetLastError() == cudaSuccess && right ? 0 : 1;
}

void waitForever() {
    int* flag = nullptr;
    cudaMalloc(&flag, sizeof *flag);
    cudaMemset(flag, 0, sizeof *flag);
    waitForFlag<<<1, 32>>>(flag);
    cudaDeviceSynchronize();
}
