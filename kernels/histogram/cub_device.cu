// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/histogram/groups.h"
#include "kernels/histogram/temperatures.cuh"

#include <cub/device/device_histogram.cuh>

namespace dormer::kernels::histogram {

namespace {

// Bins of equal width from 0 to kHottest. CUB scales floating-point samples by a reciprocal as binOf does, so
// that both agree on every temperature.
template <int kBins>
cudaError_t count(void* storage, std::size_t& bytes, const Temperatures& t) {
    return cub::DeviceHistogram::HistogramEven(storage, bytes, t.values.data(), t.bins.data(), kBins + 1,
                                               0.0F, kHottest, static_cast<int>(t.values.size()));
}

template <Input kInput>
struct WithStorage : TemperaturesOf<kInput> {
    explicit WithStorage(const Setup& setup) : TemperaturesOf<kInput>(setup) {
        std::size_t bytes = 0; // CUB first says how much it needs; the most bins need most
        CUDA_CHECK(count<kMostBins>(nullptr, bytes, *this));
        storage = DeviceBuffer<char>(bytes);
    }
    DeviceBuffer<char> storage;
};

// CUB keeps bins in shared memory, takes what it reads in tiles, and zeroes the output itself, in a kernel of
// its own.
std::vector<Expectation> answers(std::size_t size) {
    return {ofKernel("DeviceHistogramSweep",
                     atLeast("global_load_sectors", static_cast<double>(size / 8),
                             "each temperature is read once, eight to a sector, fewer in the last tile"))};
}

template <int kBins, Input kInput>
Row<WithStorage<kInput>> row() {
    const Row<TemperaturesOf<kInput>> plain =
        rowOf<kBins, kInput>({.name = "cub_device",
                              .shows = "cub::DeviceHistogram: the library's answer, private bins and all",
                              .answers = answers,
                              .good = true},
                             [](Temperatures& t) {
                                 const DeviceBuffer<char>& storage =
                                     static_cast<WithStorage<kInput>&>(t).storage;
                                 std::size_t bytes = storage.bytes();
                                 CUDA_CHECK(count<kBins>(storage.data(), bytes, t));
                             });
    return {plain.variant, plain.launch, plain.check};
}

template <Input kInput>
Group groupOfInput(std::vector<Row<WithStorage<kInput>>> rows) {
    return groupOf<WithStorage<kInput>>(
        std::move(rows), kContendedSizes, [](std::size_t wanted) { return roundUp(wanted, kBlock); },
        [](std::size_t size) { return size * sizeof(float) + kMostBins * sizeof(unsigned); },
        [](std::size_t size) {
            std::vector<std::string> all = parameters<kInput>(size);
            std::erase_if(all, [](const std::string& text) { return text.starts_with("block="); });
            return all;
        });
}

} // namespace

std::vector<Group> cubDeviceGroups() {
    return {groupOfInput<Input::Uniform>({row<10, Input::Uniform>(), row<256, Input::Uniform>()}),
            groupOfInput<Input::OneBin>({row<10, Input::OneBin>()})};
}

} // namespace dormer::kernels::histogram
