// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the units of the linked program have of each other.

namespace linked {

extern __device__ int offset;
extern __constant__ int table[4];
__device__ int outer(int value);

/// In every unit that uses it, and one in the program.
template <int factor>
__device__ __noinline__ int scaled(int value) {
    static __device__ int calls = 0; // one for all
    atomicAdd(&calls, 1);
    return value * factor;
}

/// Runs a kernel of the other unit on these values.
void addOffset(int* values, int count);

} // namespace linked
