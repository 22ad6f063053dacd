// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/metric.h"

#include <optional>
#include <string>
#include <vector>

namespace dormer::analysis {

/// A workload of a sweep, as it was collected.
struct SweepPoint {
    std::string workload;
    std::vector<std::string> parameters; ///< values, in the order of Sweep::parameters
    std::optional<double> x;             ///< the parameter as a number, where exactly one varies and is one
    std::vector<std::optional<double>> values; ///< in the order of Sweep::metrics; absent = not collected
};

/// A sweep's points as one table.
struct SweepTable {
    Sweep sweep;
    std::vector<SweepPoint> points; ///< by ascending x where all points have one, else as declared
    bool numeric = false;           ///< every point has an x: the plot has an axis of numbers
    bool logarithmic = false;       ///< x spans more than a factor 30 of positive numbers: a logarithmic axis
    std::optional<std::size_t> best; ///< index of the best point, where the sweep says what is best
};

/// Every sweep of which the session has at least two points, in the order they were declared. Pure.
[[nodiscard]] std::vector<SweepTable> sweepTables(const MetricEvaluator& metrics);

} // namespace dormer::analysis
