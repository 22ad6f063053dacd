// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/comparison.cuh"
#include "kernels/harness/inputs.cuh"
#include "kernels/harness/table.h"
#include "kernels/roofline/work.h"

#include <cuda/std/mdspan>

#include <cmath>

/// What the products of square matrices share: inputs, sizes and the check.
namespace dormer::kernels {

template <typename T>
using Matrix = cuda::std::mdspan<T, cuda::std::dextents<int, 2>>;

inline int sideOfMatrix(std::size_t size) {
    return static_cast<int>(std::lround(std::sqrt(static_cast<double>(size))));
}

/// The nearest square of whole tiles that holds the wanted number of elements.
inline std::size_t roundMatrix(std::size_t wanted, std::size_t tile) {
    const auto side = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(wanted))));
    const std::size_t rounded = roundUp(side, tile);
    return rounded * rounded;
}

inline std::vector<std::string> matrixParameters(std::size_t size) {
    const std::string side = std::to_string(sideOfMatrix(size));
    return {"size=" + std::to_string(size), "matrix=" + side + "x" + side};
}

/// -2 .. 2, exact in half precision; so is in a float every sum of products of sides below four million.
template <typename T>
struct MatrixElement {
    std::uint64_t seed;
    __device__ T operator()(std::size_t i) const {
        return static_cast<T>(static_cast<float>(mixed(seed, i) % 5) - 2);
    }
};

/// 0 .. 65535
struct Weight {
    __device__ long long operator()(std::size_t i) const {
        return static_cast<long long>(mixed(0xC0FFEE, i) & 0xFFFF);
    }
};

template <typename T>
__global__ void timesWeights(Matrix<const T> b, cuda::std::span<long long> products) {
    const auto k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (k >= b.extent(0)) return;
    long long sum = 0;
    for (int j = 0; j < b.extent(1); ++j)
        sum += static_cast<long long>(static_cast<float>(b(k, j))) * Weight{}(j);
    products[k] = sum;
}

/// Row i of c times the weights is row i of a times (b times the weights).
template <typename T>
struct IsProductRow {
    Matrix<const T> a;
    const long long* bTimesWeights;
    Matrix<const float> c;
    __device__ bool operator()(std::size_t row) const {
        const auto i = static_cast<int>(row);
        long long left = 0;
        long long right = 0;
        for (int k = 0; k < a.extent(1); ++k) {
            const float element = c(i, k);
            if (element != static_cast<float>(static_cast<long long>(element))) return false; // NaN, too
            left += static_cast<long long>(element) * Weight{}(k);
            right += static_cast<long long>(static_cast<float>(a(i, k))) * bTimesWeights[k];
        }
        return left == right;
    }
};

/// Freivalds' check, in exact integers: n^2 operations instead of n^3. A wrong element of a row escapes only
/// if the errors of the row, each times its weight, happen to add up to nothing.
template <typename T>
CheckResult checkProduct(int side, const DeviceBuffer<T>& a, const DeviceBuffer<T>& b,
                         const DeviceBuffer<float>& c) {
    constexpr unsigned kBlock = 64;
    const DeviceBuffer<long long> products(static_cast<std::size_t>(side));
    timesWeights<T><<<cuda::ceil_div(static_cast<unsigned>(side), kBlock), kBlock>>>(
        Matrix<const T>(b.data(), side, side), products.span());
    CUDA_CHECK(cudaGetLastError());
    return checkEach(static_cast<std::size_t>(side),
                     IsProductRow<T>{Matrix<const T>(a.data(), side, side), products.data(),
                                     Matrix<const float>(c.data(), side, side)},
                     "row i of c == row i of a * b, each times the same random integers,");
}

} // namespace dormer::kernels
