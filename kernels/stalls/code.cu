// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/harness/device_buffer.h"
#include "kernels/harness/table.h"
#include "kernels/stalls/groups.h"

#include <array>
#include <cmath>

namespace dormer::kernels::stalls {

namespace {

// Every thread advances eight values by 4096 FMAs each: the size is the number of all FMAs.
constexpr unsigned kLanes = 32;
constexpr unsigned kChains = 8;
constexpr unsigned kPasses = 2;
constexpr unsigned kSteps = 2048; // of a pass
constexpr unsigned kFmas = kPasses * kSteps * kChains;
constexpr std::size_t kStep = std::size_t{kFmas} * kLoneBlock;
constexpr Sizes kSizes{kLoneBlocks * kStep, 2 * kStep};
// The chain x -> 0.999 x + 0.5 runs towards 500 without ever reaching a denormal or an overflow. Arguments,
// so that the compiler can't fold the chain.
constexpr float kFactor = 0.999F;
constexpr float kOffset = 0.5F;

struct Chains {
    float x[kChains];

    __device__ explicit Chains(unsigned lane) {
#pragma unroll
        for (unsigned chain = 0; chain < kChains; ++chain)
            x[chain] = static_cast<float>(lane + chain * kLanes);
    }
    [[nodiscard]] __device__ float sum() const {
        float all = x[0];
#pragma unroll
        for (unsigned chain = 1; chain < kChains; ++chain)
            all += x[chain];
        return all;
    }
};

// A pass is 16384 FMAs in a row, 256 KB of code: a GPU's instruction caches in front of L2 hold 128 KB. Eight
// chains could issue in every cycle if the instructions were there.
__global__ void advanceUnrolled(float factor, float offset, float* out) {
    Chains chains(threadIdx.x % kLanes);
#pragma unroll 1
    for (unsigned pass = 0; pass < kPasses; ++pass) {
#pragma unroll
        for (unsigned step = 0; step < kSteps; ++step)
#pragma unroll
            for (float& x : chains.x)
                x = __fmaf_rn(x, factor, offset);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = chains.sum();
}

// 64 FMAs and a branch, 1 KB of code.
__global__ void advanceInLoop(float factor, float offset, float* out) {
    Chains chains(threadIdx.x % kLanes);
#pragma unroll 8
    for (unsigned step = 0; step < kPasses * kSteps; ++step)
#pragma unroll
        for (float& x : chains.x)
            x = __fmaf_rn(x, factor, offset);
    out[blockIdx.x * blockDim.x + threadIdx.x] = chains.sum();
}

/// What lane `lane` of every warp must have written, by the host's own correctly rounded FMA.
float expectedOf(unsigned lane) {
    float sum = 0;
    for (unsigned chain = 0; chain < kChains; ++chain) {
        auto x = static_cast<float>(lane + chain * kLanes);
        for (unsigned step = 0; step < kPasses * kSteps; ++step)
            x = std::fma(x, kFactor, kOffset);
        sum = chain == 0 ? x : sum + x;
    }
    return sum;
}

struct Results {
    explicit Results(const Setup& setup) : out(setup.size / kFmas) {}
    DeviceBuffer<float> out; // shared by both variants
};

template <void (*kKernel)(float, float, float*)>
void launch(Results& r) {
    kKernel<<<static_cast<unsigned>(r.out.size() / kLoneBlock), kLoneBlock>>>(kFactor, kOffset, r.out.data());
}

template <void (*kKernel)(float, float, float*)>
CheckResult check(Results& r) {
    CUDA_CHECK(cudaMemset(r.out.data(), 0xFF, r.out.bytes()));
    launch<kKernel>(r);
    CUDA_CHECK(cudaGetLastError());
    std::array<float, kLanes> expected{};
    for (unsigned lane = 0; lane < kLanes; ++lane)
        expected[lane] = expectedOf(lane);
    const std::vector<float> results = r.out.toHost();
    for (std::size_t i = 0; i < results.size(); ++i)
        if (results[i] != expected[i % kLanes])
            return {false, "thread " + std::to_string(i) + " computed " + std::to_string(results[i]) +
                               ", the host " + std::to_string(expected[i % kLanes])};
    return {true, "equal to the host's FMA to the bit in all " + std::to_string(results.size()) + " threads"};
}

std::vector<Expectation> answers(std::size_t size) {
    const double threads = static_cast<double>(size) / kFmas;
    return {exactly("flops_fp32", threads * (2.0 * kFmas + kChains - 1),
                    "2 per FMA, 8 chains of 4096, and 7 additions at the end of each thread"),
            exactly("global_load_requests", 0, "everything is in registers"),
            exactly("global_store_requests", threads / kLanes, "a warp writes its sums once")};
}

std::vector<Expectation> answersUnrolled(std::size_t size) {
    std::vector<Expectation> all = answers(size);
    all.push_back(comparedTo("stalls/code_looped", "duration_ns", ">=", 1.2,
                             "the loop's instructions stay in the cache next to the scheduler"));
    return all;
}

std::vector<Row<Results>> rows() {
    return {
        {{.name = "code_unrolled",
          .shows = "no instruction: 256 KB of straight-line code, more than the instruction caches hold",
          .knownAnswers = answersUnrolled,
          .better = "stalls/code_looped"},
         launch<advanceUnrolled>,
         check<advanceUnrolled>},
        {{.name = "code_looped",
          .shows = "the same arithmetic as a loop of 1 KB: its instructions are fetched once",
          .knownAnswers = answers},
         launch<advanceInLoop>,
         check<advanceInLoop>},
    };
}

} // namespace

Group codeGroup() {
    return groupOf<Results>(
        rows(), kSizes, [](std::size_t wanted) { return roundUp(wanted, kStep); },
        [](std::size_t size) { return size / kFmas * sizeof(float); },
        [](std::size_t size) { return parameters(size, kLoneBlock); });
}

} // namespace dormer::kernels::stalls
