// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/device_wide/groups.h"
#include "kernels/device_wide/samples.cuh"
#include "kernels/harness/answers.h"
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/table.h"

#include <cub/device/device_histogram.cuh>

namespace dormer::kernels {

namespace {

/// Bin b begins at b * b: narrow bins first.
struct SquareLevel {
    __device__ int operator()(std::size_t level) const { return static_cast<int>(level * level); }
};
struct SquareBin {
    // The root is rounded correctly, and samples are small enough to be exact: its whole part is the bin.
    __device__ int operator()(int sample) const {
        return static_cast<int>(sqrtf(static_cast<float>(sample)));
    }
};

struct RangeHistogram {
    [[nodiscard]] auto count() const {
        return [this](void* memory, std::size_t& bytes) {
            return cub::DeviceHistogram::HistogramRange(memory, bytes, samples.data(), counts.data(),
                                                        kBins + 1, levels.data(),
                                                        static_cast<int>(samples.size()));
        };
    }
    explicit RangeHistogram(const Setup& setup)
        : samples(setup.size), levels(kBins + 1), counts(kBins), temporary(temporaryFor(count())) {
        fill(samples, Sample{setup.seed});
        fill(levels, SquareLevel{});
    }

    DeviceBuffer<int> samples, levels, counts;
    DeviceBuffer<char> temporary;
};

std::vector<Row<RangeHistogram>> rows() {
    return {
        {{"histogram_range", "256 bins of any width: each sample's bin is searched for among the levels",
          sampleAnswers},
         [](RangeHistogram& h) { launchWith(h.temporary, h.count()); },
         [](RangeHistogram& h) { return checkHistogram(h.samples, h.counts, SquareBin{}); }},
    };
}

} // namespace

Group deviceHistogramRangeGroup() {
    return groupOf<RangeHistogram>(
        rows(), kHeavySize, roundDeviceWide, [](std::size_t size) { return size * sizeof(int); },
        sampleParameters);
}

} // namespace dormer::kernels
