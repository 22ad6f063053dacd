// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/metrics/sweep.h"
#include "analysis/view/plot/plot_axis.h"

#include <span>
#include <string>
#include <vector>

/// Where the points of a sweep lie on their plot.
namespace dormer::view::plot {

struct SweepSpot {
    std::size_t point = 0;  ///< index into SweepTable::points
    std::size_t series = 0; ///< index into SweepTable::series, where there are any
    double x = 0;
    double y = 0; ///< in the unit of the axis
};

/// A plot of one metric of a sweep. Without numbers to put on an axis, points stand side by side in their
/// order.
struct SweepPlot {
    std::vector<SweepSpot> spots; ///< of the points that have a value
    PlotAxis x, y;
    bool numeric = false;       ///< neighbours of a series are joined by a line
    std::string xTitle, yTitle; ///< "elements (logarithmic)", "time, µs"
};
[[nodiscard]] SweepPlot sweepPlot(const metrics::SweepTable& table, std::size_t metric = 0);

/// "16", "0.5", "64 Ki", "1.5 M": a parameter at a tick; no digit is rounded away below a million.
[[nodiscard]] std::string parameterTick(double value);

/// Which of the labels, centred at ascending pixels, are shown so that `gap` stays between neighbours: all
/// of them, or every second, fourth, eighth ...
[[nodiscard]] std::vector<std::size_t> labelsThatFit(std::span<const double> centres,
                                                     std::span<const double> widths, double gap);
/// Index of the spot nearest to a pixel, if one is within `reach`. Both spans are in pixels and equally long.
[[nodiscard]] std::optional<std::size_t> nearest(std::span<const double> xs, std::span<const double> ys,
                                                 double x, double y, double reach);

} // namespace dormer::view::plot
