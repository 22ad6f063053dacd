// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/ceilings/device/device_code.cuh"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <type_traits>

namespace dormer::instrument::ceilings {

namespace {

/// Steps of one chain per round: long enough that the loop around them costs nothing (under 1 %).
constexpr int kSteps = 64;

// A step takes a value to another one and the next step exactly back: the result can be checked to the bit
// however many there were. The factors come from outside, so no compiler sees that.

/// x -> 1 - x by one multiply-add.
template <typename T>
struct FusedMultiplyAdd {
    using Value = T;
    static constexpr double kOperations = 2; ///< per step and thread
    T factor, summand;
    __device__ void step(T& x) const {
        if constexpr (std::is_same_v<T, float>)
            x = fmaf(x, factor, summand);
        else if constexpr (std::is_same_v<T, double>)
            x = fma(x, factor, summand);
        else
            x = x * factor + summand; // integers
    }
    __device__ T start(unsigned thread, int chain) const {
        return static_cast<T>((thread * 7 + chain * 13) % 1024) /
               static_cast<T>(std::is_integral_v<T> ? 1 : 1024);
    }
    __device__ bool equal(T a, T b) const { return a == b; }
};

struct HalfPairs {
    using Value = __half2;
    static constexpr double kOperations = 4;
    float factor, summand;
    __device__ void step(__half2& x) const {
        x = __hfma2(x, __float2half2_rn(factor), __float2half2_rn(summand));
    }
    __device__ __half2 start(unsigned thread, int chain) const {
        return __floats2half2_rn((thread * 7 + chain * 13) % 1024 / 1024.0F,
                                 (thread * 5 + chain) % 1024 / 1024.0F);
    }
    __device__ bool equal(__half2 a, __half2 b) const { return __hbeq2(a, b); }
};

struct Bfloat16Pairs {
    using Value = __nv_bfloat162;
    static constexpr double kOperations = 4;
    float factor, summand;
    __device__ void step(__nv_bfloat162& x) const {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
        x = __hfma2(x, __float2bfloat162_rn(factor), __float2bfloat162_rn(summand));
#endif
    }
    __device__ __nv_bfloat162 start(unsigned thread, int chain) const {
        return __floats2bfloat162_rn((thread * 7 + chain * 13) % 128 / 128.0F,
                                     (thread * 5 + chain) % 128 / 128.0F);
    }
    __device__ bool equal(__nv_bfloat162 a, __nv_bfloat162 b) const {
        return a.x == b.x && a.y == b.y;
    }
};

/// x -> b - x with b = -1, then x -> x ^ m with m = -1: one instruction each, of which no two can be merged,
/// and each the complement.
struct Additions {
    using Value = unsigned;
    static constexpr double kOperations = 1;
    unsigned minuend, mask;
    __device__ void step(unsigned& x) const { asm volatile("sub.u32 %0, %1, %0;" : "+r"(x) : "r"(minuend)); }
    __device__ void other(unsigned& x) const { asm volatile("xor.b32 %0, %0, %1;" : "+r"(x) : "r"(mask)); }
    __device__ unsigned start(unsigned thread, int chain) const { return (thread + chain) * kPattern; }
    __device__ bool equal(unsigned a, unsigned b) const { return a == b; }
};

/// x -> 1 / sqrt(x), which runs to 1 from anywhere. (Reciprocals of reciprocals the assembler leaves out.)
struct InverseRoots {
    using Value = float;
    static constexpr double kOperations = 1;
    __device__ void step(float& x) const { asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(x)); }
    __device__ float start(unsigned thread, int chain) const {
        return static_cast<float>((thread * 7 + chain * 13) % 1024 + 2);
    }
    __device__ bool equal(float end, float) const { return fabsf(end - 1) < 1e-4F; }
};

template <typename Work, int Chains>
__global__ void arithmeticKernel(Work work, int rounds, unsigned* wrong, ClockReading* reading) {
    const ClockScope scope(reading);
    typename Work::Value values[Chains];
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
    for (int chain = 0; chain < Chains; ++chain)
        values[chain] = work.start(thread, chain);
#pragma unroll 1
    for (int i = 0; i < rounds; ++i) {
#pragma unroll
        for (int step = 0; step < kSteps; ++step) {
#pragma unroll
            for (int chain = 0; chain < Chains; ++chain) {
                if constexpr (requires { work.other(values[chain]); }) {
                    if (step % 2 == 0)
                        work.step(values[chain]);
                    else
                        work.other(values[chain]);
                } else {
                    work.step(values[chain]);
                }
            }
        }
    }
    bool right = true;
#pragma unroll
    for (int chain = 0; chain < Chains; ++chain)
        right = right && work.equal(values[chain], work.start(thread, chain));
    if (!right) atomicAdd(wrong, 1U);
}

template <int Chains, typename Work>
void add(const Bench& bench, Work work, Buffer<unsigned>& wrong, std::vector<Candidate>& all) {
    for (const int perSm : {2, 4}) {
        for (const int threads : {256, 512}) {
            if (perSm * threads > 1024 && bench.capability() == 75) continue; // its SMs hold no more
            const int blocks = bench.smCount() * perSm;
            Candidate candidate;
            candidate.name = std::to_string(Chains) + " chains per thread, " + std::to_string(perSm) +
                             " blocks of " + std::to_string(threads) + " per SM";
            candidate.workPerRound = Work::kOperations * kSteps * Chains * blocks * threads;
            candidate.launch = [work, blocks, threads, &wrong](int rounds, ClockReading* reading) {
                arithmeticKernel<Work, Chains><<<blocks, threads>>>(work, rounds, wrong.data(), reading);
            };
            candidate.check = [&wrong](int) {
                const bool right = wrong.first() == 0;
                wrong.clear();
                return right;
            };
            all.push_back(std::move(candidate));
        }
    }
}

template <typename Work>
Measurement measure(Bench& bench, const char* resource, const char* method, Work work) {
    Buffer<unsigned> wrong(1);
    std::vector<Candidate> all;
    add<2>(bench, work, wrong, all);
    add<4>(bench, work, wrong, all);
    add<8>(bench, work, wrong, all);
    return bench.fastest(resource, method, all);
}

} // namespace

void measureArithmetic(Bench& bench, std::vector<Measurement>& found) {
    found.push_back(measure(bench, "fp32", "independent chains of FFMA", FusedMultiplyAdd<float>{-1, 1}));
    found.push_back(measure(bench, "fp64", "independent chains of DFMA", FusedMultiplyAdd<double>{-1, 1}));
    // No roof of FP16: the assembler gives one of two pipes all of it, and a mixture of both would pass this.
    found.push_back(measure(bench, "fp16_hfma2", "independent chains of HFMA2", HalfPairs{-1, 1}));
    if (bench.capability() >= 80)
        found.push_back(
            measure(bench, "bf16_hfma2", "independent chains of HFMA2.BF16", Bfloat16Pairs{-1, 1}));
    found.push_back(
        measure(bench, "integer", "independent chains of subtractions and xor", Additions{~0U, ~0U}));
    found.push_back(
        measure(bench, "integer_mad", "independent chains of IMAD", FusedMultiplyAdd<unsigned>{~0U, 1}));
    found.push_back(measure(bench, "special", "independent chains of MUFU.RSQ", InverseRoots{}));
}

} // namespace dormer::instrument::ceilings
