// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/harness/answers.h"
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/inputs.cuh"
#include "kernels/harness/table.h"
#include "kernels/roofline/groups.h"
#include "kernels/roofline/work.h"

#include <cuda/std/cmath>

#include <numeric>

namespace dormer::kernels {

namespace {

constexpr unsigned kBlock = kDotBlock;
constexpr unsigned kWarps = kBlock / 32;
constexpr float kFactor = 3;

__global__ void axpy(float a, cuda::std::span<const float> x, cuda::std::span<float> y) {
    const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < y.size()) y[i] = cuda::std::fma(a, x[i], y[i]);
}

// Each thread adds up its share in a register, a warp by exchanging registers, a block in shared memory. The
// grid does not grow with the vectors, so what the blocks leave is little.
__global__ void dotOfBlocks(cuda::std::span<const float> x, cuda::std::span<const float> y,
                            cuda::std::span<float> sums) {
    float sum = 0;
    for (std::size_t i = std::size_t{blockDim.x} * blockIdx.x + threadIdx.x; i < x.size();
         i += std::size_t{gridDim.x} * blockDim.x)
        sum = cuda::std::fma(x[i], y[i], sum);

    for (unsigned distance = 16; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(~0U, sum, distance);
    __shared__ float sumOfWarp[kWarps];
    if (threadIdx.x % 32 == 0) sumOfWarp[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (unsigned warp = 1; warp < kWarps; ++warp)
        sum += sumOfWarp[warp];
    sums[blockIdx.x] = sum;
}

// In double, which holds every sum of integers that floats can be.
__global__ void dotOfAll(cuda::std::span<const float> sums, double* result) {
    __shared__ double sumOfThread[kBlock];
    double sum = 0;
    for (std::size_t i = threadIdx.x; i < sums.size(); i += kBlock)
        sum += sums[i];
    sumOfThread[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (unsigned thread = 1; thread < kBlock; ++thread)
        sum += sumOfThread[thread];
    *result = sum;
}

/// -4 .. 3: their products and sums are exact.
struct SmallInteger {
    std::uint64_t seed;
    __host__ __device__ float operator()(std::size_t i) const {
        return static_cast<float>(mixed(seed, i) & 7) - 4;
    }
};

struct IsAxpy {
    SmallInteger x, before;
    const float* y;
    __device__ bool operator()(std::size_t i) const { return y[i] == kFactor * x(i) + before(i); }
};

/// Adds up in integers what the generators say, not what the arrays hold.
__global__ void dotOfIntegers(SmallInteger x, SmallInteger y, std::size_t count, unsigned long long* result) {
    long long sum = 0;
    for (std::size_t i = std::size_t{blockDim.x} * blockIdx.x + threadIdx.x; i < count;
         i += std::size_t{gridDim.x} * blockDim.x)
        sum += static_cast<long long>(x(i)) * static_cast<long long>(y(i));
    atomicAdd(result, static_cast<unsigned long long>(sum)); // modulo 2^64: signs come out right
}

enum : std::size_t { kAxpy, kDot };

struct Vectors {
    explicit Vectors(const Setup& setup)
        : xOf{setup.seed}, yOf{setup.seed + 1}, x(setup.size), y(setup.size) {
        fill(x, xOf);
        fill(y, yOf);
        if (setup.runs(kAxpy)) {
            updated = DeviceBuffer<float>(setup.size);
            fill(updated, yOf);
        }
        if (setup.runs(kDot)) {
            sums = DeviceBuffer<float>(dotBlocks(setup.size));
            result = DeviceBuffer<double>(1);
        }
    }

    SmallInteger xOf, yOf;
    DeviceBuffer<float> x, y, updated, sums;
    DeviceBuffer<double> result;
};

void launchAxpy(Vectors& v) {
    axpy<<<static_cast<unsigned>(v.x.size() / kBlock), kBlock>>>(kFactor, v.x.view(), v.updated.span());
}

// It updates in place: what a single launch does is seen from a known start.
CheckResult checkAxpy(Vectors& v) {
    fill(v.updated, v.yOf);
    launchAxpy(v);
    return checkEach(v.x.size(), IsAxpy{v.xOf, v.yOf, v.updated.data()}, "y[i] == 3 * x[i] + y[i] before");
}

void launchDot(Vectors& v) {
    dotOfBlocks<<<static_cast<unsigned>(v.sums.size()), kBlock>>>(v.x.view(), v.y.view(), v.sums.span());
    dotOfAll<<<1, kBlock>>>(v.sums.view(), v.result.data());
}

CheckResult checkDot(Vectors& v) {
    const DeviceBuffer<unsigned long long> sum(1);
    CUDA_CHECK(cudaMemset(sum.data(), 0, sum.bytes()));
    dotOfIntegers<<<static_cast<unsigned>(dotBlocks(v.x.size())), kBlock>>>(v.xOf, v.yOf, v.x.size(),
                                                                            sum.data());
    CUDA_CHECK(cudaGetLastError());
    const auto expected = static_cast<double>(static_cast<long long>(sum.toHost().front()));
    const double found = v.result.toHost().front();
    if (found != expected)
        return {false, "the product is " + std::to_string(found) + " instead of " + std::to_string(expected)};
    return {true, "equal to the sum in integers, " + std::to_string(static_cast<long long>(expected))};
}

std::vector<Expectation> answersAxpy(std::size_t size) {
    std::vector<Expectation> answers =
        globalSectors(kCoalescedSectors, "32 lanes read 128 neighbouring bytes, twice", kCoalescedSectors,
                      "32 lanes write 128 neighbouring bytes");
    answers.push_back(exactly("flops_fp32", 2.0 * static_cast<double>(size), "one FMA per element"));
    answers.push_back(
        measuredNear("arithmetic_intensity_dram_fp32", 1.0 / 6, "2 FLOPs per 8 bytes read and 4 written"));
    answers.push_back(verdict("memory", "1/6 FLOP per byte is far left of every GPU's ridge"));
    return answers;
}

std::vector<Expectation> answersDot(std::size_t size) {
    const auto flops = static_cast<double>(dotFlops(size));
    std::vector<Expectation> answers{
        exactly("flops_fp32", flops, "one FMA per element; a block's 256 sums take 1287 additions"),
        exactly("global_load_sectors_per_request", kCoalescedSectors, "32 lanes read 128 neighbouring bytes"),
        measuredNear("arithmetic_intensity_dram_fp32", flops / (8.0 * static_cast<double>(size)),
                     "2 FLOPs and a little more per 8 bytes read"),
        verdict("memory", "1/4 FLOP per byte is far left of every GPU's ridge")};
    for (Expectation& answer : answers)
        answer = ofKernel("dotOfBlocks", std::move(answer));
    return answers;
}

std::vector<Row<Vectors>> rows() {
    return {
        {{.name = "axpy",
          .shows = "y = 3x + y in place: 2 FLOPs per 12 bytes, bound by DRAM",
          .knownAnswers = answersAxpy,
          .good = true},
         launchAxpy,
         checkAxpy},
        {{.name = "dot",
          .shows = "a dot product: reads 8 bytes for 2 FLOPs and writes next to nothing",
          .knownAnswers = answersDot},
         launchDot,
         checkDot},
    };
}

} // namespace

Group vectorsGroup() {
    // As large as the streaming kernels, for the same reason.
    return groupOf<Vectors>(
        rows(), Sizes{std::size_t{1} << 27, std::size_t{1} << 20},
        [](std::size_t wanted) { return roundUp(wanted, kBlock); },
        [](std::size_t size) { return 3 * size * sizeof(float); },
        [](std::size_t size) {
            return std::vector<std::string>{"size=" + std::to_string(size),
                                            "block=" + std::to_string(kBlock)};
        });
}

} // namespace dormer::kernels
