// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Kernels that work more than they need to. after_work.cu is this file with what Dormer advises done.

#include "tests/cases/cases.h"

#include <cooperative_groups.h>

using namespace cases;

namespace {

constexpr int kCount = 64 * 256;

// part: remainder
__global__ void addBlock(const int* in, int* out) {
    __shared__ int sums[256];
    sums[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
    __syncthreads();
    for (int step = 1; step < 256; step *= 2) {
        if (threadIdx.x % (2 * step) == 0) sums[threadIdx.x] += sums[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

void remainders() {
    const OnDevice<int> in{counting<int>(kCount, 256)}, out{64};
    run("advice/remainder", [&] { addBlock<<<64, 256>>>(in.data(), out.data()); });
    check(out.host() == std::vector<int>(64, 256 * 255 / 2), "remainder");
}

// part: branches
__global__ void iterate(const float* in, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = in[i];
    if (threadIdx.x % 2 == 0)
        for (int k = 0; k < 100; ++k)
            value = value * 0.5F + 1;
    else
        for (int k = 0; k < 100; ++k)
            value = value * 0.25F + 3;
    out[i] = value;
}

void splits() {
    const OnDevice<float> in{counting<float>(kCount, 256)}, out{kCount};
    run("advice/branches", [&] { iterate<<<64, 256>>>(in.data(), out.data()); });
    const std::vector<float> got = out.host();
    bool right = true; // the fixed points
    for (int i = 0; i < kCount; ++i)
        right = right && got[i] == (i % 2 == 0 ? 2.0F : 4.0F);
    check(right, "branches");
}

// part: warp blocks
__global__ void halve(const float* in, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] / 2;
}

void warpBlocks() {
    constexpr int kMany = 65536;
    const OnDevice<float> in{std::vector<float>(kMany, 3)}, out{kMany};
    run("advice/warp blocks", [&] { halve<<<kMany / 32, 32>>>(in.data(), out.data()); });
    check(out.host() == std::vector<float>(kMany, 1.5F), "warp blocks");
}

// part: literal
__global__ void polynomial(const float* in, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = in[i];
    for (int k = 0; k < 200; ++k)
        value = value * 0.5 + 1.0;
    out[i] = value;
}

void literal() {
    constexpr int kMany = 2048 * 256;
    const OnDevice<float> in{counting<float>(kMany, 256)}, out{kMany};
    run("advice/literal", [&] { polynomial<<<2048, 256>>>(in.data(), out.data()); });
    check(out.host() == std::vector<float>(kMany, 2), "literal");
}

// part: unfused
__global__ void horner(const float* in, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = in[i], other = value + 1;
#pragma unroll 8
    for (int k = 0; k < 2000; ++k) {
        value = __fadd_rn(__fmul_rn(value, 0.5F), 1.0F);
        other = __fadd_rn(__fmul_rn(other, 0.5F), 2.0F);
    }
    out[i] = value + other;
}

void unfused() {
    constexpr int kMany = 1056 * 256;
    const OnDevice<float> in{counting<float>(kMany, 256)}, out{kMany};
    run("advice/unfused", [&] { horner<<<1056, 256>>>(in.data(), out.data()); });
    check(out.host() == std::vector<float>(kMany, 6), "unfused");
}

// part: local array
__global__ void reverseEight(const int* in, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int values[8];
#pragma unroll 1
    for (int k = 0; k < 8; ++k)
        values[k] = in[k * kCount + i];
#pragma unroll 1
    for (int k = 0; k < 8; ++k)
        out[k * kCount + i] = values[7 - k];
}

void localArray() {
    const std::vector<int> values = counting<int>(8 * kCount);
    const OnDevice<int> in{values}, out{values.size()};
    run("advice/local array", [&] { reverseEight<<<64, 256>>>(in.data(), out.data()); });
    const std::vector<int> got = out.host();
    bool right = true;
    for (int i = 0; i < 8 * kCount; ++i)
        right = right && got[i] == values[(7 - i / kCount) * kCount + i % kCount];
    check(right, "local array");
}

// part: spills
constexpr int kHeld = 32;

__global__ void __launch_bounds__(1024, 2) mixHeld(const float* in, float* out, int steps) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float values[kHeld];
#pragma unroll
    for (int k = 0; k < kHeld; ++k)
        values[k] = in[k * kCount + i];
    for (int step = 0; step < steps; ++step)
#pragma unroll
        for (int k = 0; k < kHeld; ++k)
            values[k] += values[(k * 7 + 3) % kHeld] * values[(k * 5 + 1) % kHeld];
#pragma unroll
    for (int k = 0; k < kHeld; ++k)
        out[k * kCount + i] = values[k];
}

void spills() {
    const OnDevice<float> in{std::vector<float>(kHeld * kCount)}, out{std::vector<float>(kHeld * kCount, 1)};
    run("advice/spills", [&] { mixHeld<<<kCount / 1024, 1024>>>(in.data(), out.data(), 3); });
    check(out.host() == std::vector<float>(kHeld * kCount), "spills");
}

// part: redundant
__global__ void multiplyVector(const float* matrix, const float* vector, float* out, int columns) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < columns; ++k)
        sum += matrix[row * columns + k] * vector[k];
    out[row] = sum;
}

void redundant() {
    constexpr int kRows = 1024, kColumns = 128;
    const OnDevice<float> matrix{counting<float>(kRows * kColumns, kColumns)},
        vector{std::vector<float>(kColumns, 1)}, out{kRows};
    run("advice/redundant", [&] {
        multiplyVector<<<kRows / 8, dim3(32, 8)>>>(matrix.data(), vector.data(), out.data(), kColumns);
    });
    check(out.host() == std::vector<float>(kRows, kColumns * (kColumns - 1) / 2), "redundant");
}

// part: barriers
__global__ void shift(int* in, int* out, int steps) {
    const int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int step = 0; step < steps; ++step) {
        out[i] = in[(i + 32) % n] + 1;
        cooperative_groups::this_grid().sync();
        int* const swap = in;
        in = out;
        out = swap;
    }
}

void barriers() {
    const OnDevice<int> a{kCount}, b{kCount};
    run("advice/barriers", [&] {
        int *from = a.data(), *to = b.data(), steps = 20;
        succeed(cudaMemset(from, 0, kCount * sizeof(int)), "cudaMemset");
        void* arguments[] = {&from, &to, &steps};
        succeed(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(shift), 64, 256, arguments, 0, nullptr),
                "cudaLaunchCooperativeKernel");
    });
    check(a.host() == std::vector<int>(kCount, 20), "barriers");
}

// part: main
} // namespace

int main() {
    for (const auto run :
         {remainders, splits, warpBlocks, literal, unfused, localArray, spills, redundant, barriers})
        run();
    std::printf("%d results are wrong\n", wrong);
    return wrong == 0 ? 0 : 1;
}
