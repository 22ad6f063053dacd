// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// What is hard to count on a GPU: kernels that work in place, kernels that wait for what the program does
// next, and programs that end without a word. The argument says which.

#include <cuda_runtime.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <unistd.h>

namespace {

constexpr int kBlocks = 64, kThreads = 256, kCount = kBlocks * kThreads;

__global__ void addOne(float* values) {
    values[blockIdx.x * blockDim.x + threadIdx.x] += 1.0F;
}

__global__ void addTwice(float* values) {
    float& value = values[blockIdx.x * blockDim.x + threadIdx.x];
    value = value + 1.0F;
    __syncthreads();
    value = value * 0.5F + 1.0F;
}

__global__ void waitFor(const volatile int* flag) {
    while (*flag == 0) {
    }
}

/// Each launch works on what the one before left: the sum tells whether any ran twice.
int inPlace(float* values) {
    for (int i = 0; i < 60; ++i) {
        addOne<<<kBlocks, kThreads>>>(values);
        addTwice<<<kBlocks, kThreads>>>(values);
    }
    static float host[kCount];
    cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("value %.6f\n", static_cast<double>(host[kCount / 2]));
    return 0;
}

int forHost(float* values) {
    int* flag = nullptr;
    cudaHostAlloc(reinterpret_cast<void**>(&flag), sizeof *flag, cudaHostAllocMapped);
    for (int i = 0; i < 6; ++i) {
        *flag = 0;
        addOne<<<kBlocks, kThreads>>>(values);
        waitFor<<<1, 1>>>(flag);
        *static_cast<volatile int*>(flag) = 1;
        cudaDeviceSynchronize();
    }
    return 0;
}

int forStream(float* values) {
    int* flag = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&flag), sizeof *flag);
    cudaStream_t first = nullptr, second = nullptr;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    for (int i = 0; i < 6; ++i) {
        cudaMemset(flag, 0, sizeof *flag);
        cudaDeviceSynchronize();
        waitFor<<<1, 1, 0, first>>>(flag);
        cudaMemsetAsync(flag, 1, sizeof *flag, second);
        addOne<<<kBlocks, kThreads, 0, second>>>(values);
        cudaDeviceSynchronize();
    }
    return 0;
}

int end(float* values, std::string_view how) {
    for (int i = 0; i < 7; ++i)
        addOne<<<kBlocks, kThreads>>>(values);
    cudaDeviceSynchronize();
    if (how == "_exit") _exit(5);
    if (how == "abort") std::abort();
    if (how == "kill") kill(getpid(), SIGKILL);
    return 2;
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    const std::string_view what = argv[1];
    float* values = nullptr;
    if (cudaMalloc(reinterpret_cast<void**>(&values), kCount * sizeof(float)) != cudaSuccess) return 1;
    cudaMemset(values, 0, kCount * sizeof(float));
    if (what == "in_place") return inPlace(values);
    if (what == "host") return forHost(values);
    if (what == "stream") return forStream(values);
    return end(values, what);
}
