// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// A program that is none of the suite's: CUB and Thrust calls and kernels of its own, checked against the
// host. Its first argument may ask for something that goes wrong.

#undef NDEBUG // assertions are part of what is tried

#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

#include <cassert>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <vector>

namespace {

constexpr int kCount = 4096;

__constant__ float factors[2];
__device__ int launchesDone;

__global__ void scale(const float* from, float* to, int count) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) to[i] = from[i] * factors[1];
    if (i == 0) atomicAdd(&launchesDone, 1);
}

__global__ void strided(const float* from, float* to) {
    to[threadIdx.x] = from[threadIdx.x * 32]; // a sector for each lane
}

__global__ void spin(volatile int* flag) {
    while (*flag == 0) {
    }
}

// Waits for the launch that has the flags the other way round.
__global__ void meet(volatile int* mine, volatile int* theirs, int* sum) {
    if (threadIdx.x != 0) return;
    *mine = 1;
    __threadfence();
    while (*theirs == 0) {
    }
    *sum = *mine + *theirs;
}

__global__ void checked(const int* values) {
    assert(values[threadIdx.x] == 0);
}

bool check(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return true;
    std::printf("%s: %s\n", what, cudaGetErrorName(error));
    return false;
}

/// Two launches of two streams that wait for each other, as ranks of a collective do.
int meetInStreams() {
    int* words = nullptr;
    cudaMalloc(&words, 4 * sizeof(int));
    cudaMemset(words, 0, 4 * sizeof(int));
    cudaStream_t streams[2];
    for (cudaStream_t& stream : streams)
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaDeviceSynchronize();
    for (int i = 0; i < 2; ++i)
        meet<<<1, 32, 0, streams[i]>>>(words + i, words + 1 - i, words + 2 + i);
    check(cudaGetLastError(), "launch");
    check(cudaDeviceSynchronize(), "synchronize");
    int got[4] = {};
    cudaMemcpy(got, words, sizeof got, cudaMemcpyDeviceToHost);
    return got[2] == 2 && got[3] == 2 ? 0 : 1;
}

int misbehave(const char* how) {
    if (std::strcmp(how, "meet") == 0) return meetInStreams();
    int* memory = nullptr;
    if (!check(cudaMalloc(&memory, 1024), "malloc")) return 1;
    if (!check(cudaMemset(memory, 1, 1024), "memset")) return 1;
    if (std::strcmp(how, "past-the-end") == 0)
        scale<<<1, 32>>>(reinterpret_cast<float*>(memory) + 250, reinterpret_cast<float*>(memory), 32);
    if (std::strcmp(how, "endless") == 0) {
        cudaMemset(memory, 0, 1024);
        spin<<<1, 32>>>(memory);
    }
    if (std::strcmp(how, "assert") == 0) checked<<<1, 32>>>(memory);
    if (std::strcmp(how, "too-many-threads") == 0) spin<<<1, 2048>>>(memory);
    if (std::strcmp(how, "ipc") == 0) {
        cudaIpcMemHandle_t handle;
        check(cudaIpcGetMemHandle(&handle, memory), "ipc");
    }
    check(cudaGetLastError(), "launch");
    return check(cudaDeviceSynchronize(), "synchronize") ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    if (argc > 1) return misbehave(argv[1]);
    std::vector<float> host(kCount), result(kCount);
    std::iota(host.begin(), host.end(), 0.F);
    const float hostFactors[2] = {1, 3};
    float *from = nullptr, *to = nullptr;
    if (!check(cudaMalloc(&from, kCount * sizeof(float)), "malloc")) return 1;
    if (!check(cudaMallocManaged(&to, kCount * sizeof(float)), "malloc")) return 1;
    cudaMemcpyToSymbol(factors, hostFactors, sizeof hostFactors);
    cudaMemcpy(from, host.data(), kCount * sizeof(float), cudaMemcpyHostToDevice);
    cudaEvent_t start, end;
    cudaEventCreate(&start);
    cudaEventCreate(&end);
    cudaEventRecord(start);
    scale<<<kCount / 256, 256>>>(from, to, kCount);
    cudaEventRecord(end);
    strided<<<1, 32>>>(from, from);
    if (!check(cudaDeviceSynchronize(), "kernels")) return 1;
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, start, end);
    int done = 0;
    cudaMemcpyFromSymbol(&done, launchesDone, sizeof done);
    bool right = done == 1 && milliseconds > 0;
    for (int i = 0; i < kCount; ++i)
        right = right && to[i] == 3 * host[i];

    thrust::device_vector<int> keys(kCount);
    for (int i = 0; i < kCount; ++i)
        keys[i] = (i * 7919) % kCount; // 7919 is odd, so each value once
    thrust::sort(keys.begin(), keys.end());
    right = right && thrust::reduce(keys.begin(), keys.end()) == kCount * (kCount - 1) / 2;
    for (int i = 0; i < kCount; i += 97)
        right = right && keys[i] == i;

    thrust::device_vector<int> sums(kCount);
    std::size_t bytes = 0;
    cub::DeviceScan::InclusiveSum(nullptr, bytes, keys.begin(), sums.begin(), kCount);
    thrust::device_vector<char> temporary(bytes);
    cub::DeviceScan::InclusiveSum(temporary.data().get(), bytes, keys.begin(), sums.begin(), kCount);
    right = right && sums[kCount - 1] == kCount * (kCount - 1) / 2;
    std::printf(right ? "all results are right\n" : "a result is wrong\n");
    return right ? 0 : 1;
}
