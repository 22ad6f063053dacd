// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/metrics/metric.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace dormer::metrics {

/// A metric of a workload as a whole, per run of it; the catalogue of launches' metrics is metric.h.
struct WorkloadMetric {
    std::string_view name; ///< "transfer_bytes_per_second"
    std::string_view unit; ///< base SI unit, as metric.h spells it
    std::string_view meaning;
    std::string_view title; ///< short, for the head of a column: "copy rate"
};
[[nodiscard]] std::span<const WorkloadMetric> workloadMetrics();
/// Null for a name that is none of them.
[[nodiscard]] const WorkloadMetric* findWorkloadMetric(std::string_view name);

/// Value of a metric for one workload ("family/variant") of a session: one of workloadMetrics(), or a metric
/// or counter of launches. Of the latter it is the median over the launches of the workload; if several
/// kernels run in it, over those whose name holds `kernel`, or, without one, of the kernel that takes longest
/// in all. Absent when nothing was collected that tells it.
[[nodiscard]] std::optional<double> workloadValue(const MetricEvaluator& metrics, std::string_view workload,
                                                  std::string_view metric, std::string_view kernel = {});

/// Where a workload's numbers come from; nothing when the session saw no launch, range or transfer of it.
[[nodiscard]] std::optional<session::Origin> originOfWorkload(const session::Session& session,
                                                              std::string_view workload);

/// How to show a metric of either catalogue, or a counter, to people: its unit, its symbol as in JSON, and a
/// short name for the head of a column.
[[nodiscard]] Unit metricUnit(std::string_view metric);
[[nodiscard]] std::string_view metricUnitSymbol(std::string_view metric);
[[nodiscard]] std::string metricTitle(std::string_view metric);

} // namespace dormer::metrics
