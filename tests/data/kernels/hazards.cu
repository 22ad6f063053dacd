// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Kernels whose result CUDA leaves undefined, and ones that are near it; hazards.ptx is this file compiled by
// scripts/test-kernels.

#include <cooperative_groups.h>
#include <cuda/barrier>

// Every warp reads what the first one is about to overwrite.
extern "C" __global__ void readThenOverwritten(float* out) {
    __shared__ float sums[32];
    const int warp = threadIdx.x / 32;
    if (threadIdx.x % 32 == 0) sums[warp] = warp + 1;
    __syncthreads();
    const float first = sums[0];
    if (threadIdx.x % 32 == 0) sums[warp] = 100 + warp;
    __syncthreads();
    out[threadIdx.x] = first + sums[0];
}

// The barrier between filling and reading is missing.
extern "C" __global__ void neighbourWithoutBarrier(int* out) {
    __shared__ int tile[128];
    tile[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = tile[(threadIdx.x + 40) % 128];
}

// Two warps write one word.
extern "C" __global__ void bothWrite(int* out) {
    __shared__ int last;
    if (threadIdx.x % 32 == 0) last = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = last;
}

// A counter is cleared without a barrier before it is counted in.
extern "C" __global__ void clearedLate(int* out) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    atomicAdd(&count, 1);
    __syncthreads();
    out[threadIdx.x] = count;
}

// Half of the array is never written.
extern "C" __global__ void readsUnwritten(int* out) {
    __shared__ int tile[64];
    if (threadIdx.x < 32) tile[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x];
}

// All lanes store their number to one word, of shared and of global memory.
extern "C" __global__ void lanesClash(int* out) {
    __shared__ int one;
    one = threadIdx.x;
    __syncthreads();
    out[0] = threadIdx.x;
    out[1 + threadIdx.x] = one;
}

// Only the last block does it.
extern "C" __global__ void lastBlockRaces(int* out) {
    __shared__ int tile[64];
    tile[threadIdx.x] = threadIdx.x;
    if (blockIdx.x + 1 < gridDim.x) __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x];
}
extern "C" __global__ void middleBlockRaces(int* out) {
    __shared__ int tile[64];
    tile[threadIdx.x] = threadIdx.x;
    if (blockIdx.x != 1) __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x];
}

// Well defined: barriers, named barriers, mbarriers, atomics and flags order the warps.
extern "C" __global__ void ordered(int* out) {
    using Barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ int tile[128];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ Barrier barrier;
    __shared__ int count;
    __shared__ volatile int ready;
    const int t = threadIdx.x;
    if (t == 0) {
        init(&barrier, 128);
        count = 0;
        ready = 0;
    }
    __syncthreads();
    tile[t] = t;
    barrier.arrive_and_wait();
    int sum = tile[127 - t];
    barrier.arrive_and_wait();
    tile[t] = sum;
    if (t < 64) {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        sum += tile[63 - t];
    } else {
        asm volatile("bar.sync 2, 64;" ::: "memory");
        sum += tile[191 - t];
    }
    cooperative_groups::this_thread_block().sync();
    if (t == 96) tile[0] = 5;
    __threadfence_block();
    if (t == 96) ready = 1;
    if (t == 3) {
        while (ready == 0) {
        }
        sum += tile[0];
    }
    __syncthreads();
    if (t % 32 == 0) tile[t] = 7;
    __threadfence_block();
    const bool isLast = t % 32 == 0 && atomicAdd(&count, 1) == 3;
    if (isLast) out[0] = tile[0] + tile[32] + tile[64] + tile[96];
    if (t == 127) out[1] = sum;
}

// Bytes of one word, by different warps, and one value from all lanes: no hazard.
extern "C" __global__ void bytesApart(unsigned char* out) {
    __shared__ unsigned char bytes[64];
    __shared__ int flag;
    bytes[threadIdx.x % 2 * 32 + threadIdx.x / 2] = threadIdx.x;
    if (threadIdx.x < 32) flag = 1;
    __syncthreads();
    out[threadIdx.x] = bytes[threadIdx.x] + flag;
}

// Global memory. Each block reads what the next one writes.
extern "C" __global__ void neighbourBlocks(int* out) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
    const int next = out[(blockIdx.x + 1) % gridDim.x * blockDim.x + threadIdx.x];
    if (next == 12345) out[4095] = 1;
}

// Two warps of a block, with and without a barrier between them.
extern "C" __global__ void neighbourWarps(int* out) {
    out[threadIdx.x] = threadIdx.x;
    out[1024 + threadIdx.x] = out[blockDim.x - 1 - threadIdx.x];
}
extern "C" __global__ void neighbourWarpsOrdered(int* out) {
    out[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[1024 + threadIdx.x] = out[blockDim.x - 1 - threadIdx.x];
}

// The last block adds up what all have left: the counter orders them.
extern "C" __global__ void lastBlock(int* out) {
    __shared__ bool last;
    out[8 + blockIdx.x] = blockIdx.x;
    __threadfence();
    if (threadIdx.x == 0) last = atomicAdd(out, 1) == static_cast<int>(gridDim.x) - 1;
    __syncthreads();
    if (last && threadIdx.x < gridDim.x) out[1024 + threadIdx.x] = out[8 + threadIdx.x] + 1;
}

// All blocks count in one place, which one of them also reads without more ado.
extern "C" __global__ void countedAndRead(int* out) {
    atomicAdd(out, 1);
    if (blockIdx.x == 0) out[1 + threadIdx.x] = out[0];
}

// Reads one word more than was written.
extern "C" __global__ void sumOfWritten(int* out, const int* in, int n) {
    int sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += in[i];
    atomicAdd(out, sum);
}
