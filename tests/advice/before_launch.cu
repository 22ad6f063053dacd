// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Launches that leave SMs idle or cost more than what they run. after_launch.cu is this file with what Dormer
// advises done.

#include "tests/cases/cases.h"

using namespace cases;

namespace {

/// As long for each element, wherever it runs.
__device__ float worked(float value) {
#pragma unroll 1
    for (int k = 0; k < 1000; ++k)
        value = value * 0.5F + 1;
    return value;
}

// part: few blocks
__global__ void workInOrder(const float* in, float* out, int count) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        out[i] = worked(in[i]);
}

void fewBlocks() {
    constexpr int kCount = 132 * 256;
    const OnDevice<float> in{counting<float>(kCount, 1000)}, out{kCount};
    run("advice/few blocks", [&] { workInOrder<<<12, 256>>>(in.data(), out.data(), kCount); });
    check(out.host() == std::vector<float>(kCount, 2), "few blocks");
}

// part: few warps
void fewWarps() {
    constexpr int kCount = 4224 * 64;
    const OnDevice<float> in{counting<float>(kCount, 1000)}, out{kCount};
    run("advice/few warps", [&] { workInOrder<<<132, 64>>>(in.data(), out.data(), kCount); });
    check(out.host() == std::vector<float>(kCount, 2), "few warps");
}

// part: thread blocks
__global__ void work(const float* in, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = worked(in[i]);
}

void threadBlocks() {
    constexpr int kCount = 65536;
    const OnDevice<float> in{counting<float>(kCount, 1000)}, out{kCount};
    run("advice/thread blocks", [&] { work<<<kCount / 8, 8>>>(in.data(), out.data()); });
    check(out.host() == std::vector<float>(kCount, 2), "thread blocks");
}

// part: tail
__global__ void turnLarge(const float* in, float* out) {
    extern __shared__ float staged[];
    staged[threadIdx.x] = worked(in[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = staged[blockDim.x - 1 - threadIdx.x];
}

void tail() {
    // 200 kB: one block per SM, and there are 132.
    constexpr int kThreads = 256, kBlocks = 144 * 256 / kThreads, kBytes = 200'000;
    succeed(cudaFuncSetAttribute(turnLarge, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes),
            "cudaFuncSetAttribute");
    const OnDevice<float> in{counting<float>(144 * 256, 1000)}, out{144 * 256};
    run("advice/tail", [&] { turnLarge<<<kBlocks, kThreads, kBytes>>>(in.data(), out.data()); });
    check(out.host() == std::vector<float>(144 * 256, 2), "tail");
}

// part: registers
constexpr int kSums = 112;

template <int Sums>
__global__ void moments(const float* in, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sums[Sums] = {};
#pragma unroll 1
    for (int k = 0; k < 64; ++k) {
        const float value = in[k * gridDim.x * blockDim.x + i];
        float passed = value + blockIdx.y * Sums - 1; // by way of its neighbour, each time
#pragma unroll
        for (int power = 0; power < Sums; ++power) {
            passed = __shfl_xor_sync(0xFFFFFFFF, passed, 1) + 1;
            sums[power] = sums[power] * 0.5F + passed;
        }
    }
    for (int power = 0; power < Sums; ++power)
        out[(blockIdx.y * Sums + power) * gridDim.x * blockDim.x + i] = sums[power];
}

void registers() {
    constexpr int kThreads = 528 * 256;
    const OnDevice<float> in{std::vector<float>(64 * kThreads)}, out{kSums * kThreads};
    run("advice/registers", [&] { moments<kSums><<<dim3(528, 1), 256>>>(in.data(), out.data()); });
    const std::vector<float> got = out.host();
    bool right = true; // the fixed points
    for (int i = 0; i < kSums * kThreads; i += 1000)
        right = right && got[i] == 2 * (i / kThreads);
    check(right, "registers");
}

// part: large tile
constexpr int kTile = 96 * 1024;

__global__ void turnTiles(const float* in, float* out, int perBlock) {
    extern __shared__ float tile[];
    for (int k = threadIdx.x; k < perBlock; k += blockDim.x)
        tile[k] = in[blockIdx.x * perBlock + k];
    __syncthreads();
    for (int k = threadIdx.x; k < perBlock; k += blockDim.x)
        out[blockIdx.x * perBlock + k] = tile[perBlock - 1 - k];
}

void largeTile() {
    constexpr int kPerBlock = 4096, kBlocks = 528;
    succeed(cudaFuncSetAttribute(turnTiles, cudaFuncAttributeMaxDynamicSharedMemorySize, kTile),
            "cudaFuncSetAttribute");
    const std::vector<float> values = counting<float>(kPerBlock * kBlocks);
    const OnDevice<float> in{values}, out{values.size()};
    run("advice/large tile", [&] { turnTiles<<<kBlocks, 256, kTile>>>(in.data(), out.data(), kPerBlock); });
    const std::vector<float> got = out.host();
    bool right = true;
    for (int i = 0; i < kPerBlock * kBlocks; ++i)
        right = right && got[i] == values[i / kPerBlock * kPerBlock + kPerBlock - 1 - i % kPerBlock];
    check(right, "large tile");
}

// part: main
} // namespace

int main() {
    for (const auto run : {fewBlocks, fewWarps, threadBlocks, tail, registers, largeTile})
        run();
    std::printf("%d results are wrong\n", wrong);
    return wrong == 0 ? 0 : 1;
}
