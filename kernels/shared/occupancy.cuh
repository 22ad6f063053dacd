// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/answers.h"
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/inputs.cuh"
#include "kernels/harness/table.h"

#include <algorithm>
#include <cstdint>

/// A kernel whose blocks take as much shared memory as they are told, and what that makes of occupancy.
namespace dormer::kernels::shared {

inline constexpr unsigned kPieceBlock = 128;
inline constexpr unsigned kKilobyte = 1024;

/// Turns a block's piece of the array round: stored into shared memory forwards, loaded from its end. Both
/// ways a warp's words fill all banks.
__device__ inline void reverse(std::uint32_t* piece, unsigned words, const std::uint32_t* in,
                               std::uint32_t* out) {
    for (unsigned i = threadIdx.x; i < words; i += blockDim.x)
        piece[i] = in[i];
    __syncthreads();
    for (unsigned i = threadIdx.x; i < words; i += blockDim.x)
        out[i] = piece[words - 1 - i];
}

struct RandomWord {
    std::uint64_t seed;
    __device__ std::uint32_t operator()(std::size_t i) const {
        return static_cast<std::uint32_t>(mixed(seed, i));
    }
};

struct IsReversed {
    const std::uint32_t *in, *out;
    std::size_t words;
    __device__ bool operator()(std::size_t i) const {
        return out[i] == in[i / words * words + (words - 1 - i % words)];
    }
};

struct Pieces {
    explicit Pieces(const Setup& setup) : in(setup.size), out(setup.size) {
        fill(in, RandomWord{setup.seed});
    }
    [[nodiscard]] unsigned blocks(std::size_t words) const {
        return static_cast<unsigned>(in.size() / words);
    }
    void poison() const { CUDA_CHECK(cudaMemset(out.data(), 0xFF, out.bytes())); }
    [[nodiscard]] CheckResult check(std::size_t words) const {
        return checkEach(in.size(), IsReversed{in.data(), out.data(), words},
                         "pieces of " + std::to_string(words) + " words are reversed");
    }

    DeviceBuffer<std::uint32_t> in, out;
};

inline std::vector<Expectation> piecesAnswers(std::size_t size, unsigned bytesPerBlock) {
    std::vector<Expectation> answers =
        globalSectors(4, "32 lanes read 128 neighbouring bytes", 4, "32 lanes write 128 neighbouring bytes");
    answers.push_back(exactly("shared_bytes_per_block", bytesPerBlock, "the array that a block declares"));
    answers.push_back(exactly("shared_load_wavefronts", static_cast<double>(size) / 32,
                              "a warp loads 32 neighbouring words at a time, from the end: all banks"));
    answers.push_back(exactly("shared_store_wavefronts", static_cast<double>(size) / 32,
                              "a warp stores 32 neighbouring words at a time: all banks"));
    return answers;
}

inline int attribute(cudaDeviceAttr which) {
    int device = 0;
    int value = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&value, which, device));
    return value;
}

/// What the runtime's calculator says of `kernel`.
template <typename Kernel>
std::vector<Expectation> calculatedOccupancy(Kernel* kernel, std::size_t dynamicBytes) {
    int blocks = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, kPieceBlock, dynamicBytes));
    const double occupancy =
        static_cast<double>(blocks) * kPieceBlock / attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
    return {exactly("blocks_per_sm", blocks, "the runtime's occupancy calculator"),
            exactly("theoretical_occupancy", occupancy, "the runtime's occupancy calculator"),
            onGpu({.metric = "achieved_occupancy",
                   .relation = "<=",
                   .value = occupancy * 1.001,
                   .why = "no more warps are active than fit"})};
}

/// What the shared memory of an SM lets it hold, were there nothing else.
inline Expectation blocksThatFit(std::size_t bytesPerBlock) {
    const auto all = static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor));
    const auto reserved = static_cast<std::size_t>(attribute(cudaDevAttrReservedSharedMemoryPerBlock));
    return {.metric = "blocks_per_sm",
            .relation = "<=",
            .value = static_cast<double>(all / (bytesPerBlock + reserved)),
            .why = "the SM's shared memory over what a block takes and what the system reserves for it"};
}

} // namespace dormer::kernels::shared
