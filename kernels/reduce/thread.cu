// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/reduce/groups.h"
#include "kernels/reduce/sums.cuh"

#include <cub/block/block_load.cuh>
#include <cub/thread/thread_reduce.cuh>

namespace dormer::kernels {

namespace {

// Striped: in each step the lanes of a warp load neighbours, although each thread adds up on its own.
__global__ void threadSums(cuda::std::span<const unsigned> numbers, cuda::std::span<unsigned> sums) {
    unsigned items[kReduceThreadItems];
    cub::LoadDirectStriped<kReduceBlock>(
        threadIdx.x, numbers.data() + std::size_t{blockIdx.x} * kReduceBlock * kReduceThreadItems, items);
    sums[blockIdx.x * kReduceBlock + threadIdx.x] = cub::ThreadReduce(items, cuda::std::plus<>());
}

void launch(Numbers& n) {
    threadSums<<<n.blocks(std::size_t{kReduceBlock} * kReduceThreadItems), kReduceBlock>>>(n.numbers.view(),
                                                                                           n.sums.span());
}

std::vector<Expectation> answers(std::size_t size) {
    std::vector<Expectation> answers =
        globalSectors(kCoalescedSectors, "32 lanes read neighbours in each step", kCoalescedSectors,
                      "32 lanes write neighbouring sums");
    answers.push_back(eachLoadedOnce(size));
    answers.push_back(exactly("shared_wavefronts", 0, "threads don't speak to each other"));
    answers.push_back(verdict("memory", "one addition for each 4 bytes of DRAM"));
    return answers;
}

std::vector<Row<Numbers>> rows() {
    return {
        {{.name = "thread",
          .shows = "each thread adds up 16 integers of its own (cub::ThreadReduce): nobody waits for anybody",
          .knownAnswers = answers,
          .parameters = {"items=16"},
          .good = true},
         launch,
         [](Numbers& n) {
             return n.check(launch, Share{kReduceThreadItems, kReduceBlock}, "each thread");
         }},
    };
}

} // namespace

Group reduceThreadGroup() {
    return groupOf<Numbers>(rows(), kReduceSize, roundReduce, reduceBytes, reduceParameters);
}

} // namespace dormer::kernels
