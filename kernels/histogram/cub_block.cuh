// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/histogram/temperatures.cuh"

#include <cub/block/block_histogram.cuh>

/// cub::BlockHistogram in a kernel of its own; each algorithm is compiled in a file of its own.
namespace dormer::kernels::histogram {

inline constexpr int kItems = 16; // samples that a thread holds at once
inline constexpr std::size_t kTile = std::size_t{kBlock} * kItems;
static_assert(kElementsPerBlock % kTile == 0);

/// Needs whole tiles.
template <cub::BlockHistogramAlgorithm kAlgorithm, int kBins>
__global__ void histogramCubBlock(cuda::std::span<const float> temperatures, unsigned* bins) {
    using Histogram = cub::BlockHistogram<unsigned char, kBlock, kItems, kBins, kAlgorithm>;
    __shared__ typename Histogram::TempStorage storage;
    __shared__ unsigned blockBins[kBins];
    Histogram histogram(storage);
    histogram.InitHistogram(blockBins);
    __syncthreads();
    const std::size_t begin = blockIdx.x * kElementsPerBlock;
    const std::size_t end = min(begin + kElementsPerBlock, temperatures.size());
    for (std::size_t tile = begin; tile < end; tile += kTile) {
        // Which thread holds which sample does not matter to a histogram: striped, so that loads coalesce.
        unsigned char samples[kItems];
        for (int item = 0; item < kItems; ++item)
            samples[item] =
                static_cast<unsigned char>(binOf<kBins>(temperatures[tile + item * kBlock + threadIdx.x]));
        histogram.Composite(samples, blockBins);
        __syncthreads(); // the storage is used again, and at last the bins are read
    }
    for (unsigned bin = threadIdx.x; bin < kBins; bin += blockDim.x)
        atomicAdd(&bins[bin], blockBins[bin]);
}

/// `better` as in Method; empty: there is nothing to find in it.
template <cub::BlockHistogramAlgorithm kAlgorithm, int kBins, Input kInput>
Row<TemperaturesOf<kInput>> cubBlockRow(std::string name, std::string shows,
                                        std::function<std::vector<Expectation>(std::size_t)> answers,
                                        std::string better = {}) {
    const bool good = better.empty();
    return rowOf<kBins, kInput>({.name = std::move(name),
                                 .shows = std::move(shows),
                                 .answers = std::move(answers),
                                 .better = std::move(better),
                                 .good = good},
                                [](Temperatures& t) {
                                    t.zero(kBins);
                                    histogramCubBlock<kAlgorithm, kBins>
                                        <<<static_cast<unsigned>(blocksOf(t.values.size())), kBlock>>>(
                                            t.values.view(), t.bins.data());
                                });
}

} // namespace dormer::kernels::histogram
