// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/verdict/verdict.h"

namespace dormer::verdict {

/// Time a launch's work would take at the measured roofs, at the launch's clocks, over its duration, by
/// Resource; of what an SM has, of the SMs at work. Absent where the session has no measured roof of it.
using MeasuredShares = std::array<std::optional<double>, device::kResourceCount>;
[[nodiscard]] MeasuredShares measuredShares(const metrics::MetricEvaluator& metrics,
                                            session::LaunchIndex launch);

/// Seconds that a launch's tensor work takes at the measured roofs of its formats; nullopt unless each that
/// it uses was measured.
[[nodiscard]] std::optional<double> measuredTensorSeconds(const metrics::MetricEvaluator& metrics,
                                                          session::LaunchIndex launch,
                                                          const session::Device& device,
                                                          const device::Clocks& clocks);

} // namespace dormer::verdict
