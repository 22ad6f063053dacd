// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Parameters of the time model that are the same for all chips. "Fitted": to samples/h100-basics.dormer.
namespace dormer::emulator::timing {

/// Results a clock and SM: CUDA C++ Programming Guide, throughput of native arithmetic instructions.
inline constexpr double kSpecialLanes = 16, kBitLanes = 16, kExchangeLanes = 32;
inline constexpr double kConversionLanes = 16, kConversionLanes90 = 64;

/// L1's lookup stage: 4 tags per clock (NVIDIA staff, developer forum thread 312884).
inline constexpr double kL1LinesPerClock = 4;

/// L2 tag lookups a write takes the time of. Fitted: transpose/naive_row, vector_sum/uncoalesced.
inline constexpr double kWriteTagCost = 1.6;
/// L2 clocks of one atomic pass on a line that all want. Fitted: histogram/global_atomics.
inline constexpr double kAtomicPassCycles = 1.2;

/// Times of the chip's parts add up as the root of this degree of their powers: infinity would be perfect
/// overlap, 1 none. Fitted: the streaming kernels, transpose/tiled and histogram/shared.
inline constexpr double kOverlapExponent = 2.2;
/// The same for the played time of an SM and for what all SMs share.
inline constexpr double kReplayOverlap = 4;
/// Share of the played time from which on a resource alone explains it; below, latency does.
inline constexpr double kExplained = 0.7;

/// The bus to the host, each way: 16 lanes' rate by generation (PCI Express base specifications), and the
/// share of it that kernels get. Recorded on an H100: zero_copy/mapped/4M and /16M read 49 GB/s over
/// generation 5.
inline constexpr double kBusBytesPerSecond3 = 15.75e9, kBusBytesPerSecond4 = 31.5e9,
                        kBusBytesPerSecond5 = 63e9, kBusEfficiency = 0.78;

/// An empty kernel takes this long on the device. Fitted: the shortest kernel of device_wide/scan, 1.06 µs.
inline constexpr double kLaunchNs = 1000;
/// From a block's end to its successor's first instruction, and a warp's last store. Fitted: vector sums.
inline constexpr double kBlockStartCycles = 150;
/// Waiting for the last warp. Fitted: transpose/tiled_padded.
inline constexpr double kBarrierCycles = 30;

/// Share of its warp slots that a resident block keeps filled on average. Means of the recorded suite's
/// kernels without and with barriers.
inline constexpr double kSlotsKept = 0.81, kSlotsKeptWithBarriers = 0.94;

} // namespace dormer::emulator::timing
