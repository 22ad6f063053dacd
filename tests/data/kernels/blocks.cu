// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Kernels whose warps and blocks wait for each other; blocks.ptx is this file compiled by
// scripts/test-kernels.

// Tree sum in shared memory: right only if barriers hold.
extern "C" __global__ void blockSum(const int* in, int* out) {
    __shared__ int partial[256];
    const int t = threadIdx.x;
    partial[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) partial[t] += partial[t + half];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = partial[0];
}

// Half of the warps leave before the others meet.
extern "C" __global__ void exitedBeforeBarrier(int* out) {
    __shared__ int flag;
    if (threadIdx.x >= 64) return;
    if (threadIdx.x == 0) flag = 42;
    __syncthreads();
    out[threadIdx.x] = flag;
}

// __syncthreads_count, _and, _or.
extern "C" __global__ void reductions(const int* in, int* out) {
    const int p = in[threadIdx.x];
    const int count = __syncthreads_count(p), all = __syncthreads_and(p), any = __syncthreads_or(p);
    if (threadIdx.x == 0) {
        out[0] = count;
        out[1] = all != 0;
        out[2] = any != 0;
    }
}

// Warps 0 and 1 meet at barrier 1, warps 2 and 3 at barrier 2.
extern "C" __global__ void namedBarriers(int* out) {
    __shared__ int slots[4];
    const int warp = threadIdx.x / 32, pair = warp / 2;
    if (threadIdx.x % 32 == 0) slots[warp] = warp + 10;
    if (pair == 0)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    else
        asm volatile("bar.sync 2, 64;" ::: "memory");
    out[threadIdx.x] = slots[warp ^ 1];
}

// The threads of a warp wait at different barriers.
extern "C" __global__ void divergentBarrier(int* out) {
    if (threadIdx.x % 2 == 0) {
        asm volatile("bar.sync 0;" ::: "memory");
    } else {
        asm volatile("bar.sync 0;" ::: "memory");
        out[threadIdx.x] = 2;
    }
}

// One warp waits at a barrier that the other never reaches, and the other at another one.
extern "C" __global__ void crossedBarriers(int* out) {
    if (threadIdx.x < 32)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    else
        asm volatile("bar.sync 2, 64;" ::: "memory");
    out[threadIdx.x] = 1;
}

// A lock that blocks take in turns.
extern "C" __global__ void spinLock(int* lock, int* counter) {
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
        *static_cast<volatile int*>(counter) = *static_cast<volatile int*>(counter) + 1;
        __threadfence();
        atomicExch(lock, 0);
    }
}

// The same with every lane of every warp, as independent thread scheduling allows.
extern "C" __global__ void spinLockOfLanes(int* lock, int* counter) {
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            *static_cast<volatile int*>(counter) = *static_cast<volatile int*>(counter) + 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}

// The loop form that spins at its own head: lanes that got the lock wait for those that did not.
extern "C" __global__ void spinUntilOwned(int* lock, int* counter) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    *static_cast<volatile int*>(counter) = *static_cast<volatile int*>(counter) + 1;
    __threadfence();
    atomicExch(lock, 0);
}

// Each block waits for the one before it.
extern "C" __global__ void lookBack(volatile int* state) {
    if (threadIdx.x == 0) {
        int before = 0;
        if (blockIdx.x > 0)
            while ((before = state[blockIdx.x - 1]) == 0) {
            }
        __threadfence();
        state[blockIdx.x] = before + 1;
    }
}

// All blocks wait for all others; works as long as the chip holds them at once.
extern "C" __global__ void gridBarrier(int* arrived, int* out) {
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(arrived, 1);
        while (*static_cast<volatile int*>(arrived) < static_cast<int>(gridDim.x)) {
        }
    }
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = *static_cast<volatile int*>(arrived);
}

// A warp waits in a loop for another warp of its block.
extern "C" __global__ void warpWaitsForWarp(int* out) {
    __shared__ volatile int flag;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (threadIdx.x < 32) {
        while (flag == 0) {
        }
    } else {
        if (threadIdx.x == 32) flag = 7;
    }
    __syncthreads();
    out[threadIdx.x] = flag;
}

extern "C" __global__ void endless(int* out) {
    while (*static_cast<volatile int*>(out) == 0) {
    }
}
