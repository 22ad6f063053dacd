// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Kernels that load again what they could keep, or from the wrong memory. after_reuse.cu is this file with
// what Dormer advises done.

#include "tests/cases/cases.h"

using namespace cases;

namespace {

constexpr int kCount = 64 * 256;

// part: all warps
__global__ void weigh(const float* weights, const float* in, float* out) {
    const int lane = threadIdx.x % 32, row = blockIdx.x * 8 + threadIdx.x / 32;
    float sum = 0;
    for (int k = 0; k < 1024; k += 32)
        sum += weights[k + lane] * in[row];
    out[row * 32 + lane] = sum;
}

void allWarps() {
    constexpr int kRows = 512;
    const std::vector<float> weights = counting<float>(1024, 8), values = counting<float>(kRows, 16);
    const OnDevice<float> on{weights}, in{values}, out{kRows * 32};
    run("advice/all warps", [&] { weigh<<<kRows / 8, 256>>>(on.data(), in.data(), out.data()); });
    const std::vector<float> got = out.host();
    bool right = true;
    for (int i = 0; i < kRows * 32; ++i)
        right = right && got[i] == 32 * weights[i % 32] * values[i / 32];
    check(right, "all warps");
}

// part: all threads
__global__ void nearest(const float* points, const float* in, float* out, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float least = 1e9F;
    for (int k = 0; k < count; ++k)
        least = fminf(least, fabsf(points[blockIdx.x * count + k] - in[i]));
    out[i] = least;
}

void allThreads() {
    constexpr int kPoints = 64;
    std::vector<float> points = counting<float>(64 * kPoints, kPoints), values = counting<float>(kCount, 32);
    const OnDevice<float> on{points}, in{values}, out{kCount};
    run("advice/all threads", [&] { nearest<<<64, 256>>>(on.data(), in.data(), out.data(), kPoints); });
    check(out.host() == std::vector<float>(kCount, 0), "all threads");
}

// part: one per warp
__global__ void scaleRows(const float* scale, const float* in, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, warp = i / 32;
    float value = in[i];
    for (int k = 0; k < 32; ++k)
        value += scale[warp * 32 + k];
    out[i] = value;
}

void onePerWarp() {
    const std::vector<float> scale = counting<float>(kCount, 32), values = counting<float>(kCount, 1000);
    const OnDevice<float> on{scale}, in{values}, out{kCount};
    run("advice/one per warp", [&] { scaleRows<<<64, 256>>>(on.data(), in.data(), out.data()); });
    const std::vector<float> got = out.host();
    bool right = true;
    for (int i = 0; i < kCount; ++i)
        right = right && got[i] == values[i] + 496; // 0 + 1 + ... + 31
    check(right, "one per warp");
}

// part: narrow
constexpr int kChannels = 64, kPicked = 8, kRows = 8192;

__global__ void addPicked(const float* rows, const int* picked, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, point = i / kChannels, channel = i % kChannels;
    float sum = 0;
    for (int k = 0; k < kPicked; ++k)
        sum += rows[picked[point * kPicked + k] * kChannels + channel];
    out[i] = sum;
}

void narrow() {
    constexpr int kPoints = 16384;
    std::vector<int> picked(kPoints * kPicked);
    for (std::size_t i = 0; i < picked.size(); ++i)
        picked[i] = static_cast<int>((i * 2654435761U >> 8) % kRows);
    const OnDevice<float> rows{counting<float>(kRows * kChannels, kChannels)}, out{kPoints * kChannels};
    const OnDevice<int> on{picked};
    run("advice/narrow",
        [&] { addPicked<<<kPoints * kChannels / 256, 256>>>(rows.data(), on.data(), out.data()); });
    const std::vector<float> got = out.host();
    bool right = true;
    for (int i = 0; i < kPoints * kChannels; ++i)
        right = right && got[i] == kPicked * (i % kChannels);
    check(right, "narrow");
}

// part: constants
__constant__ int table[256];

__global__ void lookUp(const int* index, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = table[index[i]];
}

void lookUps() {
    std::vector<int> squares(256);
    for (int i = 0; i < 256; ++i)
        squares[i] = i * i;
    succeed(cudaMemcpyToSymbol(table, squares.data(), sizeof table), "cudaMemcpyToSymbol");
    const OnDevice<int> index{counting<int>(kCount, 256)}, out{kCount};
    run("advice/constants", [&] { lookUp<<<64, 256>>>(index.data(), out.data()); });
    const std::vector<int> got = out.host();
    bool right = true;
    for (int i = 0; i < kCount; ++i)
        right = right && got[i] == squares[i % 256];
    check(right, "constants");
}

// part: bins
__global__ void addWeights(const int* keys, int* sums) {
    __shared__ int parts[16];
    if (threadIdx.x < 16) parts[threadIdx.x] = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&parts[keys[i] % 16], keys[i]);
    __syncthreads();
    if (threadIdx.x < 16) atomicAdd(&sums[threadIdx.x], parts[threadIdx.x]);
}

void bins() {
    std::vector<int> keys(kCount);
    for (int i = 0; i < kCount; ++i)
        keys[i] = i / 8 % 4;
    const OnDevice<int> in{keys}, out{16};
    run("advice/bins", [&] {
        succeed(cudaMemset(out.data(), 0, 16 * sizeof(int)), "cudaMemset");
        addWeights<<<64, 256>>>(in.data(), out.data());
    });
    std::vector<int> right(16);
    for (const int key : keys)
        right[key % 16] += key;
    check(out.host() == right, "bins");
}

// part: outputs
__global__ void multiply(const float* a, const float* b, float* c, int n) {
    __shared__ float as[32][32], bs[32][32];
    const int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k += 32) {
        as[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
        __syncthreads();
        for (int i = 0; i < 32; ++i)
            sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

void outputs() {
    constexpr int kSide = 512;
    const std::vector<float> left = counting<float>(kSide * kSide, 7),
                             right = counting<float>(kSide * kSide, 5);
    const OnDevice<float> a{left}, b{right}, c{kSide * kSide};
    run("advice/outputs", [&] {
        multiply<<<dim3(kSide / 32, kSide / 32), dim3(32, 32)>>>(a.data(), b.data(), c.data(), kSide);
    });
    const std::vector<float> got = c.host();
    bool good = true;
    for (int i = 0; i < kSide * kSide; i += 97) { // whole numbers below 2^24: exact in any order
        float sum = 0;
        for (int k = 0; k < kSide; ++k)
            sum += left[i / kSide * kSide + k] * right[k * kSide + i % kSide];
        good = good && got[i] == sum;
    }
    check(good, "outputs");
}

// part: main
} // namespace

int main() {
    for (const auto run : {allWarps, allThreads, onePerWarp, narrow, lookUps, bins, outputs})
        run();
    std::printf("%d results are wrong\n", wrong);
    return wrong == 0 ? 0 : 1;
}
