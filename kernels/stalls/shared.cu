// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/inputs.cuh"
#include "kernels/harness/table.h"
#include "kernels/stalls/groups.h"

namespace dormer::kernels::stalls {

namespace {

// Every block multiplies A (64 x 64, transposed) and B (64 x 128) from shared memory: 64 x 128 sums.
constexpr unsigned kLanes = 32;
constexpr unsigned kBlock = 256;
constexpr unsigned kRows = 64;
constexpr unsigned kColumns = 128;
constexpr unsigned kDepth = 64;
constexpr unsigned kSums = kRows * kColumns;
constexpr unsigned kWords = kDepth * (kRows + kColumns); // 48 KB
constexpr Sizes kSizes{std::size_t{1024} * kSums, std::size_t{2} * kSums};

/// Small integers: sums of their products are exact in any order.
struct SmallInteger {
    std::uint64_t seed;
    __device__ float operator()(std::size_t i) const { return static_cast<float>(mixed(seed, i) % 8); }
};

/// Blocks begin at a number of their own, so that none can pass for another.
__host__ __device__ constexpr float firstOf(std::size_t block) {
    return static_cast<float>(block % 256);
}

struct alignas(16) Tables {
    float a[kDepth][kRows];
    float b[kDepth][kColumns];
};
static_assert(sizeof(Tables) == kWords * sizeof(float));

__device__ void load(Tables& tables, const float* from) {
    float* to = &tables.a[0][0];
    for (unsigned i = threadIdx.x; i < kWords; i += kBlock)
        to[i] = from[i];
    __syncthreads();
}

// Two loads for each FMA.
__global__ void multiplyWordByWord(const float* from, float* out) {
    __shared__ Tables tables;
    load(tables, from);
#pragma unroll 1 // side by side, the sums of a thread would share their column's words
    for (unsigned i = threadIdx.x; i < kSums; i += kBlock) {
        float sum = firstOf(blockIdx.x);
        for (unsigned k = 0; k < kDepth; ++k)
            sum += tables.a[k][i / kColumns] * tables.b[k][i % kColumns];
        out[std::size_t{blockIdx.x} * kSums + i] = sum;
    }
}

// Three loads of 16 bytes for 32 FMAs.
__global__ void multiplyBlocked(const float* from, float* out) {
    constexpr unsigned kHigh = 8;
    constexpr unsigned kWide = 4;
    static_assert(kRows / kHigh * (kColumns / kWide) == kBlock);
    __shared__ Tables tables;
    load(tables, from);
    const unsigned row = threadIdx.x / kLanes * kHigh;
    const unsigned column = threadIdx.x % kLanes * kWide;
    float sums[kHigh][kWide];
    for (auto& ofRow : sums)
        for (float& sum : ofRow)
            sum = firstOf(blockIdx.x);
    for (unsigned k = 0; k < kDepth; ++k) {
        const float4 upper = reinterpret_cast<const float4&>(tables.a[k][row]);
        const float4 lower = reinterpret_cast<const float4&>(tables.a[k][row + 4]);
        const float4 across = reinterpret_cast<const float4&>(tables.b[k][column]);
        const float a[kHigh]{upper.x, upper.y, upper.z, upper.w, lower.x, lower.y, lower.z, lower.w};
        const float b[kWide]{across.x, across.y, across.z, across.w};
#pragma unroll
        for (unsigned y = 0; y < kHigh; ++y)
#pragma unroll
            for (unsigned x = 0; x < kWide; ++x)
                sums[y][x] += a[y] * b[x];
    }
    float* tile = out + std::size_t{blockIdx.x} * kSums;
#pragma unroll
    for (unsigned y = 0; y < kHigh; ++y)
        reinterpret_cast<float4&>(tile[(row + y) * kColumns + column]) =
            float4{sums[y][0], sums[y][1], sums[y][2], sums[y][3]};
}

struct IsProduct {
    const float *from, *out;
    __device__ bool operator()(std::size_t i) const {
        const std::size_t row = i % kSums / kColumns;
        const std::size_t column = i % kColumns;
        float sum = firstOf(i / kSums);
        for (std::size_t k = 0; k < kDepth; ++k)
            sum += from[k * kRows + row] * from[kDepth * kRows + k * kColumns + column];
        return out[i] == sum;
    }
};

struct Product {
    explicit Product(const Setup& setup) : from(kWords), out(setup.size) {
        fill(from, SmallInteger{setup.seed});
    }
    DeviceBuffer<float> from;
    DeviceBuffer<float> out; // shared by both variants
};

template <void (*kKernel)(const float*, float*)>
void launch(Product& p) {
    kKernel<<<static_cast<unsigned>(p.out.size() / kSums), kBlock>>>(p.from.data(), p.out.data());
}

template <void (*kKernel)(const float*, float*)>
CheckResult check(Product& p) {
    CUDA_CHECK(cudaMemset(p.out.data(), 0xFF, p.out.bytes()));
    launch<kKernel>(p);
    CUDA_CHECK(cudaGetLastError());
    return checkEach(p.out.size(), IsProduct{p.from.data(), p.out.data()},
                     "out[i] == the sum of 64 products, exact in any order");
}

/// `loads` and `wavefronts` for all products of 32 sums.
std::vector<Expectation> answers(std::size_t size, double loads, const std::string& whyLoads,
                                 double wavefronts, const std::string& whyWavefronts) {
    const double sums = static_cast<double>(size) / kLanes;
    return {exactly("shared_load_instructions", sums * kDepth * loads, whyLoads),
            exactly("shared_load_wavefronts", sums * kDepth * wavefronts, whyWavefronts),
            exactly("shared_store_ways", 1, "the tables are stored in order: all banks in turn"),
            exactly("flops_fp32", static_cast<double>(size) * kDepth * 2, "an FMA per sum and product"),
            exactly("global_load_sectors", static_cast<double>(size / kSums) * kWords / 8,
                    "each block reads both tables once, 8 words to a sector"),
            exactly("global_store_sectors", static_cast<double>(size) / 8, "8 sums to a sector"),
            exactly("local_sectors", 0, "the sums of a thread fit into its registers")};
}

std::vector<Expectation> answersNarrow(std::size_t size) {
    std::vector<Expectation> all =
        answers(size, 2, "a word of A and a word of B for each FMA", 2,
                "a word for all lanes, and 32 neighbouring words: a wavefront each");
    all.push_back(comparedTo("stalls/shared_blocked", "duration_ns", ">=", 1.5,
                             "21 times as many loads for the same products"));
    return all;
}

std::vector<Expectation> answersBlocked(std::size_t size) {
    return answers(size, 3.0 / 32, "three loads of 16 bytes for 32 FMAs", 8.0 / 32,
                   "32 neighbouring float4 are 4 wavefronts, one for all lanes is 2");
}

std::vector<Row<Product>> rows() {
    return {
        {{.name = "shared_narrow",
          .shows =
              "MIO throttle: two 4-byte loads from shared memory for each FMA fill the queue they go through",
          .knownAnswers = answersNarrow,
          .better = "stalls/shared_blocked"},
         launch<multiplyWordByWord>,
         check<multiplyWordByWord>},
        {{.name = "shared_blocked",
          .shows = "the same sums, 8 x 4 per thread in registers: three float4 loads for 32 FMAs",
          .knownAnswers = answersBlocked},
         launch<multiplyBlocked>,
         check<multiplyBlocked>},
    };
}

} // namespace

Group sharedGroup() {
    return groupOf<Product>(
        rows(), kSizes, [](std::size_t wanted) { return roundUp(wanted, kSums); },
        [](std::size_t size) { return (size + kWords) * sizeof(float); },
        [](std::size_t size) { return parameters(size, kBlock); });
}

} // namespace dormer::kernels::stalls
