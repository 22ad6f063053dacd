// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/linked/units.cuh"

#include <cuda_runtime.h>

#include <cstdio>

namespace {

__device__ int hidden = 2;

__device__ __noinline__ int helper(int value) {
    return value * hidden;
}

__global__ void add(int* values, int count) {
    const int i = static_cast<int>(threadIdx.x);
    if (i < count) values[i] += linked::offset + linked::scaled<10>(0);
    if (i == 0) printf("second %d\n", values[i]);
}

} // namespace

namespace linked {

__device__ int offset = 1;
__constant__ int table[4] = {1000, 2000, 3000, 4000};

__device__ int outer(int value) {
    return helper(value);
}

void addOffset(int* values, int count) {
    add<<<1, count>>>(values, count);
}

} // namespace linked
