// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Kernels whose warps diverge; control_flow.ptx is this file compiled by scripts/test-kernels. Results are
// computed on the host by tests/instrument/emulator/code/control_flow_test.cpp.

// Three levels of branches that lanes take apart.
extern "C" __global__ void nested(const int* in, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = in[i];
    if (x & 1) {
        if (x & 2) {
            x = x * 3 + 1;
            if (x % 5 == 0) x -= 100;
        } else {
            x = x / 3;
        }
        x ^= 0x55;
    } else if (x & 4) {
        x = -x;
    }
    out[i] = x;
}

// Every lane goes round another number of times (Collatz steps to 1).
extern "C" __global__ void collatz(const int* in, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned n = in[i];
    int steps = 0;
    while (n > 1) {
        n = (n & 1) != 0 ? 3 * n + 1 : n / 2;
        ++steps;
    }
    out[i] = steps;
}

// Lanes leave the kernel at different places, some from inside the loop.
extern "C" __global__ void earlyReturn(const int* in, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] < 0) return;
    int sum = 0;
    for (int k = 0; k < 64; ++k) {
        sum += k;
        if (sum > in[i]) {
            out[i] = k;
            return;
        }
    }
    out[i] = -sum;
}

// A jump table.
extern "C" __global__ void jump(const int* in, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = 0;
    switch (in[i] & 15) {
    case 0:
        x = 11;
        break;
    case 1:
        x = in[i] * 7;
        break;
    case 2:
        x = in[i] ^ 0x33;
        break;
    case 3:
        x = in[i] - 9; // falls through
    case 4:
        x += 4;
        break;
    case 5:
        x = in[i] << 3;
        break;
    case 6:
        x = in[i] >> 1;
        break;
    case 7:
        x = in[i] % 13;
        break;
    case 8:
        x = 8888;
        break;
    case 9:
        return;
    default:
        x = -1;
    }
    out[i] = x;
}

__device__ __noinline__ int fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

// Recursion, to a depth that differs between lanes.
extern "C" __global__ void recursive(const int* in, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = fibonacci(in[i] & 7);
}

struct Shape {
    __device__ virtual int area(int x) const = 0;
};
struct Square : Shape {
    __device__ int area(int x) const override { return x * x; }
};
struct Strip : Shape {
    int width;
    __device__ explicit Strip(int w) : width(w) {}
    __device__ int area(int x) const override { return x * width; }
};

// Lanes of one warp call different functions through one pointer.
extern "C" __global__ void virtualCall(const int* in, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const Square square;
    const Strip narrow(2), wide(10);
    const Shape* const shapes[3] = {&square, &narrow, &wide};
    out[i] = shapes[in[i] % 3]->area(in[i]);
}

// A loop that lanes leave by break, with shuffles and votes among those still in it.
extern "C" __global__ void partialMasks(const int* in, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    int left = in[i] & 15, sum = 0;
    while (true) {
        const unsigned mask = __activemask();
        if (left-- == 0) break;
        const unsigned still = __ballot_sync(mask, left >= 0);
        sum += __popc(still) + __shfl_sync(still, lane, __ffs(still) - 1);
    }
    out[i] = sum;
}
