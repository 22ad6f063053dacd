// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/histogram/groups.h"
#include "kernels/histogram/temperatures.cuh"

namespace dormer::kernels::histogram {

namespace {

// As `shared`, but a thread that meets the same bin again counts in a register first, and pays for an atomic
// only when the bin changes. The more alike the input, the fewer atomics are left to collide.
template <int kBins>
__global__ void histogramRunLength(cuda::std::span<const float> temperatures, unsigned* bins) {
    __shared__ unsigned blockBins[kBins];
    for (unsigned bin = threadIdx.x; bin < kBins; bin += blockDim.x)
        blockBins[bin] = 0;
    __syncthreads();
    const std::size_t begin = blockIdx.x * kElementsPerBlock;
    const std::size_t end = min(begin + kElementsPerBlock, temperatures.size());
    // Whole blocks of elements: every thread has at least one.
    std::size_t i = begin + threadIdx.x;
    int runBin = binOf<kBins>(temperatures[i]);
    unsigned runLength = 1;
    for (i += blockDim.x; i < end; i += blockDim.x) {
        const int bin = binOf<kBins>(temperatures[i]);
        if (bin != runBin) {
            atomicAdd(&blockBins[runBin], runLength);
            runBin = bin;
            runLength = 0;
        }
        ++runLength;
    }
    atomicAdd(&blockBins[runBin], runLength);
    __syncthreads();
    for (unsigned bin = threadIdx.x; bin < kBins; bin += blockDim.x)
        atomicAdd(&bins[bin], blockBins[bin]);
}

template <int kBins>
void launch(Temperatures& t) {
    t.zero(kBins);
    histogramRunLength<kBins>
        <<<static_cast<unsigned>(blocksOf(t.values.size())), kBlock>>>(t.values.view(), t.bins.data());
}

constexpr double kAlike = 2; // "the same time": within this factor

std::vector<Expectation> answersUniform(std::size_t size) {
    return {atomics(0, size, 10, mergeReason(10)), readOnce(size),
            comparedTo("histogram/run_length_one_bin", "duration_ns", "<=", kAlike,
                       "merging runs takes the contention out of one bin; without runs there is little")};
}

std::vector<Expectation> answersOneBin(std::size_t size) {
    return {atomics(0, size, 10, mergeReason(10)), readOnce(size),
            exactly("shared_atomic_instructions", static_cast<double>(blocksOf(size) * (kBlock / 32)),
                    "each thread meets one run and counts it with one atomic"),
            comparedTo("histogram/run_length", "duration_ns", "<=", kAlike,
                       "merging runs takes the contention out of one bin; without runs there is little")};
}

template <Input kInput>
std::vector<Row<TemperaturesOf<kInput>>> rows(std::function<std::vector<Expectation>(std::size_t)> answers) {
    return {rowOf<10, kInput>({.name = "run_length",
                               .shows = "threads merge runs of one bin before the shared atomic: as fast on "
                                        "alike as on random input",
                               .answers = std::move(answers),
                               .good = true},
                              launch<10>)};
}

} // namespace

std::vector<Group> runLengthGroups() {
    return {groupOfRows<Input::Uniform>(rows<Input::Uniform>(answersUniform), kPrivateSizes, kBlock),
            groupOfRows<Input::OneBin>(rows<Input::OneBin>(answersOneBin), kPrivateSizes, kBlock)};
}

} // namespace dormer::kernels::histogram
