// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/model.h"

#include <optional>
#include <span>
#include <string_view>

namespace dormer::analysis {

/// A GPU model as the emulator plays it: what the driver would report of it, and what its caches and time
/// model need. Each figure's source stands beside it in the table; 0 = nobody publishes it.
struct Chip {
    std::string_view key; ///< "H100": what --on emulator:KEY takes
    Device device;        ///< as the driver reports it; `name` is "H100 SXM (emulated)"
    std::uint32_t maxWarpsPerSm = 64;
    std::uint64_t unifiedL1Bytes = 0;            ///< L1 and shared memory together, of one SM
    std::span<const std::uint32_t> carveoutsKiB; ///< shared memory sizes an SM can be set to, ascending
    double l1HitCycles = 0, sharedCycles = 0, l2HitCycles = 0, l2FarCycles = 0, dramCycles = 0;
    double l2BytesPerClock = 0; ///< achievable, of the whole L2, per SM clock
    double dramEfficiency = 0;  ///< achievable share of the theoretical bandwidth
    double fp32Latency = 4, fp64Latency = 8;
    std::string_view sources;
};

[[nodiscard]] std::span<const Chip> chips();
/// By key, whatever the case; nothing for an unknown one.
[[nodiscard]] const Chip* findChip(std::string_view key);
inline constexpr std::string_view kDefaultChip = "H100";

} // namespace dormer::analysis
