// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Kernels that wait for what other threads do, in loops that only look; waiting.ptx is this file compiled by
// scripts/test-kernels.

#include <cooperative_groups.h>

// One look per block and round ends its wait, whoever comes last.
extern "C" __global__ void meetInRounds(int* arrived, int* out, int rounds) {
    for (int round = 1; round <= rounds; ++round) {
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(arrived, 1);
            while (*static_cast<volatile int*>(arrived) < round * static_cast<int>(gridDim.x)) {
            }
        }
        __syncthreads();
        out[blockIdx.x * blockDim.x + threadIdx.x] += round;
    }
}

// The compiler puts the first look in front of the loop.
extern "C" __global__ void meetAndSleep(int* arrived, int* out, int rounds) {
    for (int round = 1; round <= rounds; ++round) {
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(arrived, 1);
            while (*static_cast<volatile int*>(arrived) < round * static_cast<int>(gridDim.x))
                __nanosleep(20);
        }
        __syncthreads();
        out[blockIdx.x * blockDim.x + threadIdx.x] += round;
    }
}

extern "C" __global__ void meetAsGrid(int* out, int rounds) {
    for (int round = 1; round <= rounds; ++round) {
        out[blockIdx.x * blockDim.x + threadIdx.x] += round;
        cooperative_groups::this_grid().sync();
    }
}

// Two waits in a row, each for the block before.
extern "C" __global__ void passOn(int* ready, int* done) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x > 0) {
        while (*static_cast<volatile int*>(ready + blockIdx.x - 1) == 0) {
        }
        while (*static_cast<volatile int*>(done + blockIdx.x - 1) == 0) {
        }
    }
    *static_cast<volatile int*>(ready + blockIdx.x) = 1;
    __threadfence();
    *static_cast<volatile int*>(done + blockIdx.x) = 1;
}

// Locks taken in functions, by every lane for itself.
__device__ __noinline__ void take(int* lock) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
}
__device__ __noinline__ bool tryTake(int* lock) {
    return atomicCAS(lock, 0, 1) == 0;
}
__device__ __noinline__ void takeByTries(int* lock) {
    while (!tryTake(lock)) {
    }
}
__device__ __noinline__ void awaitFree(volatile int* lock) {
    while (*lock != 0) {
    }
}
__device__ __noinline__ void add(volatile int* sum, int value) {
    *sum = *sum + value;
}
__device__ __noinline__ void give(int* lock) {
    __threadfence();
    atomicExch(lock, 0);
}
extern "C" __global__ void lockInFunction(int* lock, int* sum) {
    take(lock);
    add(sum, threadIdx.x + 1);
    give(lock);
}
extern "C" __global__ void lockByTries(int* lock, int* sum) {
    takeByTries(lock);
    add(sum, threadIdx.x + 1);
    give(lock);
}
extern "C" __global__ void waitWhileHeld(int* lock, int* sum) {
    for (bool done = false; !done;) {
        if (tryTake(lock)) {
            add(sum, threadIdx.x + 1);
            give(lock);
            done = true;
        } else {
            awaitFree(lock);
        }
    }
}

// Nobody ever sets it.
extern "C" __global__ void waitForNothing(volatile int* flag) {
    while (*flag == 0) {
    }
}

// Waits for the other launch.
extern "C" __global__ void meet(volatile int* mine, volatile int* theirs, int* out) {
    if (threadIdx.x != 0) return;
    *mine = 1;
    __threadfence();
    while (*theirs == 0) {
    }
    *out = *mine + *theirs;
}

// Lanes of one warp wait for another warp, and count how often they look.
extern "C" __global__ void countLooks(volatile int* flag, int* out) {
    const int t = threadIdx.x;
    if (t < 32) {
        int looks = 0;
        while (*flag == 0)
            ++looks;
        out[t] = looks >= 0;
    } else {
        out[t] = 1;
        *flag = 1;
    }
}
// The same where nobody sets it.
extern "C" __global__ void countForNothing(volatile int* flag, int* out) {
    int looks = 0;
    while (*flag == 0)
        ++looks;
    *out = looks;
}

// Lanes vote on what all have; those that lack it get it one after the other, in the same loop.
extern "C" __global__ void voteInRounds(volatile int* has, int* out) {
    const int t = threadIdx.x;
    int rounds = 0;
    while (true) {
        const unsigned have = __ballot_sync(0xffffffffu, has[t] != 0);
        if (have == 0xffffffffu) break;
        if (t == __ffs(~have) - 1) has[t] = 1;
        ++rounds;
    }
    out[t] = rounds;
}

// A warp that looks at many words until none is missing, as decoupled look-back does: what it finds differs
// from look to look, and the first look stands in front of the loop.
extern "C" __global__ void lookBack(unsigned* words, unsigned* out) {
    if (blockIdx.x > 0) {
        unsigned x = blockIdx.x;
        for (unsigned i = 0; i < 300 * blockIdx.x; ++i)
            x = x * 1664525U + 1013904223U;
        if (threadIdx.x == 0) {
            out[blockIdx.x] = x;
            __threadfence();
            asm volatile("st.relaxed.gpu.u32 [%0], %1;" ::"l"(words + blockIdx.x - 1), "r"(1U) : "memory");
        }
        return;
    }
    unsigned word = 0;
    asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(word) : "l"(words + threadIdx.x) : "memory");
    while (__any_sync(0xFFFFFFFFU, word == 0)) {
        asm volatile("nanosleep.u32 %0;" ::"r"(700U) : "memory");
        asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(word) : "l"(words + threadIdx.x) : "memory");
    }
    out[0] = word;
}
