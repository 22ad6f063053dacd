// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/harness/answers.h"
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/inputs.cuh"
#include "kernels/harness/table.h"
#include "kernels/iterators/groups.h"

#include <cub/iterator/cache_modified_input_iterator.cuh>

namespace dormer::kernels {

namespace {

constexpr unsigned kBlock = 256;
constexpr int kLoads = 2 * kStencilReach + 1;
/// Elements before the first and after the last: a sector of each, so that no lane has to stay away.
constexpr std::size_t kHalo = 8;
static_assert(kHalo >= kStencilReach);

// Each element is requested by nine threads: the first pays, and the others find it in L1 if it was kept
// there.
template <typename In>
__global__ void sumNeighbours(In in, int* out) {
    const int i = static_cast<int>(blockDim.x * blockIdx.x + threadIdx.x);
    int sum = 0;
#pragma unroll
    for (int offset = -kStencilReach; offset <= kStencilReach; ++offset)
        sum += in[i + offset];
    out[i] = sum;
}

struct IsSumOfNeighbours {
    const int *in, *out;
    __device__ bool operator()(std::size_t i) const {
        int sum = 0;
        for (int k = 0; k < kLoads; ++k)
            sum += in[i + kHalo - kStencilReach + k];
        return out[i] == sum;
    }
};

struct SmallNumber {
    std::uint64_t seed;
    __device__ int operator()(std::size_t i) const { return static_cast<int>(mixed(seed, i) >> 40); }
};

struct Stencil {
    explicit Stencil(const Setup& setup) : in(setup.size + 2 * kHalo), out(setup.size) {
        fill(in, SmallNumber{setup.seed});
    }
    DeviceBuffer<int> in, out;
};

using Pointer = int*;
template <cub::CacheLoadModifier kModifier>
using Load = cub::CacheModifiedInputIterator<kModifier, int>;

template <typename In>
void launch(Stencil& s) {
    const auto blocks = static_cast<unsigned>(s.out.size() / kBlock);
    sumNeighbours<<<blocks, kBlock>>>(In{s.in.data() + kHalo}, s.out.data());
}

std::vector<Expectation> sectorAnswers() {
    // 32 words that begin at a sector's begin fill 4 sectors, others lie in 5; the reach is less than a
    // sector.
    return globalSectors(
        (kCoalescedSectors + (kLoads - 1) * (kCoalescedSectors + 1)) / kLoads,
        "one of nine loads begins at a sector's begin and touches 4 sectors, the others touch 5",
        kCoalescedSectors, "a warp writes 128 neighbouring bytes");
}

std::vector<Expectation> answersCached(std::size_t) {
    std::vector<Expectation> answers = sectorAnswers();
    // 44 of a warp's 48 sectors are requested, 4 stored; with what the neighbouring warps bring, fewer than 6
    // of the 44 are new. Half is a bound that holds whatever the stores count as.
    answers.push_back(
        onGpu(atLeast("l1_hit_rate", 0.5, "of a warp's 44 sectors requested, 6 at most are new")));
    return answers;
}

std::vector<Expectation> answersUncached(std::size_t) {
    std::vector<Expectation> answers = sectorAnswers();
    answers.push_back(comparedTo("iterators/stencil_ca", "l2_bytes", ">=", 2,
                                 "without L1 all 44 sectors of a warp come from L2 instead of about 5"));
    return answers;
}

template <typename In>
Row<Stencil> row(std::string load, std::string shows, bool cached) {
    return {{.name = "stencil_" + load,
             .shows = std::move(shows),
             .knownAnswers = cached ? answersCached : answersUncached,
             .parameters = {"load=" + load},
             .better = cached ? "" : "iterators/stencil_ca"},
            launch<In>,
            [](Stencil& s) {
                // The variants share the output.
                CUDA_CHECK(cudaMemset(s.out.data(), 0xFF, s.out.bytes()));
                launch<In>(s);
                CUDA_CHECK(cudaGetLastError());
                return checkEach(s.out.size(), IsSumOfNeighbours{s.in.data(), s.out.data()},
                                 "out[i] is the sum of nine neighbours");
            }};
}

std::vector<Row<Stencil>> rows() {
    return {
        row<Pointer>("plain", "plain pointer: loads are kept in L1, and nine threads share a word", true),
        row<Load<cub::LOAD_DEFAULT>>("default", "an iterator without a modifier: the plain pointer's loads",
                                     true),
        row<Load<cub::LOAD_LDG>>("ldg", "loads of data that nobody writes (ld.global.nc) are kept in L1",
                                 true),
        row<Load<cub::LOAD_CA>>("ca", "loads that ask for keeping in all caches (ld.ca)", true),
        row<Load<cub::LOAD_CG>>("cg", "loads that pass L1 by (ld.cg): all nine go to L2", false),
        row<Load<cub::LOAD_CS>>(
            "cs", "loads marked first to be evicted (ld.cs): still in L1 when a neighbour asks", true),
        row<Load<cub::LOAD_CV>>("cv", "loads that fetch again (ld.cv): all nine go to L2", false),
    };
}

} // namespace

Group iteratorsStencilGroup() {
    return groupOf<Stencil>(
        rows(), Sizes{std::size_t{1} << 25, std::size_t{1} << 21},
        [](std::size_t wanted) { return roundUp(wanted, kBlock); },
        [](std::size_t size) { return (2 * size + 2 * kHalo) * sizeof(int); },
        [](std::size_t size) {
            return std::vector<std::string>{"size=" + std::to_string(size), "block=" + std::to_string(kBlock),
                                            "type=int"};
        });
}

} // namespace dormer::kernels
