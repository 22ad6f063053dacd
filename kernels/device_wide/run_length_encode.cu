// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/device_wide/groups.h"
#include "kernels/device_wide/runs.cuh"
#include "kernels/device_wide/values.cuh"
#include "kernels/harness/answers.h"
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/table.h"

#include <cub/device/device_run_length_encode.cuh>

namespace dormer::kernels {

namespace {

struct IsRun {
    Runs runs;
    const int *values, *lengths;
    __device__ bool operator()(std::size_t run) const {
        return values[run] == Runs::value(run) && lengths[run] == static_cast<int>(runs.length(run));
    }
};

struct Encoding {
    [[nodiscard]] auto encode() const {
        return [this](void* memory, std::size_t& bytes) {
            return cub::DeviceRunLengthEncode::Encode(memory, bytes, in.data(), values.data(), lengths.data(),
                                                      found.data(), static_cast<int>(in.size()));
        };
    }
    explicit Encoding(const Setup& setup)
        : runs{setup.seed}
        , in(setup.size)
        , values(Runs::count(setup.size))
        , lengths(Runs::count(setup.size))
        , found(1)
        , temporary(temporaryFor(encode())) {
        fill(in, runs);
    }

    Runs runs;
    DeviceBuffer<int> in, values, lengths, found;
    DeviceBuffer<char> temporary;
};

CheckResult check(Encoding& e) {
    return checkCounted(e.found, e.values.size(), "runs", [&] {
        return checkEach(e.values.size(), IsRun{e.runs, e.values.data(), e.lengths.data()},
                         "value and length of run k");
    });
}

std::vector<Expectation> answers(std::size_t size) {
    return {ofKernel("DeviceReduceByKeyKernel", atLeast("global_load_sectors", static_cast<double>(size) / 8,
                                                        "each element is loaded once, 8 to a sector")),
            ofKernel("DeviceReduceByKeyKernel",
                     atLeast("global_store_sectors", 2 * static_cast<double>(Runs::count(size)) / 8,
                             "value and length of each run are stored, 8 to a sector"))};
}

std::vector<Row<Encoding>> rows() {
    return {
        {{"run_length_encode", "value and length of each run of equal values: a reduction of ones by key",
          answers},
         [](Encoding& e) { launchWith(e.temporary, e.encode()); },
         check},
    };
}

} // namespace

Group deviceRunLengthGroup() {
    return groupOf<Encoding>(
        rows(), kHeavySize, roundDeviceWide,
        [](std::size_t size) { return (size + 2 * Runs::count(size)) * sizeof(int); }, deviceWideParameters);
}

} // namespace dormer::kernels
