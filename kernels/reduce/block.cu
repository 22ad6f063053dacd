// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/reduce/groups.h"
#include "kernels/reduce/sums.cuh"

#include <cub/block/block_reduce.cuh>

namespace dormer::kernels {

namespace {

template <cub::BlockReduceAlgorithm kAlgorithm, Keep kKeep>
__global__ void blockSums(cuda::std::span<const unsigned> numbers, cuda::std::span<unsigned> results) {
    using BlockReduce = cub::BlockReduce<unsigned, kReduceBlock, kAlgorithm>;
    __shared__ typename BlockReduce::TempStorage storage;
    const unsigned i = blockIdx.x * kReduceBlock + threadIdx.x;
    const unsigned sum = BlockReduce(storage).Sum(numbers[i]);
    if constexpr (kKeep == Keep::Everyone) {
        results[i] = sum;
    } else if (threadIdx.x == 0) {
        results[blockIdx.x] = sum;
    }
}

template <cub::BlockReduceAlgorithm kAlgorithm>
void launch(Numbers& n) {
    blockSums<kAlgorithm, Keep::First><<<n.blocks(), kReduceBlock>>>(n.numbers.view(), n.sums.span());
}

template <cub::BlockReduceAlgorithm kAlgorithm>
CheckResult check(Numbers& n) {
    return whereValid(n.check(launch<kAlgorithm>, Share{kReduceBlock}, "thread 0 of each block"), n,
                      kReduceBlock, kReduceBlock, [](auto numbers, auto returned) {
                          blockSums<kAlgorithm, Keep::Everyone><<<1, kReduceBlock>>>(numbers, returned);
                      });
}

std::vector<Expectation> answers(std::size_t size) {
    return {eachLoadedOnce(size),
            exactly("global_load_sectors_per_request", kCoalescedSectors, "32 lanes read neighbours"),
            exactly("global_store_sectors", static_cast<double>(size / kReduceBlock),
                    "thread 0 of each block writes one sum")};
}

std::vector<Expectation> answersRaking(std::size_t size) {
    std::vector<Expectation> all = answers(size);
    all.push_back(exactly("shared_store_wavefronts", static_cast<double>(size / 32 * 2),
                          "each warp stores what its threads have; the padding behind every 8 words, which "
                          "frees the raking of conflicts, puts 32 lanes on 35 words, and the last 3 meet "
                          "others"));
    return all;
}

std::vector<Expectation> answersCommutative(std::size_t size) {
    std::vector<Expectation> all = answers(size);
    all.push_back(exactly("shared_store_wavefronts", static_cast<double>(size / 32 / 8 * 7),
                          "each warp stores what its threads have, but the one that adds all up"));
    return all;
}

std::vector<Expectation> answersWarps(std::size_t size) {
    std::vector<Expectation> all = answers(size);
    all.push_back(exactly("shared_store_wavefronts", static_cast<double>(size / 32),
                          "the first lane of each warp stores the warp's sum"));
    all.push_back(comparedTo("reduce/block_raking", "shared_wavefronts", "<=", 1,
                             "what crosses shared memory is one word per warp, not one per thread"));
    return all;
}

std::vector<Row<Numbers>> rows() {
    using enum cub::BlockReduceAlgorithm;
    return {
        {{.name = "block_raking",
          .shows = "cub::BlockReduce: all threads store, one warp rakes through segments in order",
          .knownAnswers = answersRaking,
          .parameters = {"algorithm=raking"}},
         launch<BLOCK_REDUCE_RAKING>,
         check<BLOCK_REDUCE_RAKING>},
        {{.name = "block_raking_commutative",
          .shows =
              "cub::BlockReduce where the order doesn't matter: the raking warp keeps its own in registers",
          .knownAnswers = answersCommutative,
          .parameters = {"algorithm=raking_commutative_only"},
          .good = true},
         launch<BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>,
         check<BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>},
        {{.name = "block_warp_reductions",
          .shows = "cub::BlockReduce: each warp by shuffles, then one sum a warp through shared memory",
          .knownAnswers = answersWarps,
          .parameters = {"algorithm=warp_reductions"}},
         launch<BLOCK_REDUCE_WARP_REDUCTIONS>,
         check<BLOCK_REDUCE_WARP_REDUCTIONS>},
    };
}

} // namespace

Group reduceBlockGroup() {
    return groupOf<Numbers>(rows(), kReduceSize, roundReduce, reduceBytes, reduceParameters);
}

} // namespace dormer::kernels
