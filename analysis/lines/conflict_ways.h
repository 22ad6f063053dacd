// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/metrics/metric.h"

namespace dormer::lines {

/// Wavefronts of shared memory for each one that was needed, of the worse of a launch's loads and stores: by
/// its counts per line where it has any, since a kernel's counters can't tell a wide load of one address,
/// which takes two passes, from a conflict. Absent without shared loads and stores, or counts of them.
[[nodiscard]] std::optional<double> conflictWays(const metrics::MetricEvaluator& metrics,
                                                 session::LaunchIndex launch);

} // namespace dormer::lines
