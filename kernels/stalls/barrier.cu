// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/table.h"
#include "kernels/stalls/groups.h"

namespace dormer::kernels::stalls {

namespace {

// A block holds a value per thread. In each round all values are advanced, and move on by one warp.
constexpr unsigned kLanes = 32;
constexpr unsigned kBlock = 256;
constexpr unsigned kRounds = 256;
constexpr unsigned kSteps = 16; // FMAs of a value in a round
static_assert(kRounds % (kBlock / kLanes) == 0, "values end where they began");
constexpr Sizes kSizes{std::size_t{kLoneBlocks} * kBlock, std::size_t{4} * kBlock};

// The chain x -> 0.999 x + 0.5 runs towards 500 without ever reaching a denormal or an overflow.
constexpr float kFactor = 0.999F;
constexpr float kOffset = 0.5F;

__host__ __device__ constexpr float valueAt(std::size_t i) {
    return static_cast<float>(i % 1024);
}

__device__ float advanced(float x) {
#pragma unroll
    for (unsigned step = 0; step < kSteps; ++step)
        x = fmaf(x, kFactor, kOffset);
    return x;
}

// The first warp does the work of all, while seven wait for it at the barrier.
__global__ void advanceByOneWarp(float* out) {
    __shared__ float values[2][kBlock];
    const unsigned i = kBlock * blockIdx.x + threadIdx.x;
    values[0][threadIdx.x] = valueAt(i);
    __syncthreads();
    for (unsigned round = 0; round < kRounds; ++round) {
        const float* from = values[round % 2];
        float* to = values[(round + 1) % 2];
        if (threadIdx.x < kLanes) {
#pragma unroll 1 // one piece after the other, as a single warp's work is
            for (unsigned at = threadIdx.x; at < kBlock; at += kLanes)
                to[at] = advanced(from[(at + kLanes) % kBlock]);
        }
        __syncthreads();
    }
    out[i] = values[kRounds % 2][threadIdx.x];
}

__global__ void advanceByAllWarps(float* out) {
    __shared__ float values[2][kBlock];
    const unsigned i = kBlock * blockIdx.x + threadIdx.x;
    values[0][threadIdx.x] = valueAt(i);
    __syncthreads();
    for (unsigned round = 0; round < kRounds; ++round) {
        const float* from = values[round % 2];
        float* to = values[(round + 1) % 2];
        to[threadIdx.x] = advanced(from[(threadIdx.x + kLanes) % kBlock]);
        __syncthreads();
    }
    out[i] = values[kRounds % 2][threadIdx.x];
}

/// Eight warps and rounds by the multiple: a value is back where it began, and was advanced in each round.
struct IsAdvanced {
    const float* out;
    __device__ bool operator()(std::size_t i) const {
        float x = valueAt(i);
        for (unsigned round = 0; round < kRounds; ++round)
            x = advanced(x);
        return out[i] == x;
    }
};

struct Values {
    explicit Values(const Setup& setup) : out(setup.size) {}
    DeviceBuffer<float> out; // shared by both variants
};

template <void (*kKernel)(float*)>
void launch(Values& v) {
    kKernel<<<static_cast<unsigned>(v.out.size() / kBlock), kBlock>>>(v.out.data());
}

template <void (*kKernel)(float*)>
CheckResult check(Values& v) {
    CUDA_CHECK(cudaMemset(v.out.data(), 0xFF, v.out.bytes()));
    launch<kKernel>(v);
    CUDA_CHECK(cudaGetLastError());
    return checkEach(v.out.size(), IsAdvanced{v.out.data()}, "out[i] == its value advanced 256 x 16 times");
}

std::vector<Expectation> answers(std::size_t size) {
    const auto values = static_cast<double>(size);
    return {exactly("flops_fp32", values * kRounds * kSteps * 2, "16 FMAs per value and round"),
            exactly("shared_load_instructions", values / kLanes * (kRounds + 1),
                    "32 values are one load per round, and one at the end"),
            exactly("shared_store_instructions", values / kLanes * (kRounds + 1),
                    "32 values are one store per round, and one at the beginning"),
            exactly("shared_load_ways", 1, "32 lanes read neighbouring words"),
            exactly("global_store_sectors_per_request", kCoalescedSectors,
                    "32 lanes write 128 neighbouring bytes")};
}

std::vector<Expectation> answersUneven(std::size_t size) {
    std::vector<Expectation> all = answers(size);
    all.push_back(comparedTo("stalls/barrier_even", "duration_ns", ">=", 2,
                             "one warp after the other does what eight do side by side"));
    return all;
}

std::vector<Row<Values>> rows() {
    return {
        {{.name = "barrier_uneven",
          .shows = "barrier: one warp of eight does all the work of a round, seven wait for it",
          .knownAnswers = answersUneven,
          .better = "stalls/barrier_even"},
         launch<advanceByOneWarp>,
         check<advanceByOneWarp>},
        {{.name = "barrier_even",
          .shows = "the same work divided among the warps: they reach the barrier together",
          .knownAnswers = answers},
         launch<advanceByAllWarps>,
         check<advanceByAllWarps>},
    };
}

} // namespace

Group barrierGroup() {
    return groupOf<Values>(
        rows(), kSizes, [](std::size_t wanted) { return roundUp(wanted, kBlock); },
        [](std::size_t size) { return size * sizeof(float); },
        [](std::size_t size) { return parameters(size, kBlock); });
}

} // namespace dormer::kernels::stalls
