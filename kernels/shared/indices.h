// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

/// Which elements of shared memory the lanes of a warp read, made on the host.
///
/// The 32 banks are 4 bytes wide. Wider words take 2 or 4 banks each, so that a warp is served in groups: 32
/// lanes of 4 bytes, two times 16 of 8, four times 8 of 16. A group covers all banks once if its words lie
/// well.
namespace dormer::kernels::shared {

inline constexpr unsigned kLanes = 32;
using LaneIndices = std::array<std::uint32_t, kLanes>;

/// Lanes of a group, and words side by side that fill all banks.
[[nodiscard]] constexpr unsigned groupLanes(unsigned bytes) {
    return 32 * 4 / bytes;
}
/// Groups of a warp: wavefronts that a request takes without conflicts.
[[nodiscard]] constexpr unsigned groups(unsigned bytes) {
    return kLanes / groupLanes(bytes);
}

/// Within each group the lanes read its neighbouring words in an order drawn from `seed`.
[[nodiscard]] LaneIndices permutation(unsigned bytes, std::uint64_t seed);

/// Data-dependent indices below `elements` as a table lookup or a sparse matrix makes them, except that the
/// number of words that share their bank is the same for every seed: in each group one bank (8 bytes: pair of
/// banks; 16: four banks) has irregularWays(bytes) words, some have one fewer, the rest one or none. Which
/// banks, rows and lanes those are is drawn.
[[nodiscard]] LaneIndices irregular(unsigned bytes, std::uint32_t elements, std::uint64_t seed);
[[nodiscard]] unsigned irregularWays(unsigned bytes);

} // namespace dormer::kernels::shared
