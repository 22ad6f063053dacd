// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/device_wide/groups.h"
#include "kernels/device_wide/runs.cuh"
#include "kernels/device_wide/values.cuh"
#include "kernels/harness/answers.h"
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/table.h"

#include <cub/device/device_reduce.cuh>

namespace dormer::kernels {

namespace {

struct IsSumOfRun {
    Runs runs;
    const int *values, *uniqueKeys, *sums;
    __device__ bool operator()(std::size_t run) const {
        int sum = 0;
        for (std::size_t i = runs.begin(run); i < runs.begin(run) + runs.length(run); ++i)
            sum += values[i];
        return uniqueKeys[run] == Runs::value(run) && sums[run] == sum;
    }
};

struct SumsByKey {
    [[nodiscard]] auto reduceByKey() const {
        return [this](void* memory, std::size_t& bytes) {
            return cub::DeviceReduce::ReduceByKey(memory, bytes, keys.data(), uniqueKeys.data(),
                                                  values.data(), sums.data(), found.data(),
                                                  cuda::std::plus<>{}, static_cast<int>(keys.size()));
        };
    }
    explicit SumsByKey(const Setup& setup)
        : runs{setup.seed}
        , keys(setup.size)
        , values(setup.size)
        , uniqueKeys(Runs::count(setup.size))
        , sums(Runs::count(setup.size))
        , found(1)
        , temporary(temporaryFor(reduceByKey())) {
        fill(keys, runs);
        fill(values, CoinFlip{setup.seed + 1});
    }

    Runs runs;
    DeviceBuffer<int> keys, values, uniqueKeys, sums, found;
    DeviceBuffer<char> temporary;
};

CheckResult check(SumsByKey& s) {
    return checkCounted(s.found, s.sums.size(), "runs", [&] {
        return checkEach(s.sums.size(),
                         IsSumOfRun{s.runs, s.values.data(), s.uniqueKeys.data(), s.sums.data()},
                         "key and sum of run k");
    });
}

std::vector<Expectation> answers(std::size_t size) {
    return {
        ofKernel("DeviceReduceByKeyKernel", atLeast("global_load_sectors", 2 * static_cast<double>(size) / 8,
                                                    "keys and values are loaded once, 8 to a sector")),
        ofKernel("DeviceReduceByKeyKernel",
                 atLeast("global_store_sectors", 2 * static_cast<double>(Runs::count(size)) / 8,
                         "key and sum of each run are stored, 8 to a sector"))};
}

std::vector<Row<SumsByKey>> rows() {
    return {
        {{"reduce_by_key", "a sum for each run of equal keys, in one pass: a scan of keys and sums together",
          answers},
         [](SumsByKey& s) { launchWith(s.temporary, s.reduceByKey()); },
         check},
    };
}

} // namespace

Group deviceReduceByKeyGroup() {
    return groupOf<SumsByKey>(
        rows(), kHeavySize, roundDeviceWide,
        [](std::size_t size) { return 2 * (size + Runs::count(size)) * sizeof(int); }, deviceWideParameters);
}

} // namespace dormer::kernels
