// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// What kernels compute: arrays that no register can hold, branches that are none, FP32 in a kernel of
// doubles, and the matrix unit.

#include "tests/cases/cases.h"

#include <mma.h>

namespace cases {

namespace {

constexpr int kValues = 32; ///< of each local array

/// A histogram of `index` and its weights, in arrays that are indexed with values from memory.
__global__ void updateAtIndex(const float* in, const int* index, float* out) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    float weights[kValues], sums[kValues];
#pragma unroll 1
    for (int k = 0; k < kValues; ++k) {
        weights[k] = in[(thread + k * kValues) & 1023]; // local: fill
        sums[k] = 0;
    }
#pragma unroll 1
    for (int k = 0; k < kValues; ++k) {
        const int at = index[(thread + k * kValues) & 1023] & (kValues - 1);
        sums[at] += weights[(at + k) & (kValues - 1)]; // local: update
    }
    float sum = 0;
    for (int k = 0; k < kValues; ++k)
        sum += sums[k] * static_cast<float>(k + 1);
    out[thread] = sum;
}

__global__ void oddAndEven(float* out) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    float a = 0, b = 0;
    if (thread % 2 == 0)
        a = 100;
    else
        b = 200;
    out[thread] = a + b;
}

__global__ void warpsOddAndEven(float* out) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    float a = 0, b = 0;
    if (thread / warpSize % 2 == 0)
        a = 100;
    else
        b = 200;
    out[thread] = a + b;
}

__global__ void twoConditions(float* out) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    float a = 0, b = 0;
    const bool even = thread % 2 == 0;
    if (even) a = 100;
    if (!even) b = 200;
    out[thread] = a + b;
}

/// Two neighbours of a row of doubles each: one division and one multiplication a thread.
__global__ void divideNeighbours(double* a, unsigned pitch) {
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= 10 || y >= 10) return;
    const unsigned i = y * pitch + 2 * x;
    const double density = a[i];
    const double speed = a[i + 1] / density;
    a[i] = density * speed;
}

__global__ void doubleByAccident(float* values) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    values[i] = values[i] * 0.3 + 1.0;
}

__global__ void doubleMended(float* values) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    values[i] = values[i] * 0.3F + 1.0F;
}

/// Enough of it that the pipe for doubles is what a chip with few of them waits for.
__global__ void doublePolynomial(float* values) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const float x = values[i];
    values[i] = (((((((x * 0.1 + 0.2) * x + 0.3) * x + 0.4) * x + 0.5) * x + 0.6) * x + 0.7) * x + 0.8) * x;
}

/// An 8 x 8 x 8 product in the smallest tile there is, 16 x 16 x 16.
__global__ void multiplyTile(const __half* a, const __half* b, float* c) {
    using namespace nvcuda::wmma;
    fragment<matrix_a, 16, 16, 16, __half, row_major> left;
    fragment<matrix_b, 16, 16, 16, __half, row_major> right;
    fragment<accumulator, 16, 16, 16, float> sum;
    load_matrix_sync(left, a, 16);
    load_matrix_sync(right, b, 16);
    fill_fragment(sum, 0.F);
    mma_sync(sum, left, right, sum);
    store_matrix_sync(c, sum, 16, mem_row_major);
}

constexpr int kProducts = 256; ///< of each warp

/// Products of tiles, and at the end one FP32 multiply-add for each sum.
__global__ void multiplyAndScale(const __half* a, const __half* b, float* c, unsigned tiles) {
    using namespace nvcuda::wmma;
    const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    fragment<matrix_a, 16, 16, 16, __half, row_major> left;
    fragment<matrix_b, 16, 16, 16, __half, col_major> right;
    fragment<accumulator, 16, 16, 16, float> sum;
    fill_fragment(sum, 0.F);
    load_matrix_sync(left, a + warp % tiles * 256, 16);
    load_matrix_sync(right, b + warp % tiles * 256, 16);
    for (int product = 0; product < kProducts; ++product)
        mma_sync(sum, left, right, sum);
    for (int i = 0; i < sum.num_elements; ++i)
        sum.x[i] = sum.x[i] * 0.25F + 1;
    store_matrix_sync(c + std::size_t{warp} * 256, sum, 16, mem_row_major);
}

template <typename Kernel>
void branch(const char* name, Kernel kernel, int blocks, int threads, unsigned (*isSecond)(unsigned)) {
    const OnDevice<float> out{std::size_t(blocks) * threads};
    run(name, [&] { kernel<<<blocks, threads>>>(out.data()); });
    const std::vector<float> values = out.host();
    bool right = true;
    for (unsigned i = 0; i < values.size(); ++i)
        right = right && values[i] == (isSecond(i) != 0 ? 200 : 100);
    check(right, name);
}

template <typename Kernel>
void map(const char* name, Kernel kernel, double (*expected)(double)) {
    constexpr int kBlocks = 2048, kThreads = 256;
    const std::vector<float> values = counting<float>(std::size_t{kBlocks} * kThreads, 4);
    // Each pass needs its own input.
    const OnDevice<float> onDevice{values};
    run(name, [&] {
        succeed(
            cudaMemcpy(onDevice.data(), values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice),
            name);
        kernel<<<kBlocks, kThreads>>>(onDevice.data());
    });
    const std::vector<float> scaled = onDevice.host();
    bool right = true;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double value = expected(values[i]), error = scaled[i] - value;
        right = right && error <= 1e-6 * value && error >= -1e-6 * value; // in single precision
    }
    check(right, name);
}

} // namespace

void localArrays() {
    constexpr int kBlocks = 1056, kThreads = 128;
    const std::vector<float> in = counting<float>(1024, 8);
    std::vector<int> index(1024);
    for (int i = 0; i < 1024; ++i)
        index[i] = i * 7 % 64;
    const OnDevice<float> weights{in}, out{std::size_t{kBlocks * kThreads}};
    const OnDevice<int> indices{index};
    run("case/local_arrays",
        [&] { updateAtIndex<<<kBlocks, kThreads>>>(weights.data(), indices.data(), out.data()); });
    const std::vector<float> sums = out.host();
    bool right = true;
    for (unsigned thread = 0; thread < sums.size(); ++thread) {
        float sum = 0; // small integers: exact in any order
        for (unsigned k = 0; k < kValues; ++k) {
            const unsigned at = static_cast<unsigned>(index[(thread + k * kValues) & 1023]) & (kValues - 1);
            const unsigned weight = (at + k) & (kValues - 1);
            sum += in[(thread + weight * kValues) & 1023] * static_cast<float>(at + 1);
        }
        right = right && sums[thread] == sum;
    }
    check(right, "local_arrays");
}

void branches() {
    const auto odd = [](unsigned thread) { return thread % 2; };
    const auto oddWarp = [](unsigned thread) { return thread / 32 % 2; };
    branch("case/branch_lanes", oddAndEven, 64, 64, odd);
    branch("case/branch_warps", warpsOddAndEven, 64, 64, oddWarp);
    branch("case/branch_twice", twoConditions, 64, 64, odd);
    branch("case/branch_one_thread", oddAndEven, 64, 1, odd);
}

void floatInDouble() {
    constexpr unsigned kPitch = 20, kRows = 10;
    std::vector<double> values(kPitch * kRows);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = i % 2 == 0 ? 4 : static_cast<double>(i); // divisions by 4 and back are exact
    const OnDevice<double> onDevice{values};
    run("case/double_division",
        [&] { divideNeighbours<<<dim3(2, 2), dim3(8, 8)>>>(onDevice.data(), kPitch); });
    check(onDevice.host()[2] == 3 && onDevice.host()[1] == 1, "double_division");
    const auto line = [](double x) { return x * 0.3 + 1; };
    map("case/double_by_accident", doubleByAccident, line);
    map("case/double_mended", doubleMended, line);
    map("case/double_polynomial", doublePolynomial, [](double x) {
        double sum = 0.1;
        for (const double term : {0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8})
            sum = sum * x + term;
        return sum * x;
    });
}

void matricesAndScale() {
    constexpr unsigned kBlocks = 264, kThreads = 256, kTiles = 64, kWarps = kBlocks * kThreads / 32;
    const OnDevice<__half> ones{std::vector<__half>(kTiles * 256, __float2half(1.F))};
    const OnDevice<float> sums{std::size_t{kWarps} * 256};
    run("case/matrices_scaled",
        [&] { multiplyAndScale<<<kBlocks, kThreads>>>(ones.data(), ones.data(), sums.data(), kTiles); });
    bool same = true;
    for (const float each : sums.host())
        same = same && each == 16.F * kProducts / 4 + 1;
    check(same, "matrices_scaled");
}

void matrixUnit() {
    // 8 x 8 in a corner of 16 x 16, the rest zero.
    std::vector<__half> a(256, __float2half(0.F)), b = a;
    for (int row = 0; row < 8; ++row)
        for (int column = 0; column < 8; ++column) {
            a[row * 16 + column] = __float2half(static_cast<float>(row));
            b[row * 16 + column] = __float2half(static_cast<float>(column + 1));
        }
    const OnDevice<__half> left{a}, right{b};
    const OnDevice<float> product{std::size_t{256}};
    run("case/matrix_unit", [&] { multiplyTile<<<1, 32>>>(left.data(), right.data(), product.data()); });
    const std::vector<float> c = product.host();
    bool same = true;
    for (int row = 0; row < 16; ++row)
        for (int column = 0; column < 16; ++column)
            same = same && c[row * 16 + column] ==
                               (row < 8 && column < 8 ? 8.F * static_cast<float>(row * (column + 1)) : 0.F);
    check(same, "matrix_unit");
}

} // namespace cases
