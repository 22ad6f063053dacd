// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/workload.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace dormer::kernels {

Group transferCopiesGroup();
Group transferFragmentedGroup();
Group transferAllocationGroup();
Group transferOverlapGroup();

/// Elements are words of 32 bits: 100 MB of them by default, 1 MB on the emulator.
using Word = std::uint32_t;
inline constexpr Sizes kTransferSizes{25'000'000, 250'000};

/// Pieces that `fragmented` is copied in.
inline constexpr std::array<std::size_t, 6> kPieces{1, 10, 100, 1000, 10'000, 100'000};

/// The first word of a piece when `size` words are cut into `pieces`; of the one past the last: `size`.
constexpr std::size_t firstWordOf(std::size_t piece, std::size_t pieces, std::size_t size) {
    return piece * size / pieces;
}

} // namespace dormer::kernels
