// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/table.h"
#include "kernels/stalls/groups.h"

namespace dormer::kernels::stalls {

namespace {

// Every thread adds up 32768 products: the size is the number of all.
constexpr unsigned kLanes = 32;
constexpr unsigned kTerms = 32768;
constexpr unsigned kSums = 4;
constexpr std::size_t kStep = std::size_t{kTerms} * kLoneBlock;
constexpr Sizes kSizes{kLoneBlocks * kStep, 2 * kStep};
// An argument, so that the compiler can't work out the sum.
constexpr float kWeight = 0.5F;

/// Products are multiples of 1/2 and their sum is below 2^20: exact in any order.
__host__ __device__ constexpr float factorOf(std::size_t thread) {
    return static_cast<float>(thread % kLanes + 1);
}

__global__ void addInOneChain(float weight, float* out) {
    const float factor = factorOf(threadIdx.x);
    float sum = 0;
#pragma unroll 64
    for (unsigned term = 0; term < kTerms; ++term)
        sum = fmaf(weight, factor, sum);
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void addInFourChains(float weight, float* out) {
    const float factor = factorOf(threadIdx.x);
    float sums[kSums]{};
#pragma unroll 16
    for (unsigned term = 0; term < kTerms; term += kSums)
#pragma unroll
        for (float& sum : sums)
            sum = fmaf(weight, factor, sum);
    out[blockIdx.x * blockDim.x + threadIdx.x] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

struct IsSum {
    const float* out;
    __device__ bool operator()(std::size_t i) const { return out[i] == kWeight * factorOf(i) * kTerms; }
};

struct Sums {
    explicit Sums(const Setup& setup) : out(setup.size / kTerms) {}
    DeviceBuffer<float> out; // shared by both variants
};

template <void (*kKernel)(float, float*)>
void launch(Sums& s) {
    kKernel<<<static_cast<unsigned>(s.out.size() / kLoneBlock), kLoneBlock>>>(kWeight, s.out.data());
}

template <void (*kKernel)(float, float*)>
CheckResult check(Sums& s) {
    CUDA_CHECK(cudaMemset(s.out.data(), 0xFF, s.out.bytes()));
    launch<kKernel>(s);
    CUDA_CHECK(cudaGetLastError());
    return checkEach(s.out.size(), IsSum{s.out.data()}, "out[i] == 32768 products, exact in any order");
}

std::vector<Expectation> answers(std::size_t size, double additions, const std::string& why) {
    const double threads = static_cast<double>(size) / kTerms;
    return {exactly("flops_fp32", threads * (2.0 * kTerms + additions), why),
            exactly("global_load_requests", 0, "everything is in registers"),
            exactly("global_store_requests", threads / kLanes, "a warp writes its sums once"),
            exactly("global_store_sectors_per_request", kCoalescedSectors,
                    "32 lanes write 128 neighbouring bytes")};
}

std::vector<Expectation> answersDependent(std::size_t size) {
    std::vector<Expectation> all = answers(size, 0, "2 per FMA");
    all.push_back(comparedTo("stalls/fma_independent", "duration_ns", ">=", 2,
                             "an FMA begins when the one before it has ended, 4 cycles later"));
    return all;
}

std::vector<Expectation> answersIndependent(std::size_t size) {
    return answers(size, kSums - 1, "2 per FMA, and 3 additions at the end of each thread");
}

std::vector<Row<Sums>> rows() {
    return {
        {{.name = "fma_dependent",
          .shows =
              "wait: one sum per thread and one warp per scheduler, each FMA needs the result of the last",
          .knownAnswers = answersDependent,
          .better = "stalls/fma_independent"},
         launch<addInOneChain>,
         check<addInOneChain>},
        {{.name = "fma_independent",
          .shows =
              "the same products in four sums per thread: while one FMA is on its way, three others begin",
          .knownAnswers = answersIndependent},
         launch<addInFourChains>,
         check<addInFourChains>},
    };
}

} // namespace

Group fmaGroup() {
    return groupOf<Sums>(
        rows(), kSizes, [](std::size_t wanted) { return roundUp(wanted, kStep); },
        [](std::size_t size) { return size / kTerms * sizeof(float); },
        [](std::size_t size) { return parameters(size, kLoneBlock); });
}

} // namespace dormer::kernels::stalls
