// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/metrics/metric.h"

namespace dormer::compare {

/// Names of the devices that ran launches, without doubles: "NVIDIA H200".
[[nodiscard]] std::string devicesOf(const session::Session& session);
/// "measured", "emulated, imported"
[[nodiscard]] std::string originsOf(const session::Session& session);

/// Clocks count as different from this share of the median on. Times of kernels follow them.
inline constexpr double kClockTolerance = 0.03;
/// One line when the SM or memory clocks seen during launches differ.
[[nodiscard]] std::optional<std::string> differentClocks(const metrics::MetricEvaluator& base,
                                                         const metrics::MetricEvaluator& fresh);
/// A line for each way in which the sessions were collected differently: counter set, cache control.
[[nodiscard]] std::vector<std::string> differentSettings(const session::Session& base,
                                                         const session::Session& fresh);

} // namespace dormer::compare
