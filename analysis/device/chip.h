// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/model.h"

#include <optional>
#include <span>
#include <string_view>

namespace dormer::device {

/// A GPU model as the emulator plays it: what the driver would report of it, and what its caches and time
/// model need. Each figure's source stands beside it in the table, and so does which ones are assumed.
struct Chip {
    std::string_view key;   ///< "H100": what --on emulator:KEY takes
    session::Device device; ///< as the driver reports it; `name` is "NVIDIA H100 80GB HBM3 (emulated)"
    std::uint32_t maxWarpsPerSm = 64;
    std::uint64_t unifiedL1Bytes = 0;            ///< L1 and shared memory together, of one SM
    std::span<const std::uint32_t> carveoutsKiB; ///< shared memory sizes an SM can be set to, ascending
    double l1HitCycles = 0, sharedCycles = 0, l2HitCycles = 0, l2FarCycles = 0, dramCycles = 0;
    double l2BytesPerClock = 0; ///< achievable, of the whole L2, per SM clock
    double dramEfficiency = 0;  ///< achievable share of the theoretical bandwidth
    double fp32Latency = 4, fp64Latency = 8;
    /// 2: data whose home is the other half is looked up in both halves, and kept in both once read.
    std::uint32_t l2Partitions = 1;
    double l2ClockHz = 0;         ///< while kernels run
    double l2TagsPerClock = 0;    ///< lookups of the whole L2, per L2 clock
    double l2SectorsPerClock = 0; ///< counters' peak, per L2 clock; 0 = not known
    double lsuBytesPerClock = 0;  ///< of one SM for accesses of 4 bytes per lane: load/store units * 4
    std::string_view sources;
    std::string_view assumptions; ///< figures nobody publishes, and what stands in for them
};

[[nodiscard]] std::span<const Chip> chips();
/// By key, whatever the case, blanks, hyphens and underscores; null for an unknown one.
[[nodiscard]] const Chip* findChip(std::string_view key);
inline constexpr std::string_view kDefaultChip = "H100";

/// Shared memory an SM is set to when its resident blocks take `sharedBytes` together: the smallest of the
/// chip's sizes that holds them. More than the largest gives the largest.
[[nodiscard]] std::uint64_t carveoutBytes(const Chip& chip, std::uint64_t sharedBytes);
/// What such a carve-out leaves of the unified memory for L1.
[[nodiscard]] std::uint64_t l1Bytes(const Chip& chip, std::uint64_t sharedBytes);

} // namespace dormer::device
