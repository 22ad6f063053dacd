// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/plot/sweep_plot.h"

#include "analysis/metrics/format.h"
#include "analysis/metrics/workload_facts.h"
#include "analysis/view/number_scale.h"
#include "analysis/view/plot/sweep_words.h"

#include <fmt/format.h>

#include <cmath>

namespace dormer::view::plot {
namespace {

std::string axisTitle(std::string title, const PlotAxis& axis) {
    return axis.logarithmic ? std::move(title) + " (logarithmic)" : title;
}

} // namespace

SweepPlot sweepPlot(const metrics::SweepTable& table, std::size_t metric) {
    SweepPlot plot;
    plot.numeric = table.numeric;
    if (metric >= table.sweep.metrics.size()) return plot;
    const std::string& name = table.sweep.metrics[metric];
    const NumberScale scale = scaleOf(table, metric);
    std::vector<double> xs, ys;
    for (std::size_t i = 0; i < table.points.size(); ++i) {
        const metrics::SweepPoint& point = table.points[i];
        xs.push_back(table.numeric ? point.x.value_or(0) : static_cast<double>(i)); // also without a value
        if (!point.values[metric]) continue;
        ys.push_back(*point.values[metric] / scale.factor);
        plot.spots.push_back({.point = i, .series = point.series, .x = xs.back(), .y = ys.back()});
    }
    plot.x = parameterAxis(xs, table.numeric && table.logarithmic);
    plot.y = valueAxis(ys);
    plot.xTitle = axisTitle(axisName(table), plot.x);
    plot.yTitle = axisTitle(scale.titled(metrics::metricTitle(name)), plot.y);
    return plot;
}

std::string parameterTick(double value) {
    // Sizes are powers of two as often as of ten; small numbers stay whole, none is rounded away.
    if (std::abs(value) >= 1e4)
        for (const auto& [scale, suffix] :
             {std::pair(0x1p30, "Gi"), std::pair(0x1p20, "Mi"), std::pair(0x1p10, "Ki")}) {
            const double scaled = value / scale;
            if (scaled >= 1 && scaled == std::floor(scaled)) return fmt::format("{:.0f} {}", scaled, suffix);
        }
    if (std::abs(value) < 1e6) return fmt::format("{:.6g}", value);
    return metrics::withSiPrefix(value, 4);
}

std::vector<std::size_t> labelsThatFit(std::span<const double> centres, std::span<const double> widths,
                                       double gap) {
    for (std::size_t stride = 1;; stride *= 2) {
        std::vector<std::size_t> shown;
        bool fits = true;
        for (std::size_t i = 0; i < centres.size(); i += stride) {
            if (!shown.empty()) {
                const std::size_t before = shown.back();
                fits = fits && centres[i] - widths[i] / 2 >= centres[before] + widths[before] / 2 + gap;
            }
            shown.push_back(i);
        }
        if (fits) return shown; // at the latest with one
    }
}

std::optional<std::size_t> nearest(std::span<const double> xs, std::span<const double> ys, double x, double y,
                                   double reach) {
    std::optional<std::size_t> best;
    double closest = reach;
    for (std::size_t i = 0; i < xs.size(); ++i) {
        const double distance = std::hypot(xs[i] - x, ys[i] - y);
        if (distance > closest) continue;
        closest = distance;
        best = i;
    }
    return best;
}

} // namespace dormer::view::plot
