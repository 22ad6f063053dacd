// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/metrics/metric.h"

#include <optional>
#include <string>
#include <vector>

namespace dormer::metrics {

/// A workload of a sweep, as it was collected.
struct SweepPoint {
    std::string workload;
    std::vector<std::string> parameters; ///< values, in the order of Sweep::parameters
    /// The parameter as a number, where exactly one varies and is one; or of two that vary, where one is and
    /// the other, which is none, tells a few series apart.
    std::optional<double> x;
    std::vector<std::optional<double>> values; ///< in the order of Sweep::metrics; absent = not collected
    std::size_t series = 0;                    ///< index into SweepTable::series, where there are any
};

/// A sweep's points as one table.
struct SweepTable {
    session::Sweep sweep;
    /// By ascending x where all points have one (series after series), else as declared.
    std::vector<SweepPoint> points;
    bool numeric = false;            ///< every point has an x: the plot has an axis of numbers
    bool logarithmic = false;        ///< x spansDecades(): a logarithmic axis
    std::optional<std::size_t> best; ///< index of the best point, where the sweep says what is best
    std::optional<std::size_t> axis; ///< index into Sweep::parameters of the one that is x, where numeric
    /// Values of the other parameter: a line each over the same axis. Empty: all points are of one line.
    std::vector<std::string> series;
};

/// How many times better the best point is than others, by the first metric.
struct SweepGain {
    double overWorst = 1, overMedian = 1;
};
/// Nothing where no point is best or fewer than two have a value.
[[nodiscard]] std::optional<SweepGain> gainOfBest(const SweepTable& table);

/// The best that each value of one parameter allows, whatever the others are: tells which parameter matters.
struct ParameterEffect {
    struct Choice {
        std::string value;
        double best = 0; ///< of the first metric
    };
    std::size_t parameter = 0;   ///< index into Sweep::parameters
    std::vector<Choice> choices; ///< in order of appearance
};
/// Of every parameter that varies; empty where no point is best.
[[nodiscard]] std::vector<ParameterEffect> parameterEffects(const SweepTable& table);

/// Whether an axis of positive numbers this far apart is logarithmic: of every plot.
[[nodiscard]] bool spansDecades(double least, double most);

/// Every sweep of which the session has at least two points, in the order they were declared. Pure.
[[nodiscard]] std::vector<SweepTable> sweepTables(const MetricEvaluator& metrics);

} // namespace dormer::metrics
