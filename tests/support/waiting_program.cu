// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// What is hard to count on a GPU: kernels that work in place, kernels that wait for what the program does
// next, that print, and programs that reset the device or end without a word. The argument says which.

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
        usleep(5'000); // passes that are spread wait for kernels yet to come
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

__global__ void spin(long long ns) {
    long long begin = 0, now = 0;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    while (now - begin < ns);
}

/// A GPU that waits for the host, a synchronization, a copy and other work of the stream: kernels of 1 to 4
/// blocks end these gaps.
int gaps(float*) {
    constexpr long long kNs = 300'000;
    constexpr std::size_t kBytes = 32 << 20;
    void *host = nullptr, *device = nullptr;
    cudaHostAlloc(&host, kBytes, cudaHostAllocDefault);
    cudaMalloc(&device, kBytes);
    for (int i = 0; i < 200; ++i) {
        spin<<<1, 32>>>(kNs);
        usleep(1'500);
    }
    cudaDeviceSynchronize();
    for (int i = 0; i < 200; ++i) {
        spin<<<2, 32>>>(kNs);
        cudaDeviceSynchronize();
    }
    for (int i = 0; i < 100; ++i) {
        spin<<<3, 32>>>(kNs);
        cudaMemcpyAsync(device, host, kBytes, cudaMemcpyHostToDevice);
    }
    cudaDeviceSynchronize();
    for (int i = 0; i < 100; ++i) {
        spin<<<4, 32>>>(kNs);
        cudaLaunchHostFunc(
            nullptr, [](void*) { usleep(1'000); }, nullptr);
    }
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}

__global__ void say(int i) {
    if (threadIdx.x == 0) printf("said %d\n", i);
}

/// Each line once, whatever is counted.
int print(float*) {
    for (int i = 0; i < 8; ++i) {
        say<<<1, 32>>>(i);
        cudaDeviceSynchronize();
    }
    return 0;
}

/// The context goes, and another comes.
int reset(float* values) {
    for (int i = 0; i < 3; ++i) {
        addOne<<<kBlocks, kThreads>>>(values);
        if (cudaDeviceSynchronize() != cudaSuccess || cudaDeviceReset() != cudaSuccess) return 1;
        if (cudaMalloc(reinterpret_cast<void**>(&values), kCount * sizeof(float)) != cudaSuccess) return 1;
    }
    return cudaDeviceReset() == cudaSuccess ? 0 : 1;
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
    if (what == "gaps") return gaps(values);
    if (what == "print") return print(values);
    if (what == "reset") return reset(values);
    return end(values, what);
}
