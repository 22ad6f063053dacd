// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// printing.cubin: nvcc -arch=sm_90 -rdc=true -cubin, then -dlink -cubin
#include <cassert>
#include <cstdio>

__device__ __noinline__ void say(int i) {
    printf("said %d\n", i);
}

extern "C" {
__global__ void direct(int i) {
    printf("direct %d\n", i);
}
__global__ void indirect(int i) {
    say(i);
}
__global__ void quiet(float* v) {
    v[threadIdx.x] += 1;
}
__global__ void checked(int i) {
    assert(i > 0);
}
}
