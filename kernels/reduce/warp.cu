// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/reduce/groups.h"
#include "kernels/reduce/sums.cuh"

#include <cub/warp/warp_reduce.cuh>

namespace dormer::kernels {

namespace {

/// Logical warps of a warp: as many as fit, beginning with its first lane.
template <unsigned kLogical>
constexpr unsigned kPerWarp = 32 / kLogical;
/// Integers that a block takes: one for each lane that belongs to a logical warp.
template <unsigned kLogical>
constexpr unsigned kTaken = kReduceWarps* kPerWarp<kLogical>* kLogical;

template <unsigned kLogical, Keep kKeep>
__global__ void warpSums(cuda::std::span<const unsigned> numbers, cuda::std::span<unsigned> results) {
    using WarpReduce = cub::WarpReduce<unsigned, kLogical>;
    __shared__ typename WarpReduce::TempStorage storage[kReduceWarps * kPerWarp<kLogical>];
    const unsigned lane = threadIdx.x % 32;
    if (lane >= kPerWarp<kLogical> * kLogical) return; // belongs to no logical warp
    const unsigned logicalWarp = threadIdx.x / 32 * kPerWarp<kLogical> + lane / kLogical;
    const unsigned i = blockIdx.x * kTaken<kLogical> + logicalWarp * kLogical + lane % kLogical;
    const unsigned sum = WarpReduce(storage[logicalWarp]).Sum(numbers[i]);
    if constexpr (kKeep == Keep::Everyone) {
        results[i] = sum;
    } else if (lane % kLogical == 0) {
        results[i / kLogical] = sum;
    }
}

// By hand, as a butterfly: in each step a lane adds what the lane at the other side of a half has, so that
// all lanes end with the sum.
template <Keep kKeep>
__global__ void warpShuffleSums(cuda::std::span<const unsigned> numbers, cuda::std::span<unsigned> results) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = numbers[i];
    for (unsigned half = 16; half > 0; half /= 2)
        sum += __shfl_xor_sync(0xFFFFFFFFU, sum, half);
    if constexpr (kKeep == Keep::Everyone) {
        results[i] = sum;
    } else if (i % 32 == 0) {
        results[i / 32] = sum;
    }
}

template <unsigned kLogical>
void launch(Numbers& n) {
    warpSums<kLogical, Keep::First>
        <<<n.blocks(kTaken<kLogical>), kReduceBlock>>>(n.numbers.view(), n.sums.span());
}

template <unsigned kLogical>
CheckResult check(Numbers& n) {
    return whereValid(n.check(launch<kLogical>, Share{kLogical}, "the first lane of each logical warp"), n,
                      kLogical, kTaken<kLogical>, [](auto numbers, auto returned) {
                          warpSums<kLogical, Keep::Everyone><<<1, kReduceBlock>>>(numbers, returned);
                      });
}

void launchShuffle(Numbers& n) {
    warpShuffleSums<Keep::First><<<n.blocks(), kReduceBlock>>>(n.numbers.view(), n.sums.span());
}

CheckResult checkShuffle(Numbers& n) {
    return whereValid(n.check(launchShuffle, Share{32}, "the first lane of each warp"), n, 32, kReduceBlock,
                      [](auto numbers, auto returned) {
                          warpShuffleSums<Keep::Everyone><<<1, kReduceBlock>>>(numbers, returned);
                      });
}

std::vector<Expectation> answersOf(std::size_t size, double loadSectors, const std::string& why) {
    std::vector<Expectation> answers =
        globalSectors(loadSectors, why, 1, "the sums of a warp lie side by side in one sector");
    answers.push_back(eachLoadedOnce(size));
    return answers;
}

std::vector<Expectation> answersShuffle(std::size_t size) {
    std::vector<Expectation> answers = answersOf(size, kCoalescedSectors, "32 lanes read neighbours");
    answers.push_back(
        exactly("shared_wavefronts", 0, "lanes exchange registers, not words of shared memory"));
    return answers;
}

std::vector<Expectation> answersOdd(std::size_t size) {
    std::vector<Expectation> answers = answersOf(size, 3, "24 lanes read 96 neighbouring bytes");
    const auto warps = static_cast<double>(size / (2 * kOddWarp));
    answers.push_back(
        exactly("grid_blocks", warps / kReduceWarps, "a block of 8 warps takes 8 x 24 integers"));
    answers.push_back(
        atLeast("shared_store_wavefronts", 4 * warps,
                "12 lanes need 4 steps, and each stores to shared memory: a logical warp that is "
                "no power of two doesn't shuffle"));
    return answers;
}

std::vector<Row<Numbers>> rows() {
    return {
        {{.name = "warp_32",
          .shows = "cub::WarpReduce over whole warps: the sum is in the first lane",
          .knownAnswers = answersShuffle,
          .parameters = {"lanes=32"},
          .good = true},
         launch<32>,
         check<32>},
        {{.name = "warp_8",
          .shows = "cub::WarpReduce over logical warps of 8 lanes: four sums a warp, in three steps",
          .knownAnswers = answersShuffle,
          .parameters = {"lanes=8"},
          .good = true},
         launch<8>,
         check<8>},
        {{.name = "warp_12",
          .shows = "cub::WarpReduce over 12 lanes, no power of two: through shared memory, and 8 lanes idle",
          .knownAnswers = answersOdd,
          .parameters = {"lanes=12"}},
         launch<kOddWarp>,
         check<kOddWarp>},
        {{.name = "warp_shuffle",
          .shows = "the same by hand, as a butterfly of shuffles: every lane ends with the sum",
          .knownAnswers = answersShuffle,
          .parameters = {"lanes=32"},
          .good = true},
         launchShuffle,
         checkShuffle},
    };
}

} // namespace

Group reduceWarpGroup() {
    return groupOf<Numbers>(rows(), kReduceSize, roundReduce, reduceBytes, reduceParameters);
}

} // namespace dormer::kernels
