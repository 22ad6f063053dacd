// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/device_wide/groups.h"
#include "kernels/device_wide/sorting.cuh"
#include "kernels/harness/answers.h"
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/table.h"

#include <cub/device/device_radix_sort.cuh>

namespace dormer::kernels {

namespace {

enum : std::size_t { kAscending, kDescending };

struct Sorting {
    [[nodiscard]] auto ascending() const {
        return [this](void* memory, std::size_t& bytes) {
            return cub::DeviceRadixSort::SortKeys(memory, bytes, in.data(), out.data(), count());
        };
    }
    [[nodiscard]] auto descending() const {
        return [this](void* memory, std::size_t& bytes) {
            return cub::DeviceRadixSort::SortKeysDescending(memory, bytes, in.data(), out.data(), count());
        };
    }
    explicit Sorting(const Setup& setup)
        : keyOf{static_cast<std::uint32_t>(setup.seed)}, in(setup.size), out(setup.size) {
        fill(in, keyOf);
        if (setup.runs(kAscending)) temporary = temporaryFor(ascending());
        if (setup.runs(kDescending)) temporary = temporaryFor(descending());
    }
    [[nodiscard]] int count() const { return static_cast<int>(in.size()); }

    DistinctKey keyOf;
    DeviceBuffer<std::uint32_t> in, out;
    DeviceBuffer<char> temporary; ///< both directions need the same
};

template <typename Launch>
CheckResult checkAgain(Sorting& s, Launch launch, bool ascending) {
    // The directions share the output.
    CUDA_CHECK(cudaMemset(s.out.data(), 0xFF, s.out.bytes()));
    launch(s);
    return checkSorted(s.out, s.keyOf, ascending);
}

void sortAscending(Sorting& s) {
    launchWith(s.temporary, s.ascending());
}
void sortDescending(Sorting& s) {
    launchWith(s.temporary, s.descending());
}

std::vector<Row<Sorting>> rows() {
    return {
        {{"radix_sort_ascending",
          "distinct 32-bit keys: a histogram of all digits, then one pass for each digit", sortingAnswers},
         sortAscending,
         [](Sorting& s) { return checkAgain(s, sortAscending, true); }},
        {{"radix_sort_descending", "the other order costs the same: only the keys' bits are turned round",
          sortingAnswers},
         sortDescending,
         [](Sorting& s) { return checkAgain(s, sortDescending, false); }},
    };
}

} // namespace

Group deviceRadixSortGroup() {
    return groupOf<Sorting>(
        rows(), kSortSize, roundDeviceWide,
        // CUB's passes go to and fro between the output and an array of its own.
        [](std::size_t size) { return 3 * size * sizeof(std::uint32_t); },
        [](std::size_t size) {
            return std::vector<std::string>{"size=" + std::to_string(size), "type=uint32"};
        });
}

} // namespace dormer::kernels
