// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Kernels whose lanes go apart, leave, wait and spin, as independent thread scheduling allows; scheduling.ptx
// is this file compiled by scripts/test-kernels.

// Threads leave before the others meet: those from n on, or those below n.
extern "C" __global__ void tailLeaves(int* out, int n) {
    __shared__ int s[128];
    if (threadIdx.x >= n) return;
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[n - 1 - threadIdx.x];
}
extern "C" __global__ void headLeaves(int* out, int n) {
    __shared__ int s[128];
    if (threadIdx.x < n) return;
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[127 - (threadIdx.x - n)];
}

// Every other thread does something of its own first.
extern "C" __global__ void oddLeave(int* out) {
    __shared__ int s[128];
    if (threadIdx.x % 2 == 1) {
        out[threadIdx.x] = -2;
        return;
    }
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[126 - threadIdx.x];
}

// Threads leave one after the other; those that are left count themselves and combine predicates.
extern "C" __global__ void leaveInLoop(const int* life, int* counts, int* alls, int* anys, int rounds) {
    const int t = threadIdx.x;
    for (int r = 0; r < rounds; ++r) {
        if (r >= life[t]) return;
        const int count = __syncthreads_count(t % 3 == 0);
        const int all = __syncthreads_and(t % 2 == 0), any = __syncthreads_or(t % 7 == 0);
        counts[r * blockDim.x + t] = count;
        alls[r * blockDim.x + t] = all != 0;
        anys[r * blockDim.x + t] = any != 0;
    }
}

// The same without a return: who has left the loop does something and ends.
extern "C" __global__ void barrierInLoop(const int* life, int* out) {
    __shared__ int turns;
    if (threadIdx.x == 0) turns = 0;
    __syncthreads();
    int seen = 0;
    for (int r = 0; r < life[threadIdx.x]; ++r) {
        atomicAdd(&turns, 1);
        __syncthreads();
        seen = *static_cast<volatile int*>(&turns);
        __syncthreads();
    }
    out[threadIdx.x] = seen;
}

// Two warps meet at a barrier with a count of threads; of one only some lanes are left.
extern "C" __global__ void namedWithFewLanes(int* out) {
    __shared__ int s[64];
    s[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x >= 40) return;
    s[threadIdx.x] = threadIdx.x + 1;
    asm volatile("bar.sync 3, 64;" ::: "memory");
    out[threadIdx.x] = s[39 - threadIdx.x];
}

// The second warp, of which some lanes are left, arrives; the first waits.
extern "C" __global__ void arriveWithFewLanes(int* out) {
    __shared__ volatile int s[64];
    if (threadIdx.x >= 40) return;
    if (threadIdx.x >= 32) {
        s[threadIdx.x] = threadIdx.x;
        __threadfence_block();
        asm volatile("bar.arrive 2, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 2, 64;" ::: "memory");
        out[threadIdx.x] = s[32 + threadIdx.x % 8];
    }
}

// The barrier is in a function that part of the warp does not call.
__device__ __noinline__ int meetIn(int* s, int t) {
    __syncthreads();
    return s[t];
}
extern "C" __global__ void leaveBeforeCall(int* out, int n) {
    __shared__ int s[128];
    if (threadIdx.x >= n) return;
    s[threadIdx.x] = threadIdx.x * 3;
    out[threadIdx.x] = meetIn(s, n - 1 - threadIdx.x);
}

// Without .aligned the lanes of a warp may come to a barrier at different places.
extern "C" __global__ void meetFromTwoPlaces(int* out) {
    __shared__ int s[64];
    s[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x % 2 == 0) {
        s[threadIdx.x] = 1;
        asm volatile("barrier.sync 0;" ::: "memory");
        out[threadIdx.x] = s[threadIdx.x + 1];
    } else {
        s[threadIdx.x] = 2;
        asm volatile("barrier.sync 0;" ::: "memory");
        out[threadIdx.x] = s[threadIdx.x - 1];
    }
}

// A vertex is in the set unless a neighbour of lower number is: each waits until those are decided.
extern "C" __global__ void independentSet(const int* first, const int* neighbours,
                                          volatile unsigned char* state, int vertices) {
    const int begin = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    int missing;
    do {
        missing = 0;
        for (int v = begin; v < vertices; v += step) {
            if (state[v] != 0) continue;
            int i = first[v];
            int decided = 1;
            while (i < first[v + 1] && decided != 2) {
                const int other = neighbours[i], seen = other < v ? state[other] : 2;
                if (seen == 1) decided = 2;
                if (seen == 0) decided = 0;
                if (decided == 0) break;
                ++i;
            }
            if (decided == 0)
                missing = 1;
            else
                state[v] = decided;
        }
    } while (missing != 0);
}

// Lanes are served in the order of their tickets, in loops of different length.
extern "C" __global__ void tickets(int* next, int* serving, int* total) {
    for (int round = 0; round < threadIdx.x % 3 + 1; ++round) {
        if ((threadIdx.x + round) % 5 == 4) continue;
        const int mine = atomicAdd(next, 1);
        while (*static_cast<volatile int*>(serving) != mine) {
        }
        *static_cast<volatile int*>(total) = *static_cast<volatile int*>(total) + mine;
        __threadfence();
        *static_cast<volatile int*>(serving) = mine + 1;
    }
}

// Each lane waits in shared memory for the lane above it; lane 31 begins.
extern "C" __global__ void laneChain(int* out) {
    __shared__ volatile int flags[33];
    flags[threadIdx.x] = 0;
    flags[32] = 1;
    __syncwarp();
    while (flags[threadIdx.x + 1] == 0) {
    }
    const int value = flags[threadIdx.x + 1];
    flags[threadIdx.x] = value + 1;
    out[threadIdx.x] = value;
}

// All lanes but one wait for what that one does after the branch.
extern "C" __global__ void parkedLaneFrees(volatile int* flag, int* out) {
    if (threadIdx.x != 5)
        while (*flag == 0) {
        }
    *flag = 1;
    out[threadIdx.x] = 8;
}
extern "C" __global__ void parkedLaneFreesSleepers(volatile int* flag, int* out) {
    if (threadIdx.x != 5)
        while (*flag == 0)
            __nanosleep(50);
    *flag = 1;
    out[threadIdx.x] = 8;
}

// One lane waits for another warp; the rest of its warp waits for that lane.
extern "C" __global__ void leaderWaits(int* out) {
    __shared__ volatile int flag;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    int value = 0;
    if (threadIdx.x == 0) {
        while ((value = flag) == 0) {
        }
    } else if (threadIdx.x == 32) {
        for (int i = 0; i < 100000; ++i)
            flag = 0;
        flag = 77;
    }
    __syncwarp();
    out[threadIdx.x] = __shfl_sync(0xffffffffu, value, 0);
}

// Lanes in different arms of a branch exchange values within their arm, then with each other.
extern "C" __global__ void armsExchange(int* out) {
    int v = threadIdx.x + 100;
    if (threadIdx.x < 16)
        v = __shfl_xor_sync(0x0000ffffu, v, 1);
    else
        v = __shfl_xor_sync(0xffff0000u, v, 2);
    out[threadIdx.x] = __shfl_sync(0xffffffffu, v, 31 - threadIdx.x);
}

// What they read does not exist, has left, does not execute or is in nobody's mask.
extern "C" __global__ void absentLanes(int* out) {
    out[threadIdx.x] = __shfl_down_sync(0xffffffffu, threadIdx.x + 100, 16);
}
extern "C" __global__ void exitedLanes(int* out, int n) {
    if (threadIdx.x >= n) return;
    out[threadIdx.x] = __shfl_xor_sync(0xffffffffu, threadIdx.x + 100, 8);
}
extern "C" __global__ void otherArm(int* out) {
    int v = threadIdx.x;
    if (threadIdx.x < 16) v = __shfl_xor_sync(0xffffu, v + 1000, 17);
    out[threadIdx.x] = v;
}
extern "C" __global__ void outOfMask(int* out) {
    const unsigned mask = threadIdx.x < 16 ? 0xffffu : 0xffff0000u;
    out[threadIdx.x] = __shfl_sync(mask, threadIdx.x + 100, threadIdx.x ^ 16);
}
extern "C" __global__ void wellDefined(int* out, int n) {
    int v = threadIdx.x;
    for (int i = 16; i > 0; i /= 2)
        v += __shfl_down_sync(0xffffffffu, v, i);
    if (threadIdx.x >= n) return;
    const unsigned mask = __activemask();
    out[threadIdx.x] = __shfl_sync(mask, v, 0) + __shfl_up_sync(mask, threadIdx.x, 1);
}
