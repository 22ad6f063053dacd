// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// A kernel that launches another one, which the emulator refuses. Prints what CUDA answers.

#include <cuda_runtime.h>

#include <cstdio>

namespace {

__global__ void inner(int* values) {
    values[threadIdx.x] = 1;
}

__global__ void outer(int* values) {
    inner<<<1, 32>>>(values);
}

} // namespace

int main() {
    int* values = nullptr;
    cudaMalloc(&values, 32 * sizeof(int));
    outer<<<1, 1>>>(values);
    std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    return 0;
}
