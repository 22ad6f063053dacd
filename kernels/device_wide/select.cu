// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/device_wide/groups.h"
#include "kernels/device_wide/pairs.cuh"
#include "kernels/device_wide/values.cuh"
#include "kernels/harness/answers.h"
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/table.h"

#include <cub/device/device_select.cuh>

namespace dormer::kernels {

namespace {

struct IsWantedElement {
    Pairs pairs;
    const int *in, *out;
    __device__ bool operator()(std::size_t k) const { return out[k] == in[pairs.wantedOf(k)]; }
};

struct Selection {
    [[nodiscard]] auto selectIf() const {
        return [this](void* memory, std::size_t& bytes) {
            return cub::DeviceSelect::If(memory, bytes, in.data(), out.data(), selected.data(),
                                         static_cast<int>(in.size()), IsWanted{});
        };
    }
    explicit Selection(const Setup& setup)
        : pairs{setup.seed}
        , in(setup.size)
        , out(setup.size / 2)
        , selected(1)
        , temporary(temporaryFor(selectIf())) {
        fill(in, pairs);
    }

    Pairs pairs;
    DeviceBuffer<int> in, out, selected;
    DeviceBuffer<char> temporary;
};

CheckResult check(Selection& s) {
    return checkCounted(s.selected, s.in.size() / 2, "selected elements", [&] {
        return checkEach(s.out.size(), IsWantedElement{s.pairs, s.in.data(), s.out.data()},
                         "out[k] is the wanted element of pair k");
    });
}

std::vector<Expectation> answers(std::size_t size) {
    const double sectors = static_cast<double>(size) / 8;
    return {ofKernel("DeviceSelectSweepKernel",
                     atLeast("global_load_sectors", sectors, "each element is loaded once, 8 to a sector")),
            ofKernel("DeviceSelectSweepKernel", atLeast("global_store_sectors", sectors / 2,
                                                        "half the elements are stored, 8 to a sector"))};
}

std::vector<Row<Selection>> rows() {
    return {
        {{"select_if", "keeps the half that is wanted, in order: a prefix sum tells each where it goes",
          answers},
         [](Selection& s) { launchWith(s.temporary, s.selectIf()); },
         check},
    };
}

} // namespace

Group deviceSelectGroup() {
    return groupOf<Selection>(
        rows(), kHeavySize, roundDeviceWide, [](std::size_t size) { return size / 2 * 3 * sizeof(int); },
        deviceWideParameters);
}

} // namespace dormer::kernels
