// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/collectives/groups.h"
#include "kernels/collectives/tiles.h"
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/inputs.cuh"

#include <cub/block/block_scan.cuh>

namespace dormer::kernels {

namespace {

// Kogge and Stone's scan: in each step every thread adds what the thread 1, 2, 4, … before it has, so that
// log2(256) = 8 steps do. Zeros in front of the block's values spare the question whether there is one.
__global__ void scanKoggeStone(cuda::std::span<const unsigned> in, cuda::std::span<unsigned> out) {
    __shared__ unsigned padded[2 * kTileBlock];
    const unsigned i = blockIdx.x * kTileBlock + threadIdx.x;
    unsigned* const mine = &padded[kTileBlock + threadIdx.x];
    unsigned sum = in[i];
    padded[threadIdx.x] = 0;
    *mine = sum;
    for (unsigned before = 1; before < kTileBlock; before *= 2) {
        __syncthreads();
        sum += *(mine - before);
        __syncthreads(); // all have read before anybody writes
        *mine = sum;
    }
    out[i] = sum;
}

template <cub::BlockScanAlgorithm kAlgorithm>
__global__ void scanCub(cuda::std::span<const unsigned> in, cuda::std::span<unsigned> out) {
    using BlockScan = cub::BlockScan<unsigned, kTileBlock, kAlgorithm>;
    __shared__ typename BlockScan::TempStorage storage;
    const unsigned i = blockIdx.x * kTileBlock + threadIdx.x;
    unsigned sum = in[i];
    BlockScan(storage).InclusiveSum(sum, sum);
    out[i] = sum;
}

using Kernel = void (*)(cuda::std::span<const unsigned>, cuda::std::span<unsigned>);

struct Number {
    std::uint64_t seed;
    __device__ unsigned operator()(std::size_t i) const {
        return static_cast<unsigned>(mixed(seed, i) >> 48);
    }
};

struct ArePrefixSums {
    const unsigned *in, *out;
    __device__ bool operator()(std::size_t i) const {
        return out[i] == (i % kTileBlock == 0 ? 0 : out[i - 1]) + in[i];
    }
};

struct Scans {
    explicit Scans(const Setup& setup) : in(setup.size), out(setup.size) { fill(in, Number{setup.seed}); }

    DeviceBuffer<unsigned> in, out; ///< `out` is shared by the variants
};

template <Kernel kKernel>
void launch(Scans& s) {
    kKernel<<<static_cast<unsigned>(s.in.size() / kTileBlock), kTileBlock>>>(s.in.view(), s.out.span());
}

template <Kernel kKernel>
CheckResult check(Scans& s) {
    CUDA_CHECK(cudaMemset(s.out.data(), 0xFF, s.out.bytes()));
    launch<kKernel>(s);
    CUDA_CHECK(cudaGetLastError());
    return checkEach(s.in.size(), ArePrefixSums{s.in.data(), s.out.data()},
                     "out[i] == out[i-1] + in[i] within each block");
}

std::vector<Expectation> answers() {
    return globalSectors(kCoalescedSectors, "32 lanes read neighbours", kCoalescedSectors,
                         "32 lanes write neighbours");
}

std::vector<Expectation> answersKoggeStone(std::size_t size) {
    std::vector<Expectation> all = answers();
    const auto warps = static_cast<double>(size / 32);
    all.push_back(exactly("shared_load_wavefronts", 8 * warps, "8 steps, in each one load by each warp"));
    all.push_back(exactly("shared_store_wavefronts", (2 + 8) * warps,
                          "a zero, the value and then one store in each of 8 steps, by each warp"));
    all.push_back(exactly("shared_ways", 1, "neighbouring lanes, neighbouring words, whatever the distance"));
    return all;
}

std::vector<Expectation> answersRaking(std::size_t size) {
    std::vector<Expectation> all = answers();
    all.push_back(atLeast("shared_store_wavefronts", static_cast<double>(size / 32) * 2,
                          "each warp stores its values, and the raking warp the sums before them"));
    return all;
}

std::vector<Expectation> answersWarpScans(std::size_t size) {
    std::vector<Expectation> all = answers();
    all.push_back(exactly("shared_store_wavefronts", static_cast<double>(size / 32),
                          "the last lane of each warp stores the warp's sum"));
    all.push_back(comparedTo("collectives/scan_kogge_stone", "shared_wavefronts", "<=", 0.75,
                             "five of the eight steps are shuffles"));
    return all;
}

std::vector<Row<Scans>> rows() {
    using enum cub::BlockScanAlgorithm;
    return {
        {{.name = "scan_kogge_stone",
          .shows = "a block's prefix sum by hand (Kogge-Stone): 8 steps through shared memory, 16 barriers",
          .knownAnswers = answersKoggeStone,
          .better = "collectives/scan_cub_warp_scans"},
         launch<scanKoggeStone>,
         check<scanKoggeStone>},
        {{.name = "scan_cub_raking",
          .shows = "cub::BlockScan, raking: one warp scans segments of all threads' values",
          .knownAnswers = answersRaking,
          .parameters = {"algorithm=raking"}},
         launch<scanCub<BLOCK_SCAN_RAKING>>,
         check<scanCub<BLOCK_SCAN_RAKING>>},
        {{.name = "scan_cub_warp_scans",
          .shows = "cub::BlockScan, warp scans: shuffles within each warp, one word per warp through shared "
                   "memory",
          .knownAnswers = answersWarpScans,
          .parameters = {"algorithm=warp_scans"},
          .good = true},
         launch<scanCub<BLOCK_SCAN_WARP_SCANS>>,
         check<scanCub<BLOCK_SCAN_WARP_SCANS>>},
    };
}

} // namespace

Group collectiveScanGroup() {
    return groupOf<Scans>(
        rows(), kTileSize, [](std::size_t wanted) { return roundUp(wanted, kTileBlock); },
        [](std::size_t size) { return 2 * size * sizeof(unsigned); }, tileParameters);
}

} // namespace dormer::kernels
