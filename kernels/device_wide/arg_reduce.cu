// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/device_wide/groups.h"
#include "kernels/device_wide/keys.cuh"
#include "kernels/device_wide/values.cuh"
#include "kernels/harness/answers.h"
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/table.h"

#include <cub/device/device_reduce.cuh>

namespace dormer::kernels {

namespace {

enum : std::size_t { kSmallest, kLargest };

struct IsBeyond {
    const int* in;
    int extremum;
    bool smallest;
    __device__ bool operator()(std::size_t i) const {
        return smallest ? extremum <= in[i] : extremum >= in[i];
    }
};

struct DistinctValue {
    DistinctKey keyOf;
    __device__ int operator()(std::size_t i) const { return static_cast<int>(keyOf(i)); }
};

struct Extremum {
    [[nodiscard]] auto argMin() const {
        return [this](void* memory, std::size_t& bytes) {
            return cub::DeviceReduce::ArgMin(memory, bytes, in.data(), value.data(), index.data(), count());
        };
    }
    [[nodiscard]] auto argMax() const {
        return [this](void* memory, std::size_t& bytes) {
            return cub::DeviceReduce::ArgMax(memory, bytes, in.data(), value.data(), index.data(), count());
        };
    }
    explicit Extremum(const Setup& setup) : in(setup.size), value(1), index(1) {
        fill(in, DistinctValue{{static_cast<std::uint32_t>(setup.seed)}});
        if (setup.runs(kSmallest)) temporary = temporaryFor(argMin());
        if (setup.runs(kLargest)) temporary = temporaryFor(argMax());
    }
    [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(in.size()); }

    DeviceBuffer<int> in, value;
    DeviceBuffer<std::int64_t> index;
    DeviceBuffer<char> temporary; ///< both need the same
};

void launchMin(Extremum& e) {
    launchWith(e.temporary, e.argMin());
}
void launchMax(Extremum& e) {
    launchWith(e.temporary, e.argMax());
}

/// The values differ, so there is one right answer.
template <typename Launch>
CheckResult check(Extremum& e, Launch launch, bool smallest) {
    // Both write their answer to the same place.
    CUDA_CHECK(cudaMemset(e.value.data(), 0xFF, e.value.bytes()));
    CUDA_CHECK(cudaMemset(e.index.data(), 0xFF, e.index.bytes()));
    launch(e);
    const int value = e.value.toHost().front();
    const std::int64_t index = e.index.toHost().front();
    if (index < 0 || index >= e.count())
        return {false, "the index " + std::to_string(index) + " lies outside the input"};
    int there = 0;
    CUDA_CHECK(cudaMemcpy(&there, e.in.data() + index, sizeof(there), cudaMemcpyDeviceToHost));
    if (there != value)
        return {false, "in[" + std::to_string(index) + "] is " + std::to_string(there) + ", not " +
                           std::to_string(value)};
    return checkEach(e.in.size(), IsBeyond{e.in.data(), value, smallest},
                     (smallest ? "in[i] >= in[" : "in[i] <= in[") + std::to_string(index) + "]");
}

std::vector<Expectation> answers(std::size_t size) {
    return {ofKernel("DeviceReduceKernel", exactly("global_load_sectors", static_cast<double>(size) / 8,
                                                   "each element is loaded once, 8 to a sector"))};
}

std::vector<Row<Extremum>> rows() {
    return {
        {{"arg_min", "where the smallest value is: a reduction that carries each value's index", answers},
         launchMin,
         [](Extremum& e) { return check(e, launchMin, true); }},
        {{"arg_max", "where the largest value is", answers},
         launchMax,
         [](Extremum& e) { return check(e, launchMax, false); }},
    };
}

} // namespace

Group deviceArgReduceGroup() {
    return groupOf<Extremum>(
        rows(), kHeavySize, roundDeviceWide, [](std::size_t size) { return size * sizeof(int); },
        deviceWideParameters);
}

} // namespace dormer::kernels
