// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// before_reuse.cu with what Dormer advises done.

#include "tests/cases/cases.h"

using namespace cases;

namespace {

constexpr int kCount = 64 * 256;

// part: all warps
__global__ void weigh(const float* weights, const float* in, float* out) {
    const int lane = threadIdx.x % 32, row = blockIdx.x * 8 + threadIdx.x / 32;
    __shared__ float tile[1024];
    for (int k = threadIdx.x; k < 1024; k += blockDim.x)
        tile[k] = weights[k];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 1024; k += 32)
        sum += tile[k + lane] * in[row];
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
    __shared__ float tile[64];
    if (threadIdx.x < count) tile[threadIdx.x] = points[blockIdx.x * count + threadIdx.x];
    __syncthreads();
    float least = 1e9F;
    for (int k = 0; k < count; ++k)
        least = fminf(least, fabsf(tile[k] - in[i]));
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
    const float mine = scale[warp * 32 + threadIdx.x % 32];
    for (int k = 0; k < 32; ++k)
        value += __shfl_sync(~0U, mine, k);
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

__global__ void addPicked(const float4* rows, const int* picked, float4* out) {
    constexpr int kWide = kChannels / 4;
    const int i = blockIdx.x * blockDim.x + threadIdx.x, point = i / kWide, channel = i % kWide;
    float4 sum{};
    for (int k = 0; k < kPicked; ++k) {
        const float4 four = rows[picked[point * kPicked + k] * kWide + channel];
        sum = {sum.x + four.x, sum.y + four.y, sum.z + four.z, sum.w + four.w};
    }
    out[i] = sum;
}

void narrow() {
    constexpr int kPoints = 16384;
    std::vector<int> picked(kPoints * kPicked);
    for (std::size_t i = 0; i < picked.size(); ++i)
        picked[i] = static_cast<int>((i * 2654435761U >> 8) % kRows);
    const OnDevice<float> rows{counting<float>(kRows * kChannels, kChannels)}, out{kPoints * kChannels};
    const OnDevice<int> on{picked};
    run("advice/narrow", [&] {
        addPicked<<<kPoints * kChannels / 4 / 256, 256>>>(reinterpret_cast<const float4*>(rows.data()),
                                                          on.data(), reinterpret_cast<float4*>(out.data()));
    });
    const std::vector<float> got = out.host();
    bool right = true;
    for (int i = 0; i < kPoints * kChannels; ++i)
        right = right && got[i] == kPicked * (i % kChannels);
    check(right, "narrow");
}

// part: constants
__global__ void lookUp(const int* __restrict__ table, const int* index, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = table[index[i]];
}

void lookUps() {
    std::vector<int> squares(256);
    for (int i = 0; i < 256; ++i)
        squares[i] = i * i;
    const OnDevice<int> table{squares}, index{counting<int>(kCount, 256)}, out{kCount};
    run("advice/constants", [&] { lookUp<<<64, 256>>>(table.data(), index.data(), out.data()); });
    const std::vector<int> got = out.host();
    bool right = true;
    for (int i = 0; i < kCount; ++i)
        right = right && got[i] == squares[i % 256];
    check(right, "constants");
}

// part: bins
__global__ void addWeights(const int* keys, int* sums) {
    __shared__ int parts[8][20]; // the 16 sums of each copy, and the next copy's in other banks
    if (threadIdx.x < 8 * 20) parts[threadIdx.x / 20][threadIdx.x % 20] = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&parts[threadIdx.x % 8][keys[i] % 16], keys[i]);
    __syncthreads();
    if (threadIdx.x >= 16) return;
    int sum = 0;
    for (int copy = 0; copy < 8; ++copy)
        sum += parts[copy][threadIdx.x];
    atomicAdd(&sums[threadIdx.x], sum);
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
    __shared__ float as[16][66], bs[16][64];
    const int top = blockIdx.y * 64, left = blockIdx.x * 64, thread = threadIdx.y * 16 + threadIdx.x;
    float sums[4][4] = {};
    for (int k = 0; k < n; k += 16) {
        for (int i = 0; i < 4; ++i) {
            as[threadIdx.x][threadIdx.y + 16 * i] = a[(top + threadIdx.y + 16 * i) * n + k + threadIdx.x];
            bs[thread / 64 + 4 * i][thread % 64] = b[(k + thread / 64 + 4 * i) * n + left + thread % 64];
        }
        __syncthreads();
        for (int step = 0; step < 16; ++step)
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                    sums[i][j] += as[step][threadIdx.y + 16 * i] * bs[step][threadIdx.x + 16 * j];
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            c[(top + threadIdx.y + 16 * i) * n + left + threadIdx.x + 16 * j] = sums[i][j];
}

void outputs() {
    constexpr int kSide = 512;
    const std::vector<float> left = counting<float>(kSide * kSide, 7),
                             right = counting<float>(kSide * kSide, 5);
    const OnDevice<float> a{left}, b{right}, c{kSide * kSide};
    run("advice/outputs", [&] {
        multiply<<<dim3(kSide / 64, kSide / 64), dim3(16, 16)>>>(a.data(), b.data(), c.data(), kSide);
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
