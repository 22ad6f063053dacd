// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/metrics/metric.h"

namespace dormer::verdict {

struct Answer {
    std::string workload;
    std::string what;     ///< "global_load_sectors_per_request == 4"
    std::string reported; ///< what the session says, or why it says nothing
    bool held = false;
};

/// Checks functional results and known answers of a session. Those about launches are asked of each, and the
/// first that breaks one is reported; those about workloads as a whole (workloadMetrics()) and those that
/// compare two workloads are asked once. An answer whose metric is absent does not hold. `gpuOnly` ones are
/// skipped for other origins, comparisons where the session never saw the other workload.
[[nodiscard]] std::vector<Answer> verify(const metrics::MetricEvaluator& metrics);

} // namespace dormer::verdict
