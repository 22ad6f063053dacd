// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/answers.h"

/// What the histograms' kernels have in common that can be counted beforehand.
namespace dormer::kernels::histogram {

/// Private copies of the bins must be merged; a block that counts this many makes that cheap.
inline constexpr unsigned kElementsPerThread = 64;
inline constexpr std::size_t kElementsPerBlock = std::size_t{256} * kElementsPerThread;

/// Blocks that count kElementsPerBlock each, the last one perhaps fewer.
inline std::size_t blocksOf(std::size_t size) {
    return (size + kElementsPerBlock - 1) / kElementsPerBlock;
}

/// Atomics in global memory, by warp: `counting` of them, and those that merge each block's bins.
inline Expectation atomics(std::size_t counting, std::size_t size, int bins, const std::string& why) {
    const std::size_t merging = blocksOf(size) * ((static_cast<std::size_t>(bins) + 31) / 32);
    return exactly("atomic_instructions", static_cast<double>(counting + merging), why);
}

inline std::string mergeReason(int bins) {
    return std::to_string(bins) + " bins are merged by as many lanes, once per block";
}

/// 4-byte temperatures, eight to a sector, each read once.
inline Expectation readOnce(std::size_t size) {
    return exactly("global_load_sectors", static_cast<double>(size / 8),
                   "each temperature is read once, eight to a sector of 32 bytes");
}

} // namespace dormer::kernels::histogram
