// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/metrics/sweep.h"

#include <span>
#include <string>
#include <vector>

/// Where the points of a sweep lie on their plot. Plain C++: no widget and no Qt.
namespace dormer::ui::sweeps {

/// A stretch of a linear or logarithmic axis, in values.
struct AxisRange {
    double lower = 0;
    double upper = 1;
    bool logarithmic = false;
};

struct SweepSpot {
    std::size_t point = 0;  ///< index into SweepTable::points
    std::size_t series = 0; ///< index into SweepTable::series, where there are any
    double x = 0;
    double y = 0; ///< the metric divided by the scale's factor
};

/// A plot of one metric of a sweep. Without numbers to put on an axis, points stand side by side in their
/// order.
struct SweepLayout {
    std::vector<SweepSpot> spots; ///< of the points that have a value
    AxisRange x, y;
    bool numeric = false; ///< neighbours of a series are joined by a line
};
[[nodiscard]] SweepLayout layOut(const metrics::SweepTable& table, std::size_t metric, double factor);

/// What a point is called: its parameters' values, joined by a middle dot.
[[nodiscard]] std::string nameOf(const metrics::SweepPoint& point);

/// Which of the labels, centred at ascending pixels, are shown so that `gap` stays between neighbours: all
/// of them, or every second, fourth, eighth ...
[[nodiscard]] std::vector<std::size_t> labelsThatFit(std::span<const double> centres,
                                                     std::span<const double> widths, double gap);
/// Index of the spot nearest to a pixel, if one is within `reach`. Both spans are in pixels and equally long.
[[nodiscard]] std::optional<std::size_t> nearest(std::span<const double> xs, std::span<const double> ys,
                                                 double x, double y, double reach);

} // namespace dormer::ui::sweeps
