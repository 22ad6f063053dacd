// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/spmv/groups.h"
#include "kernels/spmv/problem.cuh"

#include <cub/block/block_scan.cuh>
#include <cuda/cmath>

#include <algorithm>

/// Work dealt out by steps of a merge (Merrill and Garland, "Merge-based Parallel Sparse Matrix-Vector
/// Multiplication", SC 2016): whatever the lengths of rows, every thread gets the same share.
namespace dormer::kernels {

namespace {

constexpr int kThreads = kSpmvBlock;
constexpr int kItems = 7; // odd: neighbouring threads' places in shared memory lie in different banks
constexpr int kTile = kThreads * kItems;

/// A place on the merge path: rows ended and nonzeros used up before it.
struct Place {
    int row, nonzero;
};

// Merges the list of row ends with the list 0, 1, 2 ... of nonzeros: a row ends after its nonzeros. The place
// that has `diagonal` steps behind it is found by bisection, without walking there.
__device__ Place placeOn(int diagonal, const int* rowEnds, int rows, int firstNonzero, int nonzeros) {
    int low = max(diagonal - nonzeros, 0);
    int high = min(diagonal, rows);
    while (low < high) {
        const int middle = (low + high) / 2;
        if (rowEnds[middle] <= firstNonzero + diagonal - middle - 1)
            low = middle + 1;
        else
            high = middle;
    }
    return {low, diagonal - low};
}

/// The sum that a thread, or all threads so far, has of the row it stopped in.
struct Carry {
    int row;
    float sum;
};

/// Keeps adding as long as it is the same row.
struct SumOfRow {
    __device__ Carry operator()(const Carry& before, const Carry& after) const {
        return {after.row, before.row == after.row ? before.sum + after.sum : after.sum};
    }
};

// y must be zero: rows that cross a block's edge are added to by all blocks they are in. Floats that are not
// integers would sum up in another order each time.
__global__ void spmvMerge(CsrMatrix matrix, cuda::std::span<const float> x, cuda::std::span<float> y) {
    using Scan = cub::BlockScan<Carry, kThreads, cub::BLOCK_SCAN_WARP_SCANS>;
    __shared__ typename Scan::TempStorage scanStorage;
    __shared__ Place edges[2];
    __shared__ int rowEnds[kTile + 1];
    __shared__ float products[kTile];

    const int rows = matrix.rows();
    const int steps = rows + matrix.nonzeros();
    if (threadIdx.x < 2) {
        const int diagonal = min(static_cast<int>(blockIdx.x + threadIdx.x) * kTile, steps);
        edges[threadIdx.x] = placeOn(diagonal, matrix.offsets.data() + 1, rows, 0, matrix.nonzeros());
    }
    __syncthreads();
    const Place first = edges[0];
    const int tileRows = edges[1].row - first.row;
    const int tileNonzeros = edges[1].nonzero - first.nonzero;

    // Loads are coalesced here, so that below each thread can walk through neighbouring items.
    for (int i = static_cast<int>(threadIdx.x); i < tileRows; i += kThreads)
        rowEnds[i] = matrix.offsets[first.row + i + 1];
    if (threadIdx.x == 0) rowEnds[tileRows] = matrix.nonzeros(); // ends after everything that is in the tile
    for (int i = static_cast<int>(threadIdx.x); i < tileNonzeros; i += kThreads)
        products[i] = matrix.values[first.nonzero + i] * x[matrix.columns[first.nonzero + i]];
    __syncthreads();

    const int tileSteps = tileRows + tileNonzeros;
    const int begin = min(static_cast<int>(threadIdx.x) * kItems, tileSteps);
    const int end = min(begin + kItems, tileSteps);
    Place place = placeOn(begin, rowEnds, tileRows, first.nonzero, tileNonzeros);
    const int firstRow = place.row;
    float sum = 0;
    float sumOfFirst = 0;
    for (int step = begin; step < end; ++step) {
        if (first.nonzero + place.nonzero < rowEnds[place.row]) {
            sum += products[place.nonzero++];
            continue;
        }
        // The row ends here. If it began here as well, nobody else has a part of it.
        if (place.row == firstRow)
            sumOfFirst = sum;
        else
            y[first.row + place.row] = sum;
        sum = 0;
        ++place.row;
    }

    Carry before{-1, 0};
    Carry all{-1, 0};
    Scan(scanStorage).ExclusiveScan(Carry{place.row, sum}, before, Carry{-1, 0}, SumOfRow{}, all);
    if (place.row > firstRow) {
        if (before.row == firstRow) sumOfFirst += before.sum;
        // The block's first row may have begun in an earlier block.
        if (firstRow == 0)
            atomicAdd(&y[first.row], sumOfFirst);
        else
            y[first.row + firstRow] = sumOfFirst;
    }
    // What is left belongs to a row that ends in a later block.
    if (threadIdx.x == kThreads - 1 && first.row + all.row < rows)
        atomicAdd(&y[first.row + all.row], all.sum);
}

void launch(Problem& p, std::size_t variant) {
    const CsrMatrix matrix = p.matrix(variant);
    const cuda::std::span<float> y = p.y(variant);
    CUDA_CHECK(cudaMemsetAsync(y.data(), 0, y.size_bytes()));
    const int blocks = cuda::ceil_div(matrix.rows() + matrix.nonzeros(), kTile);
    spmvMerge<<<static_cast<unsigned>(blocks), kThreads>>>(matrix, p.x(), y);
}

std::vector<Expectation> answers(std::size_t size) {
    const auto nonzeros = static_cast<double>(size);
    const double steps = nonzeros + static_cast<double>(rowsOf(size));
    return {
        atLeast("flops_fp32", 2 * nonzeros, "a multiplication and an addition per nonzero, and the joins"),
        exactly("shared_store_ways", 1, "products and row ends are stored by neighbouring threads"),
        exactly("grid_blocks", std::ceil(steps / kTile),
                "blocks share rows and nonzeros together, whatever the lengths of rows")};
}

std::vector<Expectation> answersOnPowerLaw(std::size_t size) {
    std::vector<Expectation> all = answers(size);
    all.push_back(comparedTo("spmv/merge/regular", "duration_ns", "<=", 1.5,
                             "every thread takes the same number of steps on either matrix"));
    all.push_back(comparedTo("spmv/vector/power_law", "duration_ns", "<=", 1,
                             "the longest row is shared by many blocks"));
    return all;
}

} // namespace

Group spmvMergeGroup() {
    return groupOfMethod(
        {.name = "merge",
         .regular = "equal shares of rows and nonzeros: what balancing costs where nothing is out of balance",
         .powerLaw = "equal shares of rows and nonzeros: the longest row is spread over many blocks",
         .launch = launch,
         .onRegular = answers,
         .onPowerLaw = answersOnPowerLaw});
}

} // namespace dormer::kernels
