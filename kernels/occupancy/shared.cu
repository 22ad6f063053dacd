// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/occupancy/chase.cuh"
#include "kernels/occupancy/groups.h"

namespace dormer::kernels::occupancy {

namespace {

constexpr unsigned kSteps = 32;
constexpr unsigned kBlock = 64; // small, so that shared memory decides

/// A block that asks for dynamic shared memory has it whether it needs it or not; this one takes one word.
__global__ void followChainsHoldingShared(const unsigned* next, unsigned* last, unsigned threads) {
    const unsigned thread = blockDim.x * blockIdx.x + threadIdx.x;
    if (thread >= threads) return;
    unsigned element = thread;
    for (unsigned step = 0; step < kSteps; ++step)
        element = follow(next, element);
    last[thread] = element;
}

void launch(Chains& c, unsigned bytes) {
    followChainsHoldingShared<<<c.threads() / kBlock, kBlock, bytes>>>(c.next.data(), c.last.data(),
                                                                       c.threads());
}

constexpr unsigned kMost = 48U << 10; // more must be requested, and not every GPU has it

std::vector<Expectation> answers(std::size_t size, unsigned bytes) {
    std::vector<Expectation> all = answersChains(size, kSteps);
    if (bytes > 0) all.push_back(exactly("shared_bytes_per_block", bytes, "the parameter of this point"));
    if (bytes == kMost)
        all.push_back(comparedTo("occupancy/shared/0", "duration_ns", ">=", 1.5,
                                 "an eighth or less of the warps keeps that much fewer loads in flight"));
    return all;
}

Row<Chains> row(unsigned bytes) {
    return {{.name = "shared/" + std::to_string(bytes),
             .shows = "chained loads in blocks that hold " + std::to_string(bytes) +
                      " bytes of shared memory: fewer blocks fit as they grow",
             .knownAnswers = [bytes](std::size_t size) { return answers(size, bytes); },
             .parameters = {"shared=" + std::to_string(bytes)},
             .sweep = "shared",
             .better = bytes == kMost ? "occupancy/shared/0" : ""},
            [bytes](Chains& c) { launch(c, bytes); },
            [bytes](Chains& c) {
                poison(c);
                launch(c, bytes);
                CUDA_CHECK(cudaGetLastError());
                return checkLast(c, kSteps);
            },
            [bytes](Chains&) { return occupancyByRuntime(followChainsHoldingShared, kBlock, bytes); }};
}

std::vector<Row<Chains>> rows() {
    std::vector<Row<Chains>> all;
    for (const unsigned kilobytes : {0U, 4U, 8U, 12U, 16U, 24U, 32U, 48U})
        all.push_back(row(kilobytes << 10));
    return all;
}

} // namespace

Group sharedGroup() {
    return groupOf<Chains>(rows(), kSizes, roundSize, deviceBytes, [](std::size_t size) {
        std::vector<std::string> all = parameters(size);
        all.push_back("block=" + std::to_string(kBlock));
        return all;
    });
}

} // namespace dormer::kernels::occupancy
