// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/access/groups.h"
#include "kernels/access/reading.cuh"

namespace dormer::kernels {

namespace {

using namespace access;

constexpr unsigned kWarps = kBlock / 32;

// A block has 1 KB of its own, and in each round every warp reads the piece that its neighbour read in the
// round before: 8 loads of every sector, the first from afar.
template <Caching kCaching>
__global__ void rereadPieces(cuda::std::span<const std::uint32_t> in, cuda::std::span<std::uint32_t> out) {
    const std::size_t begin = std::size_t{blockIdx.x} * kBlock;
    std::uint32_t sum = 0;
    for (unsigned round = 0; round < kWarps; ++round) {
        sum += load<kCaching>(in[begin + (threadIdx.x + 32 * round) % kBlock]);
        // Rounds stay apart: the barrier takes the sum, so it waits for the load. Loads that are under way to
        // one sector at once would be joined on their way to L2.
        __syncthreads_or(sum == ~0U ? 1 : 0);
    }
    out[begin + threadIdx.x] = sum;
}

struct IsSumOfPieces {
    const std::uint32_t *in, *out;
    __device__ bool operator()(std::size_t i) const {
        std::uint32_t sum = 0;
        for (std::size_t k = i % 32; k < kBlock; k += 32)
            sum += in[i / kBlock * kBlock + k];
        return out[i] == sum;
    }
};

struct Pieces : Memory {
    explicit Pieces(const Setup& setup)
        : Memory(setup.size, setup.seed, setup.size * sizeof(std::uint32_t), sizeof(std::uint32_t)) {}
};

std::vector<Expectation> answers(std::size_t size) {
    std::vector<Expectation> answers =
        globalSectors(kCoalescedSectors, "32 lanes read 128 neighbouring bytes", kCoalescedSectors,
                      "32 lanes write 128 neighbouring bytes");
    answers.push_back(exactly("global_load_requests", static_cast<double>(size) / 32 * kWarps,
                              "each of a block's warps loads once a round"));
    return answers;
}

std::vector<Expectation> answersCached(std::size_t size) {
    std::vector<Expectation> all = answers(size);
    // Of 8 loads and a store that look for a sector, 7 find it.
    all.push_back({.metric = "l1_hit_rate",
                   .relation = "~",
                   .value = (kWarps - 1.0) / (kWarps + 1),
                   .tolerance = 0.05,
                   .why = "a sector is loaded 8 times, 7 times out of L1, and one is stored"});
    return all;
}

std::vector<Expectation> answersBypassing(std::size_t size) {
    std::vector<Expectation> all = answers(size);
    all.push_back(neverInL1());
    all.push_back(comparedTo("access/reread", "l2_bytes", ">=", 2,
                             "L2 serves all 8 loads of a sector instead of the first"));
    return all;
}

template <Caching kCaching>
Row<Pieces> row(Variant variant) {
    const auto launch = [](Pieces& p) {
        rereadPieces<kCaching><<<p.blocks(), kBlock>>>(p.input<std::uint32_t>(), p.output<std::uint32_t>());
    };
    variant.parameters = {"bytes=4", kCachingParameter<kCaching>};
    return {std::move(variant), launch, [launch](Pieces& p) {
                CUDA_CHECK(cudaMemset(p.out.data(), 0xFF, p.out.bytes()));
                launch(p);
                return checkEach(p.threads, IsSumOfPieces{p.in.data(), p.out.data()},
                                 "out[i] is the sum of its block's 8 words");
            }};
}

std::vector<Row<Pieces>> rows() {
    return {
        row<Caching::AllLevels>({.name = "reread",
                                 .shows = "a block reads its 1 KB eight times: seven of eight loads hit L1",
                                 .knownAnswers = answersCached,
                                 .good = true}),
        row<Caching::L2Only>(
            {.name = "reread_cg",
             .shows = "the same loads bypassing L1: equal sectors per request, but L2 has to serve them all",
             .knownAnswers = answersBypassing,
             .better = "access/reread"}),
    };
}

} // namespace

Group accessRereadGroup() {
    return groupOf<Pieces>(
        rows(), Sizes{std::size_t{1} << 22, std::size_t{1} << 16}, roundToBlocks,
        [](std::size_t size) { return 2 * size * sizeof(std::uint32_t); }, parameters);
}

} // namespace dormer::kernels
