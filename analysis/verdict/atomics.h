// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/metrics/metric.h"

namespace dormer::verdict {

/// L2 clocks between two atomics on one address, where that was not measured of the device
/// (docs/emulator-time-model.md).
inline constexpr double kAtomicPassClocks = 1.2;

/// Sectors L2 handles for one that an SM asks it for: 1.5 where L2 has two halves (8.0, 9.0) and half of the
/// data is at home in the other one, else 1.
[[nodiscard]] double l2Amplification(const session::Device& device);

/// The most that a launch's global atomics can have cost by waiting for each other, in ns: all passes on one
/// address, at the rate measured of the device where the session has it, and not longer than the launch
/// lasted. Absent where lanes did not meet at an address, or that
/// was not counted.
[[nodiscard]] std::optional<double> atomicWaitNs(const metrics::MetricEvaluator& metrics,
                                                 session::LaunchIndex launch);

} // namespace dormer::verdict
