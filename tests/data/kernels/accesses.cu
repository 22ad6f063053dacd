// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Kernels that access memory in known ways, and in wrong ones; accesses.ptx is this file compiled by
// scripts/test-kernels.

#include <cassert>
#include <cstdio>

extern "C" __global__ void strided(const float* in, float* out, int stride) {
    out[threadIdx.x] = in[threadIdx.x * stride];
}

extern "C" __global__ void wide(const float4* in, float4* out) {
    out[threadIdx.x] = in[threadIdx.x];
}

extern "C" __global__ void sharedColumns(float* out, int pitch) {
    extern __shared__ float tile[];
    for (int row = 0; row < 32; ++row)
        tile[row * pitch + threadIdx.x] = static_cast<float>(row);
    __syncwarp();
    float sum = 0;
    for (int column = 0; column < 32; ++column)
        sum += tile[threadIdx.x * pitch + column];
    out[threadIdx.x] = sum;
}

extern "C" __global__ void countBins(int* bins, int count) {
    atomicAdd(&bins[threadIdx.x % count], 1);
}

extern "C" __global__ void localArray(const int* in, int* out) {
    int values[16];
    for (int k = 0; k < 16; ++k)
        values[k] = in[threadIdx.x] + k;
    out[threadIdx.x] = values[in[threadIdx.x] & 15];
}

extern "C" __global__ void beyondEnd(int* out, int offset) {
    out[threadIdx.x + offset] = 1;
}

extern "C" __global__ void misaligned(const char* in, int* out) {
    out[threadIdx.x] = *reinterpret_cast<const int*>(in + 4 * threadIdx.x + 2);
}

extern "C" __global__ void beyondShared(int* out) {
    __shared__ int tile[32];
    tile[threadIdx.x] = 1;
    __syncwarp();
    out[threadIdx.x] = tile[threadIdx.x * out[0]];
}

extern "C" __global__ void asserts(const int* in) {
    assert(in[threadIdx.x] < 5);
}

extern "C" __global__ void traps() {
    if (threadIdx.x == 3) __trap();
}

extern "C" __global__ void prints(const int* in) {
    if (threadIdx.x < 2) printf("%d: %5.2f %s %lld%%\n", in[threadIdx.x], 1.5, "text", 1LL << 40);
}

__constant__ int table[4] = {10, 20, 30, 40};
__device__ int counter = 5;
__device__ int* pointer = &counter;

extern "C" __global__ void variables(int* out) {
    out[threadIdx.x] = table[threadIdx.x % 4] + atomicAdd(pointer, 0);
}

struct Packed {
    char tag;
    double value;
    int numbers[6];
};
extern "C" __global__ void byValue(Packed packed, int* out, int index) {
    out[threadIdx.x] =
        packed.tag + static_cast<int>(packed.value) + packed.numbers[(index + threadIdx.x) % 6];
}

// Memory of the device's own heap, used after it was given back: wrong, but no reason for a process to crash.
extern "C" __global__ void usesFreed(int* out, int count) {
    int* mine = static_cast<int*>(malloc(count * sizeof(int)));
#pragma unroll 1
    for (int k = 0; k < count; ++k) {
        *static_cast<volatile int*>(mine + k) = k;
        out[k] = *static_cast<volatile int*>(mine + k);
        if (k == 1) free(mine);
    }
}

extern "C" __global__ void readsTexture(unsigned long long texture, float* out) {
    out[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x);
}
