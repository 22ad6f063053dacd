// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

/// The arithmetic of fma_chain, for the kernel and for its known answers.
namespace dormer::kernels {

/// Independent chains of a thread: enough to fill the pipes at half of the device's warps.
inline constexpr int kFmaChains = 4;
/// Fused multiply-adds in one chain.
inline constexpr int kFmaSteps = 256;
/// One thread for this many elements of --size, so that a launch lasts about as long as a streaming one.
inline constexpr std::size_t kElementsPerFmaThread = 128;

/// An FMA is two operations; adding the chains up at the end costs one less than there are chains.
constexpr std::size_t fmaChainFlops(std::size_t threads) {
    return threads * (std::size_t{2} * kFmaChains * kFmaSteps + (kFmaChains - 1));
}

/// The paired one stores its chains instead of adding them up.
constexpr std::size_t fmaChainHalf2Flops(std::size_t threads) {
    return threads * (std::size_t{4} * kFmaChains * kFmaSteps);
}

} // namespace dormer::kernels
