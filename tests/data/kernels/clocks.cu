// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Kernels that read clocks, for tests/instrument/emulator/code/clocks_test.cpp.

__device__ unsigned long long nanoseconds() {
    unsigned long long now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    return now;
}

/// 256 multiply-adds that each need the one before, and the clocks around them.
extern "C" __global__ void timedChain(long long* cycles, unsigned long long* ns, float* value) {
    float x = value[0];
    const unsigned long long beginNs = nanoseconds();
    const long long begin = clock64();
#pragma unroll
    for (int i = 0; i < 256; ++i)
        x = fmaf(x, x, 1.0F);
    value[threadIdx.x] = x;
    const long long end = clock64();
    const unsigned long long endNs = nanoseconds();
    cycles[threadIdx.x] = begin;
    cycles[blockDim.x + threadIdx.x] = end;
    ns[threadIdx.x] = endNs - beginNs;
}

/// The first warp comes late to the barrier; the clocks behind it.
extern "C" __global__ void meet(long long* cycles, float* value) {
    if (threadIdx.x < 32) {
        float x = value[0];
#pragma unroll
        for (int i = 0; i < 256; ++i)
            x = fmaf(x, x, 1.0F);
        value[threadIdx.x] = x;
    }
    __syncthreads();
    cycles[blockIdx.x * blockDim.x + threadIdx.x] = clock64();
}

/// Looks at the clock until so many cycles are over, and how often.
extern "C" __global__ void spin(long long limit, int* rounds) {
    const long long begin = clock64();
    int looked = 0;
    while (clock64() - begin < limit)
        ++looked;
    rounds[blockIdx.x * blockDim.x + threadIdx.x] = looked;
}

/// Follows `steps` places from 0 on, twice.
extern "C" __global__ void chase(const int* next, int steps, int* end, long long* cycles) {
    int at = 0;
    for (int pass = 0; pass < 2; ++pass) {
        const long long begin = clock64();
        for (int i = 0; i < steps; ++i)
            at = next[at];
        *end = at;
        cycles[pass] = clock64() - begin;
    }
}
