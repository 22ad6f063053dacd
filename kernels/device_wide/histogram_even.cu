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

struct EvenBin {
    __device__ int operator()(int sample) const { return sample / (kSampleEnd / kBins); }
};

struct EvenHistogram {
    [[nodiscard]] auto count() const {
        return [this](void* memory, std::size_t& bytes) {
            return cub::DeviceHistogram::HistogramEven(memory, bytes, samples.data(), counts.data(),
                                                       kBins + 1, 0, kSampleEnd,
                                                       static_cast<int>(samples.size()));
        };
    }
    explicit EvenHistogram(const Setup& setup)
        : samples(setup.size), counts(kBins), temporary(temporaryFor(count())) {
        fill(samples, Sample{setup.seed});
    }

    DeviceBuffer<int> samples, counts;
    DeviceBuffer<char> temporary;
};

std::vector<Row<EvenHistogram>> rows() {
    return {
        {{"histogram_even", "256 bins of equal width: a division finds a sample's bin", sampleAnswers},
         [](EvenHistogram& h) { launchWith(h.temporary, h.count()); },
         [](EvenHistogram& h) { return checkHistogram(h.samples, h.counts, EvenBin{}); }},
    };
}

} // namespace

Group deviceHistogramEvenGroup() {
    return groupOf<EvenHistogram>(
        rows(), kHeavySize, roundDeviceWide, [](std::size_t size) { return size * sizeof(int); },
        sampleParameters);
}

} // namespace dormer::kernels
