// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/harness/answers.h"
#include "kernels/harness/device_buffer.h"
#include "kernels/harness/table.h"
#include "kernels/roofline/fma_chain.h"
#include "kernels/roofline/groups.h"

#include <cuda_fp16.h>

#include <array>

namespace dormer::kernels {

namespace {

constexpr unsigned kBlock = 256;
constexpr unsigned kLanes = 32;
// Towards 512, too slowly to arrive.
constexpr float kFactor = 0.999F;
constexpr float kOffset = 0.5F;

/// All chains of a thread, 16 bytes: stored as they are, because adding them up would be FLOPs of another
/// kind.
struct alignas(16) Chains {
    __half2 values[kFmaChains];
};

// The lower half of a register starts at an integer, the upper one half above it.
__host__ __device__ float startOf(unsigned lane, int chain, bool upper) {
    return static_cast<float>(lane) + static_cast<float>(chain * kLanes) + (upper ? 0.5F : 0.0F);
}

// The chain of fma_chain.cu, two to a register: one instruction is four operations.
__global__ void fmaChainHalf2(__half2 factor, __half2 offset, cuda::std::span<Chains> out) {
    const unsigned lane = threadIdx.x % kLanes;
    Chains x;
    for (int chain = 0; chain < kFmaChains; ++chain)
        x.values[chain] = __floats2half2_rn(startOf(lane, chain, false), startOf(lane, chain, true));
#pragma unroll 16
    for (int step = 0; step < kFmaSteps; ++step)
        for (int chain = 0; chain < kFmaChains; ++chain)
            x.values[chain] = __hfma2(x.values[chain], factor, offset);
    out[blockDim.x * blockIdx.x + threadIdx.x] = x;
}

/// The chain on the host: double holds the product and the sum of halves of this size exactly, so rounding
/// once gives what an FMA gives.
float expectedOf(float start) {
    const double factor = __half2float(__float2half(kFactor));
    __half x = __float2half(start);
    for (int step = 0; step < kFmaSteps; ++step)
        x = __double2half(static_cast<double>(__half2float(x)) * factor + kOffset);
    return __half2float(x);
}

struct Results {
    explicit Results(const Setup& setup)
        : blocks(static_cast<unsigned>(setup.size / kElementsPerFmaThread / kBlock))
        , out(std::size_t{blocks} * kBlock) {}
    unsigned blocks;
    DeviceBuffer<Chains> out;
};

CheckResult check(Results& results) {
    std::array<std::array<float, 2 * kFmaChains>, kLanes> expected{};
    for (unsigned lane = 0; lane < kLanes; ++lane)
        for (int chain = 0; chain < kFmaChains; ++chain)
            for (int upper = 0; upper < 2; ++upper)
                expected[lane][static_cast<std::size_t>(2 * chain + upper)] =
                    expectedOf(startOf(lane, chain, upper == 1));
    const std::vector<Chains> found = results.out.toHost();
    for (std::size_t i = 0; i < found.size(); ++i)
        for (std::size_t chain = 0; chain < kFmaChains; ++chain) {
            const __half2 pair = found[i].values[chain];
            const std::array<float, 2> halves{__low2float(pair), __high2float(pair)};
            for (std::size_t upper = 0; upper < 2; ++upper) {
                const float wanted = expected[i % kLanes][2 * chain + upper];
                if (halves[upper] != wanted)
                    return {false, "thread " + std::to_string(i) + " has " + std::to_string(halves[upper]) +
                                       " at the end of chain " + std::to_string(chain) + ", the host " +
                                       std::to_string(wanted)};
            }
        }
    return {true,
            "equal to the host's chains to the bit in all " + std::to_string(found.size()) + " threads"};
}

std::vector<Expectation> answers(std::size_t size) {
    return {
        {.metric = "flops_fp16",
         .relation = "~",
         .value = static_cast<double>(fmaChainHalf2Flops(size / kElementsPerFmaThread)),
         .tolerance = 0.002,
         .why = "4 per FMA of a pair, 4 chains of 256; the assembler may load a constant by one more HFMA2"},
        verdict("compute", "it touches memory once per 4096 FLOPs")};
}

std::vector<Row<Results>> rows() {
    return {
        {{.name = "fma_chain_half2",
          .shows = "fused multiply-adds in registers, two halves at a time: bound by the FP16 pipe",
          .knownAnswers = answers,
          .good = true},
         [](Results& r) {
             fmaChainHalf2<<<r.blocks, kBlock>>>(__float2half2_rn(kFactor), __float2half2_rn(kOffset),
                                                 r.out.span());
         },
         check},
    };
}

} // namespace

Group fmaChainHalf2Group() {
    return groupOf<Results>(
        rows(), Sizes{std::size_t{1} << 27, std::size_t{1} << 22},
        [](std::size_t wanted) { return roundUp(wanted, kElementsPerFmaThread * kBlock); },
        [](std::size_t size) { return size / kElementsPerFmaThread * sizeof(Chains); },
        [](std::size_t size) {
            return std::vector<std::string>{"size=" + std::to_string(size), "block=" + std::to_string(kBlock),
                                            "threads=" + std::to_string(size / kElementsPerFmaThread),
                                            "fma_per_thread=" + std::to_string(kFmaChains * kFmaSteps)};
        });
}

} // namespace dormer::kernels
