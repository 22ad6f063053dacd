// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/metrics/metric.h"

namespace dormer::metrics {

/// A chapter of the catalogue.
struct MetricTopic {
    std::string_view title;
    std::span<const Metric> metrics;
};

[[nodiscard]] std::span<const Metric> launchMetrics();
[[nodiscard]] std::span<const Metric> trafficMetrics();
[[nodiscard]] std::span<const Metric> globalAccessMetrics();
[[nodiscard]] std::span<const Metric> sharedAccessMetrics();
[[nodiscard]] std::span<const Metric> workMetrics();
[[nodiscard]] std::span<const Metric> intensityMetrics();

/// All chapters in the catalogue's order.
[[nodiscard]] std::span<const MetricTopic> metricTopics();

} // namespace dormer::metrics
