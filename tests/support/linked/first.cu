// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// A program of two units of relocatable device code (nvcc -rdc=true): variables and functions of one are used
// in the other, and both have some of the same name to themselves. It checks its results.

#include "tests/support/linked/units.cuh"

#include <cuda_runtime.h>

#include <cstdio>

namespace {

__device__ int hidden = 5;

__device__ __noinline__ int helper(int value) {
    return value + hidden;
}

using Function = int (*)(int);

__global__ void combine(int* to, int count) {
    const int i = static_cast<int>(threadIdx.x);
    if (i >= count) return;
    const Function function = i % 2 == 0 ? linked::outer : helper; // of either unit
    to[i] = function(i) + linked::scaled<10>(i) + linked::table[i % 4] + linked::offset;
    if (i == 0) printf("first %d\n", to[i]);
}

} // namespace

int main() {
    constexpr int kCount = 32;
    int* values = nullptr;
    if (cudaMalloc(&values, kCount * sizeof(int)) != cudaSuccess) return 2;
    const int offset = 100;
    cudaMemcpyToSymbol(linked::offset, &offset, sizeof offset);
    combine<<<1, kCount>>>(values, kCount);
    linked::addOffset(values, kCount);
    int got[kCount] = {};
    const cudaError_t error = cudaMemcpy(got, values, sizeof got, cudaMemcpyDeviceToHost);
    if (error != cudaSuccess) {
        std::printf("%s\n", cudaGetErrorName(error));
        return 1;
    }
    int wrong = 0;
    for (int i = 0; i < kCount; ++i) {
        const int expected = (i % 2 == 0 ? i * 2 : i + 5) + i * 10 + (i % 4 + 1) * 1000 + 100 + 100;
        if (got[i] != expected) ++wrong;
    }
    std::printf("%d wrong\n", wrong);
    return wrong == 0 ? 0 : 1;
}
