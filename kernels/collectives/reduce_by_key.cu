// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/collectives/groups.h"
#include "kernels/collectives/tiles.h"
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/inputs.cuh"

#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_scan.cuh>

namespace dormer::kernels {

namespace {

/// Neighbours folded into one: how many runs begin among them, and the sum of the last run.
struct Folded {
    unsigned runs;
    unsigned sum;
};

/// Where a run begins on the right, the sum begins anew.
struct Fold {
    __device__ Folded operator()(const Folded& left, const Folded& right) const {
        return {left.runs + right.runs, right.runs > 0 ? right.sum : left.sum + right.sum};
    }
};

struct Differ {
    __device__ bool operator()(unsigned a, unsigned b) const { return a != b; }
};

/// The runs of a block, in the first places of its part of the arrays.
struct Runs {
    unsigned* keys;
    unsigned* sums;
    unsigned* count; ///< one per block
};

// A collective made of two others: where neighbours differ a run begins or ends, and a scan tells every
// thread the number of its run and the sum up to it. The last thread of a run has the whole.
__global__ void reduceByKey(cuda::std::span<const unsigned> keys, cuda::std::span<const unsigned> values,
                            Runs runs) {
    using Discontinuity = cub::BlockDiscontinuity<unsigned, kTileBlock>;
    using Scan = cub::BlockScan<Folded, kTileBlock>;
    __shared__ union {
        typename Discontinuity::TempStorage discontinuity;
        typename Scan::TempStorage scan;
    } storage; // one after the other in the same words

    const unsigned first = blockIdx.x * kTileBlock;
    unsigned key[1] = {keys[first + threadIdx.x]};
    const unsigned value = values[first + threadIdx.x];
    unsigned begins[1];
    unsigned ends[1];
    Discontinuity(storage.discontinuity).FlagHeadsAndTails(begins, ends, key, Differ{});
    __syncthreads(); // the scan takes the flags' words
    Folded run{begins[0], value};
    Scan(storage.scan).InclusiveScan(run, run, Fold{});

    if (ends[0] != 0) {
        runs.keys[first + run.runs - 1] = key[0];
        runs.sums[first + run.runs - 1] = run.sum;
    }
    if (threadIdx.x == kTileBlock - 1) runs.count[blockIdx.x] = run.runs;
}

/// Runs of 3, 6, 9, … equal keys.
struct Key {
    std::uint64_t seed;
    __device__ unsigned operator()(std::size_t i) const {
        return static_cast<unsigned>(mixed(seed, i / 3) >> 63);
    }
};

struct Value {
    std::uint64_t seed;
    __device__ unsigned operator()(std::size_t i) const {
        return static_cast<unsigned>(mixed(seed, i) >> 48);
    }
};

/// Walks along a block's keys and compares its runs one by one; behind them nobody may have written.
struct AreRuns {
    const unsigned *keys, *values;
    Runs runs;
    __device__ bool operator()(std::size_t block) const {
        const std::size_t first = block * kTileBlock;
        std::size_t run = first;
        unsigned sum = 0;
        for (std::size_t i = first; i < first + kTileBlock; ++i) {
            sum += values[i];
            if (i + 1 < first + kTileBlock && keys[i + 1] == keys[i]) continue;
            if (runs.keys[run] != keys[i] || runs.sums[run] != sum) return false;
            sum = 0;
            ++run;
        }
        if (runs.count[block] != run - first) return false;
        for (; run < first + kTileBlock; ++run)
            if (runs.keys[run] != ~0U || runs.sums[run] != ~0U) return false;
        return true;
    }
};

struct KeyedNumbers {
    explicit KeyedNumbers(const Setup& setup)
        : keys(setup.size)
        , values(setup.size)
        , runKeys(setup.size)
        , runSums(setup.size)
        , runCounts(setup.size / kTileBlock) {
        fill(keys, Key{setup.seed});
        fill(values, Value{setup.seed + 1});
    }
    [[nodiscard]] Runs runs() const { return {runKeys.data(), runSums.data(), runCounts.data()}; }

    DeviceBuffer<unsigned> keys, values;
    DeviceBuffer<unsigned> runKeys, runSums, runCounts;
};

std::vector<Expectation> answers(std::size_t size) {
    return {exactly("global_load_sectors_per_request", kCoalescedSectors, "32 lanes read neighbours"),
            exactly("global_load_sectors", static_cast<double>(size / 8 * 2),
                    "each key and each value is loaded once, 8 to a sector"),
            atLeast("global_store_sectors", static_cast<double>(size / kTileBlock * 3),
                    "each block writes a run's key, its sum and the number of runs at least")};
}

std::vector<Row<KeyedNumbers>> rows() {
    return {
        {{.name = "reduce_by_key",
          .shows =
              "sums of runs of equal keys within a block, from cub::BlockDiscontinuity and cub::BlockScan",
          .knownAnswers = answers},
         [](KeyedNumbers& n) {
             reduceByKey<<<static_cast<unsigned>(n.runCounts.size()), kTileBlock>>>(
                 n.keys.view(), n.values.view(), n.runs());
         },
         [](KeyedNumbers& n) {
             return checkEach(n.runCounts.size(), AreRuns{n.keys.data(), n.values.data(), n.runs()},
                              "keys and sums of a block's runs are those of a walk along it,");
         }},
    };
}

} // namespace

Group collectiveReduceByKeyGroup() {
    return groupOf<KeyedNumbers>(
        rows(), kTileSize, [](std::size_t wanted) { return roundUp(wanted, kTileBlock); },
        [](std::size_t size) { return 5 * size * sizeof(unsigned); }, tileParameters);
}

} // namespace dormer::kernels
