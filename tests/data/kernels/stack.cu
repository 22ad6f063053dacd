// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Kernels that take memory from their stack; stack.ptx is this file compiled by scripts/test-kernels.

#include <alloca.h>

// Room of a size that only the launch knows, written forwards and read backwards.
extern "C" __global__ void sumBackwards(int* out, int n) {
    int* values = static_cast<int*>(alloca(n * sizeof(int)));
    for (int i = 0; i < n; ++i)
        values[i] = i * threadIdx.x;
    int sum = 0;
    for (int i = n - 1; i >= 0; --i)
        sum = 3 * sum + values[i];
    out[threadIdx.x] = sum;
}

// Each lane takes another size; two rooms of one lane do not overlap.
extern "C" __global__ void twoRooms(int* out) {
    const int n = 1 + threadIdx.x % 7;
    int* first = static_cast<int*>(alloca(n * sizeof(int)));
    int* second = static_cast<int*>(alloca(2 * n * sizeof(int)));
    for (int i = 0; i < n; ++i)
        first[i] = 1;
    for (int i = 0; i < 2 * n; ++i)
        second[i] = 100;
    int sum = 0;
    for (int i = 0; i < n; ++i)
        sum += first[i];
    for (int i = 0; i < 2 * n; ++i)
        sum += second[i];
    out[threadIdx.x] = sum;
}

// What a function takes ends with it: called often enough, it would take more than there is.
__device__ __noinline__ int reversed(int n) {
    int* values = static_cast<int*>(alloca(n * sizeof(int)));
    for (int i = 0; i < n; ++i)
        values[n - 1 - i] = i;
    int sum = 0;
    for (int i = 0; i < n; ++i)
        sum += (i + 1) * values[i];
    return sum;
}
extern "C" __global__ void callOften(int* out, int times, int n) {
    int sum = 0;
    for (int i = 0; i < times; ++i)
        sum += reversed(n);
    out[threadIdx.x] = sum;
}

extern "C" __global__ void takeTooMuch(int* out, int n) {
    volatile char* bytes = static_cast<char*>(alloca(n));
    bytes[n - 1] = 1;
    out[threadIdx.x] = bytes[n - 1];
}
