// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/inputs.cuh"
#include "kernels/harness/table.h"
#include "kernels/stalls/groups.h"

namespace dormer::kernels::stalls {

namespace {

// Every thread follows four linked lists to their ends.
constexpr unsigned kLists = 4;
constexpr unsigned kHops = 128;
constexpr unsigned kElementsPerThread = 64;
constexpr std::size_t kStep = std::size_t{kElementsPerThread} * kLoneBlock;
// 4 MB: L2 keeps them.
constexpr Sizes kSizes{kLoneBlocks * kStep, 4 * kStep};

/// Lists of neighbouring threads stay neighbours, 1021 lines of 128 bytes on with each hop.
__host__ __device__ constexpr std::size_t elementAfter(std::size_t element, std::size_t hops,
                                                       std::size_t size) {
    return (element + hops * 1021 * 32) % size;
}

/// Past L1, so that each hop takes as long as the next.
__device__ unsigned follow(const unsigned* next, unsigned element) {
    return __ldcg(next + element);
}

__global__ void chaseOneByOne(const unsigned* next, unsigned* sums) {
    const unsigned threads = gridDim.x * blockDim.x;
    const unsigned thread = blockDim.x * blockIdx.x + threadIdx.x;
    unsigned sum = 0;
#pragma unroll 1 // unrolled, the compiler might follow the lists side by side, as the twin does
    for (unsigned list = 0; list < kLists; ++list) {
        unsigned element = list * threads + thread;
        for (unsigned hop = 0; hop < kHops; ++hop)
            element = follow(next, element);
        sum += element;
    }
    sums[thread] = sum;
}

__global__ void chaseInterleaved(const unsigned* next, unsigned* sums) {
    const unsigned threads = gridDim.x * blockDim.x;
    const unsigned thread = blockDim.x * blockIdx.x + threadIdx.x;
    unsigned elements[kLists];
    for (unsigned list = 0; list < kLists; ++list)
        elements[list] = list * threads + thread;
    for (unsigned hop = 0; hop < kHops; ++hop)
#pragma unroll
        for (unsigned& element : elements)
            element = follow(next, element);
    unsigned sum = 0;
    for (const unsigned element : elements)
        sum += element;
    sums[thread] = sum;
}

struct Next {
    std::size_t size;
    __device__ unsigned operator()(std::size_t i) const {
        return static_cast<unsigned>(elementAfter(i, 1, size));
    }
};

struct IsSum {
    const unsigned* sums;
    std::size_t threads;
    __device__ bool operator()(std::size_t i) const {
        unsigned sum = 0;
        for (std::size_t list = 0; list < kLists; ++list)
            sum +=
                static_cast<unsigned>(elementAfter(list * threads + i, kHops, threads * kElementsPerThread));
        return sums[i] == sum;
    }
};

struct Lists {
    explicit Lists(const Setup& setup) : next(setup.size), sums(setup.size / kElementsPerThread) {
        fill(next, Next{setup.size});
    }
    [[nodiscard]] unsigned blocks() const { return static_cast<unsigned>(sums.size() / kLoneBlock); }

    DeviceBuffer<unsigned> next;
    DeviceBuffer<unsigned> sums; // shared by both variants
};

template <void (*kKernel)(const unsigned*, unsigned*)>
void launch(Lists& l) {
    kKernel<<<l.blocks(), kLoneBlock>>>(l.next.data(), l.sums.data());
}

template <void (*kKernel)(const unsigned*, unsigned*)>
CheckResult check(Lists& l) {
    CUDA_CHECK(cudaMemset(l.sums.data(), 0xFF, l.sums.bytes()));
    launch<kKernel>(l);
    CUDA_CHECK(cudaGetLastError());
    return checkEach(l.sums.size(), IsSum{l.sums.data(), l.sums.size()},
                     "sums[i] == the sum of the ends of four lists");
}

std::vector<Expectation> answers(std::size_t size) {
    const auto warps = static_cast<double>(size / kElementsPerThread / 32);
    return {exactly("global_load_requests", warps * kLists * kHops, "a warp loads once per hop of each list"),
            exactly("global_load_sectors_per_request", kCoalescedSectors,
                    "the lists of neighbouring threads stay neighbours"),
            exactly("global_store_requests", warps, "a warp writes its sums once"),
            exactly("local_sectors", 0, "four elements fit into the registers")};
}

std::vector<Expectation> answersDependent(std::size_t size) {
    std::vector<Expectation> all = answers(size);
    all.push_back(comparedTo("stalls/chase_interleaved", "duration_ns", ">=", 2,
                             "one load in flight per warp where the twin has four"));
    return all;
}

std::vector<Row<Lists>> rows() {
    return {
        {{.name = "chase_dependent",
          .shows = "long scoreboard: each load gives the address of the next, and nothing else is in flight",
          .knownAnswers = answersDependent,
          .better = "stalls/chase_interleaved"},
         launch<chaseOneByOne>,
         check<chaseOneByOne>},
        {{.name = "chase_interleaved",
          .shows = "the same four lists side by side: four loads in flight per warp, one wait for all",
          .knownAnswers = answers},
         launch<chaseInterleaved>,
         check<chaseInterleaved>},
    };
}

} // namespace

Group chaseGroup() {
    return groupOf<Lists>(
        rows(), kSizes, [](std::size_t wanted) { return roundUp(wanted, kStep); },
        [](std::size_t size) { return (size + size / kElementsPerThread) * sizeof(unsigned); },
        [](std::size_t size) { return parameters(size, kLoneBlock); });
}

} // namespace dormer::kernels::stalls
