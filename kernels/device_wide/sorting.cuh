// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/device_wide/keys.cuh"
#include "kernels/device_wide/values.cuh"
#include "kernels/harness/answers.h"
#include "kernels/harness/comparison.cuh"

namespace dormer::kernels {

/// As many different keys as there were, each one of theirs: a permutation, without a second sort to compare
/// with.
struct IsSortedKey {
    const std::uint32_t* keys;
    std::size_t count;
    DistinctKey keyOf;
    bool ascending;
    __device__ bool operator()(std::size_t i) const {
        if (keyOf.elementOf(keys[i]) >= count) return false;
        return i == 0 || (ascending ? keys[i - 1] < keys[i] : keys[i - 1] > keys[i]);
    }
};

inline CheckResult checkSorted(const DeviceBuffer<std::uint32_t>& keys, DistinctKey keyOf, bool ascending) {
    return checkEach(keys.size(), IsSortedKey{keys.data(), keys.size(), keyOf, ascending},
                     ascending ? "an input key that is larger than the one before"
                               : "an input key that is smaller than the one before");
}

/// CUB's radix sort, whoever calls it.
inline std::vector<Expectation> sortingAnswers(std::size_t size) {
    const double sectors = static_cast<double>(size) / 8;
    return {
        ofKernel("RadixSortHistogram", exactly("global_load_sectors", sectors,
                                               "each key is read once, 8 to a sector, for all digits")),
        // Look-back adds the states of tiles; the keys of a digit leave a tile together, but begin anywhere.
        ofKernel("RadixSortOnesweep",
                 atLeast("global_load_sectors", sectors, "each pass reads each key once, 8 to a sector")),
        ofKernel("RadixSortOnesweep",
                 atLeast("global_store_sectors", sectors, "each pass writes each key once, 8 to a sector"))};
}

} // namespace dormer::kernels
