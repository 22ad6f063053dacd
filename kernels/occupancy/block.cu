// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/occupancy/chase.cuh"
#include "kernels/occupancy/groups.h"

namespace dormer::kernels::occupancy {

namespace {

constexpr unsigned kSteps = 32;

__global__ void followChains(const unsigned* next, unsigned* last, unsigned threads) {
    const unsigned thread = blockDim.x * blockIdx.x + threadIdx.x;
    if (thread >= threads) return;
    unsigned element = thread;
    for (unsigned step = 0; step < kSteps; ++step)
        element = follow(next, element);
    last[thread] = element;
}

void launch(Chains& c, unsigned block) {
    followChains<<<cuda::ceil_div(c.threads(), block), block>>>(c.next.data(), c.last.data(), c.threads());
}

Row<Chains> row(unsigned block) {
    return {
        {.name = "block/" + std::to_string(block),
         .shows = "chained loads in blocks of " + std::to_string(block) +
                  " threads: too small and the SM runs out of block slots, too large and a block doesn't fit",
         .knownAnswers =
             [block](std::size_t size) {
                 std::vector<Expectation> answers = answersChains(size, kSteps);
                 answers.push_back(exactly("block_threads", block, "the parameter of this point"));
                 return answers;
             },
         .parameters = {"block=" + std::to_string(block)},
         .sweep = "block"},
        [block](Chains& c) { launch(c, block); },
        [block](Chains& c) {
            poison(c);
            launch(c, block);
            CUDA_CHECK(cudaGetLastError());
            return checkLast(c, kSteps);
        },
        [block](Chains&) { return occupancyByRuntime(followChains, block, 0); }};
}

std::vector<Row<Chains>> rows() {
    std::vector<Row<Chains>> all;
    for (const unsigned block : {32U, 64U, 96U, 128U, 192U, 256U, 384U, 512U, 768U, 1024U})
        all.push_back(row(block));
    return all;
}

} // namespace

Group blockGroup() {
    return groupOf<Chains>(rows(), kSizes, roundSize, deviceBytes, parameters);
}

} // namespace dormer::kernels::occupancy
