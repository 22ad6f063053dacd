// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

/// How much the kernels of this family compute, for their launches and for their known answers.
namespace dormer::kernels {

inline constexpr std::size_t kDotBlock = 256;

/// Blocks of the dot product: a device's worth, fewer where there is not a thread for each element.
constexpr std::size_t dotBlocks(std::size_t size) {
    return std::min<std::size_t>(2048, size / kDotBlock);
}

/// A fused multiply-add per element. To join a block's sums, each of 8 warps adds in 32 lanes 5 times, and
/// one thread 7 times.
constexpr std::size_t dotFlops(std::size_t size) {
    return 2 * size + dotBlocks(size) * (8 * 32 * 5 + 7);
}

/// Jacobi's step adds four neighbours and scales the sum; the edge keeps its values.
constexpr std::size_t stencilFlops(std::size_t side) {
    return 4 * (side - 2) * (side - 2);
}

/// A fused multiply-add for each of n products in each of n^2 elements.
constexpr std::size_t gemmFlops(std::size_t side) {
    return 2 * side * side * side;
}

/// Cycles that a wave of blocks takes at least on a busy chip: its blocks start, wait for memory and end
/// (docs/diagnosis.md).
inline constexpr double kWaveCycles = 1200;

/// What decides whether a chip's DRAM or its latency limits a kernel of short threads.
struct ChipRates {
    double sms = 0, threadsPerSm = 0, smHz = 0, dramBytesPerSecond = 0;
};

/// "memory" where a full wave that moves `bytesPerThread` keeps DRAM busy for longer than the wave takes by
/// itself, "latency" where it doesn't: then there are never enough bytes in flight, however many threads
/// wait.
constexpr const char* boundOfShortThreads(const ChipRates& chip, double bytesPerThread) {
    const double waveBytes = chip.sms * chip.threadsPerSm * bytesPerThread;
    return waveBytes / chip.dramBytesPerSecond * chip.smHz >= kWaveCycles ? "memory" : "latency";
}

} // namespace dormer::kernels
