// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/answers.h"
#include "kernels/harness/table.h"

#include <string>
#include <vector>

/// Sizes and arithmetic of the reductions, for the kernels and for their known answers. No CUDA in here.
namespace dormer::kernels {

inline constexpr unsigned kReduceBlock = 256;
inline constexpr unsigned kReduceWarps = kReduceBlock / 32;
/// Integers that a thread of `thread` adds up.
inline constexpr unsigned kReduceThreadItems = 16;
/// Lanes of a logical warp that is no power of two; two fit into a warp, and eight lanes stay idle.
inline constexpr unsigned kOddWarp = 12;

/// Whole blocks for every layer: 16 x 256 integers for `thread`, 8 x 24 for `warp_12`.
inline constexpr std::size_t kReduceStep = std::size_t{kReduceThreadItems} * kReduceBlock * 3;
inline constexpr Sizes kReduceSize{1366 * kReduceStep, 86 * kReduceStep};

inline std::size_t roundReduce(std::size_t wanted) {
    return roundUp(wanted, kReduceStep);
}

inline std::vector<std::string> reduceParameters(std::size_t size) {
    return {"size=" + std::to_string(size), "block=" + std::to_string(kReduceBlock), "type=unsigned"};
}

/// The numbers, and as many sums as the layer with the smallest shares makes.
inline std::size_t reduceBytes(std::size_t size) {
    return 2 * size * sizeof(unsigned);
}

inline Expectation eachLoadedOnce(std::size_t size) {
    return exactly("global_load_sectors", static_cast<double>(size / 8),
                   "each integer is loaded once, 8 to a sector");
}

/// Wavefronts of one access to shared memory in each step of a block's tree, where pair p of a step works on
/// word `spread` x p: with 2, 4, 8, … for interleaved addressing, with 1 for sequential.
constexpr unsigned treeWavefronts(bool interleaved) {
    unsigned wavefronts = 0;
    for (unsigned pairs = kReduceBlock / 2, spread = 2; pairs > 0; pairs /= 2, spread *= 2) {
        const unsigned lanes = pairs < 32 ? pairs : 32; // that are active in a warp
        const unsigned warps = pairs / lanes;
        // Lanes `spread` words apart meet in one bank after 32 / spread of them.
        const unsigned banks = spread < 32 ? 32 / spread : 1;
        const unsigned ways = lanes > banks ? lanes / banks : 1;
        wavefronts += warps * (interleaved ? ways : 1);
    }
    return wavefronts;
}

} // namespace dormer::kernels
