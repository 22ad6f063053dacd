// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/roofline/fma_chain.h"

#include "kernels/harness/answers.h"
#include "kernels/harness/device_buffer.h"
#include "kernels/harness/table.h"
#include "kernels/roofline/groups.h"

#include <cuda/std/cmath>

#include <array>
#include <cmath>

namespace dormer::kernels {

namespace {

constexpr unsigned kBlock = 256;
constexpr unsigned kLanes = 32;
// The chain x -> 0.999 x + 0.5 runs towards 500 without ever reaching a denormal or an overflow.
constexpr double kFactor = 0.999;
constexpr double kOffset = 0.5;

// Works in registers only. Factor and offset are arguments, so that the compiler can't fold the chain; the
// grid must be exact.
template <typename Real>
__global__ void fmaChain(Real factor, Real offset, cuda::std::span<Real> out) {
    const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    Real x[kFmaChains];
    for (int chain = 0; chain < kFmaChains; ++chain)
        x[chain] = static_cast<Real>(threadIdx.x % kLanes + chain * kLanes);
#pragma unroll 16
    for (int step = 0; step < kFmaSteps; ++step)
        for (int chain = 0; chain < kFmaChains; ++chain)
            x[chain] = cuda::std::fma(x[chain], factor, offset);
    Real sum = x[0];
    for (int chain = 1; chain < kFmaChains; ++chain)
        sum += x[chain];
    out[i] = sum;
}

/// What lane `lane` of every warp must have written, by the host's own correctly rounded FMA.
template <typename Real>
Real expectedOf(unsigned lane) {
    Real sum = 0;
    for (int chain = 0; chain < kFmaChains; ++chain) {
        Real x = static_cast<Real>(lane + chain * kLanes);
        for (int step = 0; step < kFmaSteps; ++step)
            x = std::fma(x, static_cast<Real>(kFactor), static_cast<Real>(kOffset));
        sum = chain == 0 ? x : sum + x;
    }
    return sum;
}

template <typename Real>
CheckResult checkChain(const DeviceBuffer<Real>& out) {
    std::array<Real, kLanes> expected{};
    for (unsigned lane = 0; lane < kLanes; ++lane)
        expected[lane] = expectedOf<Real>(lane);
    const std::vector<Real> results = out.toHost();
    for (std::size_t i = 0; i < results.size(); ++i)
        if (results[i] != expected[i % kLanes])
            return {false, "thread " + std::to_string(i) + " computed " + std::to_string(results[i]) +
                               ", the host " + std::to_string(expected[i % kLanes])};
    return {true, "equal to the host's FMA to the bit in all " + std::to_string(results.size()) + " threads"};
}

enum : std::size_t { kFp32, kFp64 };

struct Results {
    explicit Results(const Setup& setup)
        : blocks(static_cast<unsigned>(setup.size / kElementsPerFmaThread / kBlock)) {
        const std::size_t threads = std::size_t{blocks} * kBlock;
        if (setup.runs(kFp32)) fp32 = DeviceBuffer<float>(threads);
        if (setup.runs(kFp64)) fp64 = DeviceBuffer<double>(threads);
    }
    unsigned blocks;
    DeviceBuffer<float> fp32;
    DeviceBuffer<double> fp64;
};

std::vector<Expectation> answers(const char* metric, std::size_t size) {
    return {exactly(metric, static_cast<double>(fmaChainFlops(size / kElementsPerFmaThread)),
                    "2 per FMA, 4 chains of 1024, and 3 additions at the end of each thread"),
            verdict("compute", "it touches memory once per 8195 FLOPs")};
}

std::vector<Row<Results>> rows() {
    return {
        {{"fma_chain", "fused multiply-adds in registers, FP32: bound by the FMA pipe",
          [](std::size_t size) { return answers("flops_fp32", size); }},
         [](Results& v) {
             fmaChain<float><<<v.blocks, kBlock>>>(static_cast<float>(kFactor), static_cast<float>(kOffset),
                                                   v.fp32.span());
         },
         [](Results& v) { return checkChain(v.fp32); }},
        {{"fma_chain_fp64", "fused multiply-adds in registers, FP64: bound by the FP64 pipe",
          [](std::size_t size) { return answers("flops_fp64", size); }},
         [](Results& v) { fmaChain<double><<<v.blocks, kBlock>>>(kFactor, kOffset, v.fp64.span()); },
         [](Results& v) { return checkChain(v.fp64); }},
    };
}

std::size_t roundSize(std::size_t wanted) {
    return roundUp(wanted, kElementsPerFmaThread * kBlock);
}

std::vector<std::string> parameters(std::size_t size) {
    return {"size=" + std::to_string(size), "block=" + std::to_string(kBlock),
            "threads=" + std::to_string(size / kElementsPerFmaThread),
            "fma_per_thread=" + std::to_string(kFmaChains * kFmaSteps)};
}

} // namespace

Group fmaChainGroup() {
    return groupOf<Results>(
        rows(), Sizes{std::size_t{1} << 27, std::size_t{1} << 22}, roundSize,
        [](std::size_t size) { return size / kElementsPerFmaThread * (sizeof(float) + sizeof(double)); },
        parameters);
}

} // namespace dormer::kernels
