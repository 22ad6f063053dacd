// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/answers.h"
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/inputs.cuh"
#include "kernels/harness/table.h"
#include "kernels/harness/words.cuh"

#include <cstdint>
#include <string>
#include <utility>

/// Loads in every pattern: one kernel that differs only in which element a thread reads. Each thread loads
/// one word and stores it at its own place, so that what a request asks of memory is the pattern's alone.
namespace dormer::kernels::access {

inline constexpr unsigned kBlock = 256; ///< whole warps only: a request is always 32 lanes

/// Where a load may find its data.
enum class Caching {
    AllLevels, ///< ld.global.ca: L1, then L2
    L2Only     ///< ld.global.cg: L1 is bypassed
};
template <Caching kCaching>
inline constexpr const char* kCachingSuffix = kCaching == Caching::L2Only ? "_cg" : "";
template <Caching kCaching>
inline constexpr const char* kCachingParameter = kCaching == Caching::L2Only ? "load=cg" : "load=ca";

template <Caching kCaching, typename Word>
__device__ Word load(const Word& word) {
    if constexpr (kCaching == Caching::L2Only)
        return __ldcg(&word);
    else
        return word;
}

template <Caching kCaching, typename Word, typename Pattern>
__global__ void readBy(cuda::std::span<const Word> in, cuda::std::span<Word> out, Pattern elementOf) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    out[i] = load<kCaching>(in[elementOf(i)]);
}

struct RandomPart {
    std::uint64_t seed;
    __device__ std::uint32_t operator()(std::size_t i) const {
        return static_cast<std::uint32_t>(mixed(seed, i));
    }
};

/// Device data of the threads of one launch, looked at as words of any width.
struct Memory {
    /// `inBytes` of input, and room for a word of `outBytes` of each thread.
    Memory(std::size_t threadCount, std::uint64_t wantedSeed, std::size_t inBytes, std::size_t outBytes)
        : threads(threadCount)
        , seed(wantedSeed)
        , in(inBytes / sizeof(std::uint32_t))
        , out(threadCount * outBytes / sizeof(std::uint32_t)) {
        fill(in, RandomPart{seed});
    }
    template <typename Word>
    [[nodiscard]] cuda::std::span<const Word> input() const {
        return {reinterpret_cast<const Word*>(in.data()), in.size() / kParts<Word>};
    }
    template <typename Word>
    [[nodiscard]] cuda::std::span<Word> output() const {
        return {reinterpret_cast<Word*>(out.data()), threads};
    }
    [[nodiscard]] unsigned blocks() const { return static_cast<unsigned>(threads / kBlock); }

    std::size_t threads;
    std::uint64_t seed;
    DeviceBuffer<std::uint32_t> in, out;
};

template <typename Word, typename Pattern>
struct IsRead {
    cuda::std::span<const Word> in;
    cuda::std::span<const Word> out;
    Pattern elementOf;
    __device__ bool operator()(std::size_t i) const { return areEqual(out[i], in[elementOf(i)]); }
};

/// A row that reads by patternOf(state). All rows of a group write to one output: the check poisons it and
/// launches again.
template <Caching kCaching, typename Word, typename State, typename PatternOf>
Row<State> readingRow(Variant variant, PatternOf patternOf) {
    const auto launch = [patternOf](State& state) {
        readBy<kCaching, Word><<<state.blocks(), kBlock>>>(state.template input<Word>(),
                                                           state.template output<Word>(), patternOf(state));
    };
    variant.parameters.push_back("bytes=" + std::to_string(kBytes<Word>));
    variant.parameters.emplace_back(kCachingParameter<kCaching>);
    return {std::move(variant), launch, [patternOf, launch](State& state) {
                CUDA_CHECK(cudaMemset(state.out.data(), 0xFF, state.out.bytes()));
                launch(state);
                using Pattern = decltype(patternOf(state));
                return checkEach(state.threads,
                                 IsRead<Word, Pattern>{state.template input<Word>(),
                                                       state.template output<Word>(), patternOf(state)},
                                 "out[i] == in[element(i)]");
            }};
}

/// What all loads of a group share: one full request per warp, and a coalesced store of the same width.
inline std::vector<Expectation> readingAnswers(std::size_t threads, unsigned bytes, double loadSectors,
                                               const std::string& why) {
    std::vector<Expectation> answers = globalSectors(
        loadSectors, why, bytes, "32 lanes write " + std::to_string(32 * bytes) + " neighbouring bytes");
    answers.push_back(exactly("global_load_requests", static_cast<double>(threads) / 32,
                              "each warp loads once, all lanes at a time"));
    return answers;
}

/// For loads that bypass L1.
inline Expectation neverInL1() {
    return {.metric = "l1_hit_rate",
            .relation = "<=",
            .value = 0.01,
            .why = "loads with .cg bypass L1, and the stores touch each sector once"};
}

inline std::size_t roundToBlocks(std::size_t wanted) {
    return roundUp(wanted, kBlock);
}

inline std::vector<std::string> parameters(std::size_t size) {
    return {"size=" + std::to_string(size), "block=" + std::to_string(kBlock)};
}

} // namespace dormer::kernels::access
