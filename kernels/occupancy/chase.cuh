// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/answers.h"
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/inputs.cuh"
#include "kernels/harness/table.h"

/// Chains of loads, each of which gives the address of the next: a warp can only wait, and only other warps
/// fill the time. What L2 delivers then rises with the warps that an SM holds.
namespace dormer::kernels::occupancy {

/// Elements are threads; whole blocks of every size up to 1024.
inline constexpr std::size_t kStep = 1024;
// About four full waves on an H100, so that the last, partly filled one does not decide.
inline constexpr Sizes kSizes{std::size_t{1} << 20, std::size_t{1} << 14};
/// Lines of 128 bytes between an element and the next of its chain.
inline constexpr std::size_t kLinesAhead = 1021;

/// The lanes of a warp move together and stay neighbours: 4 sectors per load.
__host__ __device__ constexpr std::size_t elementAfter(std::size_t element, std::size_t steps,
                                                       std::size_t size) {
    return (element + steps * kLinesAhead * 32) % size;
}

struct Next {
    std::size_t size;
    __device__ unsigned operator()(std::size_t i) const {
        return static_cast<unsigned>(elementAfter(i, 1, size));
    }
};

/// Past L1, so that how full the SM is does not also change what it caches.
__device__ inline unsigned follow(const unsigned* next, unsigned element) {
    return __ldcg(next + element);
}

struct Chains {
    explicit Chains(const Setup& setup) : next(setup.size), last(setup.size) { fill(next, Next{setup.size}); }
    [[nodiscard]] unsigned threads() const { return static_cast<unsigned>(next.size()); }

    DeviceBuffer<unsigned> next;
    DeviceBuffer<unsigned> last; ///< shared by all variants, which therefore launch again before a check
};

struct IsLast {
    const unsigned* last;
    std::size_t size;
    std::size_t steps;
    __device__ bool operator()(std::size_t i) const { return last[i] == elementAfter(i, steps, size); }
};

inline CheckResult checkLast(const Chains& chains, std::size_t steps) {
    return checkEach(chains.last.size(), IsLast{chains.last.data(), chains.last.size(), steps},
                     "last[i] == the element " + std::to_string(steps) + " steps after i");
}

inline void poison(const Chains& chains) {
    CUDA_CHECK(cudaMemset(chains.last.data(), 0xFF, chains.last.bytes()));
}

/// Answers of every point: what it loads does not depend on how many warps fit.
inline std::vector<Expectation> answersChains(std::size_t size, std::size_t steps) {
    return {
        exactly("global_load_requests", static_cast<double>(size / 32 * steps), "one load per step and warp"),
        exactly("global_load_sectors_per_request", kCoalescedSectors,
                "the chains of neighbouring threads stay neighbours")};
}

/// What the runtime's occupancy calculator says of a launch on the current device.
template <typename Kernel>
std::vector<Expectation> occupancyByRuntime(Kernel kernel, unsigned block, std::size_t dynamicShared) {
    int blocks = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(block),
                                                             dynamicShared));
    int device = 0;
    int mostThreads = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&mostThreads, cudaDevAttrMaxThreadsPerMultiProcessor, device));
    const double warps = blocks * ((block + 31) / 32);
    const std::string why = "the occupancy calculator: " + std::to_string(blocks) + " blocks per SM";
    return {exactly("theoretical_occupancy", warps / (mostThreads / 32.0), why),
            exactly("blocks_per_sm", blocks, why)};
}

inline std::vector<std::string> parameters(std::size_t size) {
    return {"size=" + std::to_string(size)};
}

inline std::size_t roundSize(std::size_t wanted) {
    return roundUp(wanted, kStep);
}

inline std::size_t deviceBytes(std::size_t size) {
    return 2 * size * sizeof(unsigned);
}

} // namespace dormer::kernels::occupancy
