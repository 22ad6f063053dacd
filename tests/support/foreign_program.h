// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

/// A program that knows nothing of Dormer, in two files as programs have several: calls of CUB and Thrust,
/// and features of CUDA by themselves. Each function compares with the host and says by name what is wrong.
namespace foreign {

inline int wrong = 0;

inline void check(bool right, const char* what) {
    if (right) return;
    std::printf("WRONG: %s\n", what);
    ++wrong;
}

inline void succeed(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    std::printf("%s: %s\n", what, cudaGetErrorString(error));
    std::exit(1);
}

void scanSelectAndHistogram();
void sortAndReduce();
void segmentsAndRuns();

} // namespace foreign

#define SUCCEED(call) foreign::succeed((call), #call)
