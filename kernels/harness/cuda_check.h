// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

namespace dormer::kernels {

/// A CUDA call that failed; ends the program with exit code 4. The text is one line.
class CudaError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Throws CudaError naming the expression when `status` is no success.
inline void throwOnFailure(cudaError_t status, const char* expression, const char* file, int line) {
    if (status == cudaSuccess) return;
    const std::string path = file;
    throw CudaError(std::string(expression) + " failed: " + cudaGetErrorString(status) + " (" +
                    cudaGetErrorName(status) + ") at " + path.substr(path.find_last_of('/') + 1) + ":" +
                    std::to_string(line));
}

} // namespace dormer::kernels

#define CUDA_CHECK(...) ::dormer::kernels::throwOnFailure((__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)
