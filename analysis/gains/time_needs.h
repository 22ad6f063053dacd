// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/verdict/verdict.h"

namespace dormer::gains {

/// Time that a launch's work takes at the ceilings of what it uses, in ns: what gains are estimated from.
/// What was not collected is 0: it then limits nothing.
struct TimeNeeds {
    double dramNs = 0;
    double l2BytesNs = 0;   ///< sectors through L2
    double l2LookupsNs = 0; ///< tag lookups of L2, writes weighted
    double l1BytesNs = 0;
    double l1RequestsNs = 0; ///< global requests, one per clock and SM
    double sharedNs = 0;     ///< wavefronts
    double arithmeticNs = 0; ///< the busiest of the pipes and the issue slots
    double atomicsNs = 0;    ///< atomics that wait for each other at one address
    double l2Reach = 0.90;   ///< share of L2's bytes that can be reached (practical.h, else as its lookups)
    double pathNs = 0;       ///< waves, one after the other, each at least one trip to memory long

    [[nodiscard]] double farNs() const;  ///< L2 and DRAM: the longest of theirs
    [[nodiscard]] double nearNs() const; ///< L1 and shared memory, which share one data path
};

/// Absent when the launch has no plausible duration.
[[nodiscard]] std::optional<TimeNeeds> timeNeeds(const metrics::MetricEvaluator& metrics,
                                                 session::LaunchIndex launch,
                                                 const verdict::Verdict& verdict);

/// What so many more bytes of DRAM add to TimeNeeds::dramNs: at the measured roof where the session has it.
/// Absent where the ceiling is not known.
[[nodiscard]] std::optional<double> dramNs(const metrics::MetricEvaluator& metrics,
                                           session::LaunchIndex launch, double bytes);

/// How long a launch with these needs would take, in ns: 1 us + (sum of part^2.2)^(1/2.2) over far memory,
/// near memory, arithmetic and path, each at the share of its ceiling that good kernels reach
/// (docs/diagnosis.md has the constants and where they come from).
[[nodiscard]] double modelledNs(const TimeNeeds& needs);

/// Share of L2 and DRAM, L1 and shared memory in what a launch does, 0..1; the rest is arithmetic.
[[nodiscard]] double memoryShare(const TimeNeeds& needs);

/// Share of atomics that wait for each other, 0..1; 0 where L2 or DRAM take longer.
[[nodiscard]] double atomicsShare(const TimeNeeds& needs);

/// Bytes a launch read that L2 did not have and DRAM did not deliver: they came over the bus, from the host
/// or another device. Absent where that is not told or next to nothing.
[[nodiscard]] std::optional<double> foreignBytes(const metrics::MetricEvaluator& metrics,
                                                 session::LaunchIndex launch);

/// Trip to DRAM of an idle chip and start of a block, in cycles of the SM: 635 + 150 (analysis/chip.cpp,
/// docs/emulator-time-model.md).
inline constexpr double kTripCycles = 785;
/// Bytes an SM takes from L2 per clock (Jia et al., Dissecting the NVIDIA Volta GPU Architecture, 3.6).
inline constexpr double kL2PortBytes = 64;
/// Warp slots filled, of those that could be, in a kernel that is busy all the time: mean of the recorded
/// suite (docs/emulator-time-model.md).
inline constexpr double kUsualOccupancy = 0.81;

} // namespace dormer::gains
