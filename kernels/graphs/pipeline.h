// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

/// How much work a run of the pipeline is.
namespace dormer::kernels {

inline constexpr int kRods = 2;
inline constexpr int kHeatSteps = 8;

/// Each rod is started once, and each of its steps is three kernels.
constexpr std::size_t kernelsOfRun() {
    return std::size_t{kRods} * (1 + 3 * kHeatSteps);
}

/// A subtraction and a multiplication between each pair of neighbouring cells.
constexpr std::size_t fluxFlops(std::size_t cells) {
    return 2 * (cells - 1);
}

/// A subtraction and an addition in each cell but those at the ends.
constexpr std::size_t advanceFlops(std::size_t cells) {
    return 2 * (cells - 2);
}

} // namespace dormer::kernels
