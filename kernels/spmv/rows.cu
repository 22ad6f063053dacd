// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/spmv/groups.h"
#include "kernels/spmv/problem.cuh"

#include <cuda/std/cmath>

/// Work dealt out by rows: a row to a thread, or to a warp.
namespace dormer::kernels {

namespace {

constexpr unsigned kLanes = 32;

// Neighbouring threads are in different rows: their loads lie a row apart. A warp runs as long as its longest
// row.
__global__ void spmvScalar(CsrMatrix matrix, cuda::std::span<const float> x, cuda::std::span<float> y) {
    const unsigned row = blockDim.x * blockIdx.x + threadIdx.x;
    float sum = 0;
    const int end = matrix.offsets[row + 1];
    for (int i = matrix.offsets[row]; i < end; ++i)
        sum = cuda::std::fma(matrix.values[i], x[matrix.columns[i]], sum);
    y[row] = sum;
}

// The lanes of a warp share a row and read it side by side. Short rows leave lanes idle, and the longest row
// still makes one warp work when all others are done.
__global__ void spmvVector(CsrMatrix matrix, cuda::std::span<const float> x, cuda::std::span<float> y) {
    const unsigned row = (blockDim.x * blockIdx.x + threadIdx.x) / kLanes;
    const unsigned lane = threadIdx.x % kLanes;
    float sum = 0;
    const int end = matrix.offsets[row + 1];
    for (int i = matrix.offsets[row] + static_cast<int>(lane); i < end; i += kLanes)
        sum = cuda::std::fma(matrix.values[i], x[matrix.columns[i]], sum);
    for (unsigned distance = kLanes / 2; distance > 1; distance /= 2)
        sum += __shfl_xor_sync(~0U, sum, distance);
    const float odd = __shfl_xor_sync(~0U, sum, 1);
    if (lane == 0) y[row] = sum + odd;
}

void launchScalar(Problem& p, std::size_t variant) {
    const CsrMatrix matrix = p.matrix(variant);
    spmvScalar<<<static_cast<unsigned>(matrix.rows()) / kSpmvBlock, kSpmvBlock>>>(matrix, p.x(),
                                                                                  p.y(variant));
}

void launchVector(Problem& p, std::size_t variant) {
    const CsrMatrix matrix = p.matrix(variant);
    constexpr unsigned kRowsPerBlock = kSpmvBlock / kLanes;
    spmvVector<<<static_cast<unsigned>(matrix.rows()) / kRowsPerBlock, kSpmvBlock>>>(matrix, p.x(),
                                                                                     p.y(variant));
}

std::vector<Expectation> scalarAnswers(std::size_t size) {
    return {exactly("flops_fp32", 2.0 * static_cast<double>(size), "one FMA per nonzero"),
            exactly("global_store_sectors_per_request", kCoalescedSectors,
                    "32 threads write 32 neighbouring results")};
}

std::vector<Expectation> scalarOnRegular(std::size_t size) {
    std::vector<Expectation> answers = scalarAnswers(size);
    // Of 32 turns with three loads each, two see 32 sectors and one at least 1; the ends of rows before them
    // take 4 and 5.
    constexpr double kSectors = 32 * (32 + 32 + 1) + 4 + 5;
    constexpr double kRequests = 32 * 3 + 2;
    answers.push_back(atLeast("global_load_sectors_per_request", kSectors / kRequests,
                              "rows are 128 bytes apart, so lanes read values and columns from 32 sectors"));
    answers.push_back(exactly("threads_per_warp", kLanes, "all rows are equally long"));
    return answers;
}

std::vector<Expectation> scalarOnPowerLaw(std::size_t size) {
    std::vector<Expectation> answers = scalarAnswers(size);
    answers.push_back(comparedTo("spmv/scalar/regular", "duration_ns", ">=", 3,
                                 "the longest row is hundreds of times as long, and one thread's"));
    return answers;
}

std::vector<Expectation> vectorAnswers(std::size_t size) {
    const double rows = static_cast<double>(rowsOf(size));
    return {
        exactly("flops_fp32", 2.0 * static_cast<double>(size) + rows * (kLanes * 4 + 1),
                "one FMA per nonzero, 4 additions in each lane to join a warp's sums, and one for its row"),
        exactly("global_store_sectors_per_request", 1, "one lane writes the result of its row")};
}

std::vector<Expectation> vectorOnRegular(std::size_t size) {
    std::vector<Expectation> answers = vectorAnswers(size);
    answers.push_back(comparedTo("spmv/scalar/regular", "global_load_sectors_per_request", "<=", 0.75,
                                 "lanes read values and columns side by side; x stays random"));
    return answers;
}

std::vector<Expectation> vectorOnPowerLaw(std::size_t size) {
    std::vector<Expectation> answers = vectorAnswers(size);
    answers.push_back(
        comparedTo("spmv/scalar/power_law", "duration_ns", "<=", 0.5, "32 lanes share the longest row"));
    return answers;
}

} // namespace

Group spmvScalarGroup() {
    return groupOfMethod(
        {.name = "scalar",
         .regular = "a thread per row, all rows alike: uncoalesced, because lanes are a row apart",
         .powerLaw = "a thread per row, one row with percents of the matrix: all wait for one thread",
         .launch = launchScalar,
         .onRegular = scalarOnRegular,
         .onPowerLaw = scalarOnPowerLaw,
         .betterOnRegular = "spmv/vector/regular",
         .betterOnPowerLaw = "spmv/merge/power_law"});
}

Group spmvVectorGroup() {
    return groupOfMethod(
        {.name = "vector",
         .regular = "a warp per row of 32 nonzeros: coalesced, every lane busy",
         .powerLaw =
             "a warp per row: short rows leave lanes idle, the longest still keeps one warp busy alone",
         .launch = launchVector,
         .onRegular = vectorOnRegular,
         .onPowerLaw = vectorOnPowerLaw,
         .betterOnPowerLaw = "spmv/merge/power_law"});
}

} // namespace dormer::kernels
