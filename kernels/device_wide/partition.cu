// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/device_wide/groups.h"
#include "kernels/device_wide/pairs.cuh"
#include "kernels/device_wide/values.cuh"
#include "kernels/harness/answers.h"
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/table.h"

#include <cub/device/device_partition.cuh>

namespace dormer::kernels {

namespace {

/// The wanted ones come first and in order, the others last and in reverse order.
struct IsParted {
    Pairs pairs;
    const int *in, *out;
    std::size_t count;
    __device__ bool operator()(std::size_t i) const {
        const std::size_t origin = i < count / 2 ? pairs.wantedOf(i) : pairs.unwantedOf(count - 1 - i);
        return out[i] == in[origin];
    }
};

struct Partition {
    [[nodiscard]] auto partitionIf() const {
        return [this](void* memory, std::size_t& bytes) {
            return cub::DevicePartition::If(memory, bytes, in.data(), out.data(), selected.data(),
                                            static_cast<int>(in.size()), IsWanted{});
        };
    }
    explicit Partition(const Setup& setup)
        : pairs{setup.seed}
        , in(setup.size)
        , out(setup.size)
        , selected(1)
        , temporary(temporaryFor(partitionIf())) {
        fill(in, pairs);
    }

    Pairs pairs;
    DeviceBuffer<int> in, out, selected;
    DeviceBuffer<char> temporary;
};

CheckResult check(Partition& p) {
    return checkCounted(p.selected, p.in.size() / 2, "selected elements", [&] {
        return checkEach(p.out.size(), IsParted{p.pairs, p.in.data(), p.out.data(), p.in.size()},
                         "the wanted in order, then the others in reverse order");
    });
}

std::vector<Expectation> answers(std::size_t size) {
    const double sectors = static_cast<double>(size) / 8;
    return {ofKernel("DeviceSelectSweepKernel",
                     atLeast("global_load_sectors", sectors, "each element is loaded once, 8 to a sector")),
            ofKernel("DeviceSelectSweepKernel",
                     atLeast("global_store_sectors", sectors, "each element is stored once, 8 to a sector"))};
}

std::vector<Row<Partition>> rows() {
    return {
        {{"partition_if",
          "wanted elements to the front, the others to the back: a selection that loses nothing", answers},
         [](Partition& p) { launchWith(p.temporary, p.partitionIf()); },
         check},
    };
}

} // namespace

Group devicePartitionGroup() {
    return groupOf<Partition>(
        rows(), kHeavySize, roundDeviceWide, [](std::size_t size) { return 2 * size * sizeof(int); },
        deviceWideParameters);
}

} // namespace dormer::kernels
