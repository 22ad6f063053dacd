// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/device_wide/groups.h"
#include "kernels/device_wide/runs.cuh"
#include "kernels/device_wide/values.cuh"
#include "kernels/harness/answers.h"
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/table.h"

#include <cub/device/device_select.cuh>

namespace dormer::kernels {

namespace {

struct IsRunsValue {
    const int* out;
    __device__ bool operator()(std::size_t run) const { return out[run] == Runs::value(run); }
};

struct Uniqueness {
    [[nodiscard]] auto unique() const {
        return [this](void* memory, std::size_t& bytes) {
            return cub::DeviceSelect::Unique(memory, bytes, in.data(), out.data(), selected.data(),
                                             static_cast<int>(in.size()));
        };
    }
    explicit Uniqueness(const Setup& setup)
        : in(setup.size), out(Runs::count(setup.size)), selected(1), temporary(temporaryFor(unique())) {
        fill(in, Runs{setup.seed});
    }

    DeviceBuffer<int> in, out, selected;
    DeviceBuffer<char> temporary;
};

CheckResult check(Uniqueness& u) {
    return checkCounted(u.selected, u.out.size(), "runs", [&] {
        return checkEach(u.out.size(), IsRunsValue{u.out.data()}, "out[k] is the value of run k");
    });
}

std::vector<Expectation> answers(std::size_t size) {
    return {ofKernel("DeviceSelectSweepKernel", atLeast("global_load_sectors", static_cast<double>(size) / 8,
                                                        "each element is loaded once, 8 to a sector")),
            ofKernel("DeviceSelectSweepKernel",
                     atLeast("global_store_sectors", static_cast<double>(Runs::count(size)) / 8,
                             "one value of each run is stored, 8 to a sector"))};
}

std::vector<Row<Uniqueness>> rows() {
    return {
        {{"unique", "the first of each run of equal values: a selection by comparing neighbours", answers},
         [](Uniqueness& u) { launchWith(u.temporary, u.unique()); },
         check},
    };
}

} // namespace

Group deviceUniqueGroup() {
    return groupOf<Uniqueness>(
        rows(), kHeavySize, roundDeviceWide,
        [](std::size_t size) { return (size + Runs::count(size)) * sizeof(int); }, deviceWideParameters);
}

} // namespace dormer::kernels
