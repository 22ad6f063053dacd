// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// A program that uses a library of CUDA's: it makes a handle, does something with it if an argument says so,
// and gives the handle back.

#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstdio>

int main(int argc, char**) {
    cublasHandle_t handle = nullptr;
    std::printf("create %d\n", static_cast<int>(cublasCreate(&handle)));
    std::printf("set %d\n", static_cast<int>(cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH)));
    if (argc > 1) {
        float *x = nullptr, sum = 0;
        cudaMalloc(&x, 64 * sizeof(float));
        std::printf("sum %d\n", static_cast<int>(cublasSasum(handle, 64, x, 1, &sum)));
    }
    std::printf("destroy %d\n", static_cast<int>(cublasDestroy(handle)));
    return 0;
}
