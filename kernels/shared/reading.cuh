// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/answers.h"
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/table.h"
#include "kernels/harness/words.cuh"
#include "kernels/shared/indices.h"

#include <cstdint>
#include <string>
#include <utility>

/// Loads from shared memory in every pattern: one kernel that differs only in the element at which a lane
/// begins.
namespace dormer::kernels::shared {

inline constexpr unsigned kBlock = 256;
/// Loads of a thread, from neighbouring elements: all lanes move on by one, from bank to bank, so that every
/// load has the pattern of the first.
inline constexpr unsigned kRounds = 32;
/// Room for 32 lanes 33 apart and the rounds that follow.
inline constexpr unsigned kElements = 33 * 32;

template <typename Word, typename Pattern>
__global__ void readShared(Pattern elementOf, cuda::std::span<std::uint32_t> out) {
    __shared__ Word words[kElements];
    for (unsigned i = threadIdx.x; i < kElements; i += blockDim.x)
        words[i] = wordAt<Word>(i);
    __syncthreads();
    const unsigned begin = elementOf(threadIdx.x % kLanes);
    std::uint32_t sum = 0;
    for (unsigned round = 0; round < kRounds; ++round)
        sum += sumOfParts(words[begin + round]);
    out[std::size_t{blockIdx.x} * blockDim.x + threadIdx.x] = sum;
}

struct Sums {
    explicit Sums(const Setup& setup) : seed(setup.seed), out(setup.size) {}
    [[nodiscard]] unsigned blocks() const { return static_cast<unsigned>(out.size() / kBlock); }

    std::uint64_t seed;
    DeviceBuffer<std::uint32_t> out;
};

/// The sum again, without shared memory.
template <typename Word, typename Pattern>
struct IsSum {
    Pattern elementOf;
    const std::uint32_t* out;
    __device__ bool operator()(std::size_t i) const {
        const unsigned begin = elementOf(static_cast<unsigned>(i % kLanes));
        std::uint32_t sum = 0;
        for (unsigned round = 0; round < kRounds; ++round)
            sum += sumOfParts(wordAt<Word>(begin + round));
        return out[i] == sum;
    }
};

/// A row that reads by patternOf(state). All rows of a group write to one output: the check poisons it and
/// launches again.
template <typename Word, typename State, typename PatternOf>
Row<State> readingRow(Variant variant, PatternOf patternOf) {
    const auto launch = [patternOf](State& state) {
        readShared<Word><<<state.blocks(), kBlock>>>(patternOf(state), state.out.span());
    };
    variant.parameters.push_back("bytes=" + std::to_string(kBytes<Word>));
    return {std::move(variant), launch, [patternOf, launch](State& state) {
                CUDA_CHECK(cudaMemset(state.out.data(), 0xFF, state.out.bytes()));
                launch(state);
                using Pattern = decltype(patternOf(state));
                return checkEach(state.out.size(), IsSum<Word, Pattern>{patternOf(state), state.out.data()},
                                 "out[i] is the sum of the 32 elements from element(i) on");
            }};
}

/// `wavefronts` of one request; without conflicts `ideal`.
inline std::vector<Expectation> readingAnswers(std::size_t threads, double wavefronts, double ideal,
                                               const std::string& why) {
    const double requests = static_cast<double>(threads) / kLanes * kRounds;
    return {exactly("shared_load_instructions", requests, "each warp loads once a round"),
            exactly("shared_load_wavefronts", requests * wavefronts, why),
            exactly("shared_load_ways", wavefronts / ideal, why),
            exactly("shared_store_ways", 1, "the elements are stored in order: all banks in turn")};
}

inline std::size_t roundToBlocks(std::size_t wanted) {
    return roundUp(wanted, kBlock);
}

inline std::vector<std::string> parameters(std::size_t size) {
    return {"size=" + std::to_string(size), "block=" + std::to_string(kBlock),
            "rounds=" + std::to_string(kRounds)};
}

/// 2^19 threads make 32-way conflicts of 127,000 passes on each of 132 SMs: some 75 us at 1.7 GHz.
inline constexpr Sizes kSizes{std::size_t{1} << 19, std::size_t{1} << 15};

} // namespace dormer::kernels::shared
