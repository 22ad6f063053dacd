// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/answers.h"
#include "kernels/transpose/matrices.cuh"

#include <utility>

/// Transposes that turn a tile in shared memory, so that both global accesses run along rows. What is left is
/// the order of words in shared memory: a warp stores along rows of the tile and loads down its columns.
namespace dormer::kernels::transposition {

/// Where a tile's element (row, column) lies.
template <int kTile>
struct Plain { ///< the words of a column are kTile apart, and so in few banks
    static constexpr int kPitch = kTile;
    __device__ static int wordOf(int row, int column) { return row * kPitch + column; }
};
template <int kTile>
struct Padded { ///< an unused word ends each row, so that each row begins one bank further on
    static constexpr int kPitch = kTile + 1;
    __device__ static int wordOf(int row, int column) { return row * kPitch + column; }
};
template <int kTile>
struct Swizzled { ///< each row has its words in another order; no word is wasted
    static constexpr int kPitch = kTile;
    __device__ static int wordOf(int row, int column) { return row * kPitch + (column ^ row); }
};

/// Which tile a block turns.
struct RowMajor {
    __device__ static int tileX() { return static_cast<int>(blockIdx.x); }
    __device__ static int tileY() { return static_cast<int>(blockIdx.y); }
};
/// Neighbouring blocks turn tiles along diagonals, so that they neither read nor write the same columns of
/// the matrix: once that spread them over the partitions of memory.
struct Diagonal {
    __device__ static int tileX() { return static_cast<int>((blockIdx.x + blockIdx.y) % gridDim.x); }
    __device__ static int tileY() { return static_cast<int>(blockIdx.x); }
};

template <int kTile, int kRows, template <int> typename Layout, typename Order = RowMajor>
__global__ void transposeTiled(Matrix<const float> in, Matrix<float> out) {
    __shared__ float tile[kTile * Layout<kTile>::kPitch];
    const int inX = Order::tileX() * kTile + threadIdx.x;
    const int inY = Order::tileY() * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += kRows)
        tile[Layout<kTile>::wordOf(threadIdx.y + j, threadIdx.x)] = in(inY + j, inX);
    __syncthreads();
    const int outX = Order::tileY() * kTile + threadIdx.x;
    const int outY = Order::tileX() * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += kRows)
        out(outY + j, outX) = tile[Layout<kTile>::wordOf(threadIdx.x, threadIdx.y + j)];
}

/// Ways of a warp's stores along a tile's rows and of its loads down a column.
struct BankFacts {
    double storeWays, loadWays;
    std::string whyStores, whyLoads;
};

inline std::vector<Expectation> tiledAnswers(const BankFacts& banks) {
    std::vector<Expectation> answers =
        globalSectors(kCoalescedSectors, "a warp reads along rows, whole sectors", kCoalescedSectors,
                      "a warp writes along rows, whole sectors");
    answers.push_back(exactly("shared_store_ways", banks.storeWays, banks.whyStores));
    answers.push_back(exactly("shared_load_ways", banks.loadWays, banks.whyLoads));
    return answers;
}

/// `timed`: what holds of its time on large matrices.
template <typename Kernel>
Row<Matrices> tiledRow(std::size_t place, Variant variant, Kernel* kernel, int tile, int rows,
                       const BankFacts& banks, const std::vector<Expectation>& timed) {
    variant.knownAnswers = [banks, timed](std::size_t size) {
        std::vector<Expectation> answers = tiledAnswers(banks);
        if (size >= kTimedSize) answers.insert(answers.end(), timed.begin(), timed.end());
        return answers;
    };
    const dim3 block{static_cast<unsigned>(tile), static_cast<unsigned>(rows)};
    return {std::move(variant),
            [=](Matrices& m) { kernel<<<m.grid(tile), block>>>(m.input(), m.output(place)); },
            [=](Matrices& m) { return m.checkTransposed(place); }};
}

} // namespace dormer::kernels::transposition
