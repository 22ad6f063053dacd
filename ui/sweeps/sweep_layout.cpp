// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/sweeps/sweep_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dormer::ui::sweeps {
namespace {

/// A metric that spans more than this factor gets a logarithmic axis: its small values would lie on the
/// ground.
constexpr double kLinearSpan = 100;
/// Room at the ends of an axis, as a share of what the points span; in decades where it is logarithmic.
constexpr double kMargin = 0.06;
/// Above, where the names of marked points go.
constexpr double kHeadroom = 0.18;
/// When all points have the same value.
constexpr double kLoneDecades = 0.5;

AxisRange logRange(double least, double most, double margin, double headroom) {
    const double lower = std::log10(least), upper = std::log10(most);
    const double span = upper > lower ? upper - lower : kLoneDecades;
    return {std::pow(10, lower - margin * span), std::pow(10, upper + headroom * span), true};
}

AxisRange linearRange(double least, double most, double margin) {
    const double span = most > least ? most - least : std::max(std::abs(most), 1.0);
    return {least - margin * span, most + margin * span, false};
}

/// From the ground, so that heights compare; values below zero are shown in full.
AxisRange heightRange(double least, double most) {
    if (least > 0 && most > kLinearSpan * least) return logRange(least, most, kHeadroom, kHeadroom);
    const double bottom = std::min(0.0, least);
    const double span = most > bottom ? most - bottom : 1;
    return {least < 0 ? bottom - kMargin * span : 0, most + kHeadroom * span, false};
}

} // namespace

SweepLayout layOut(const metrics::SweepTable& table, std::size_t metric, double factor) {
    SweepLayout layout;
    layout.numeric = table.numeric;
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    double least = kInfinity, most = -kInfinity, left = kInfinity, right = -kInfinity;
    for (std::size_t i = 0; i < table.points.size(); ++i) {
        const metrics::SweepPoint& point = table.points[i];
        const double x = table.numeric ? point.x.value_or(0) : static_cast<double>(i);
        // Points without a value keep their place on the axis.
        left = std::min(left, x);
        right = std::max(right, x);
        if (metric >= point.values.size() || !point.values[metric]) continue;
        const double y = *point.values[metric] / factor;
        layout.spots.push_back({.point = i, .series = point.series, .x = x, .y = y});
        least = std::min(least, y);
        most = std::max(most, y);
    }
    if (!layout.spots.empty()) layout.y = heightRange(least, most);
    if (table.points.empty()) return layout;
    layout.x = !table.numeric                    ? AxisRange{left - 0.5, right + 0.5, false}
               : table.logarithmic && left > 0.0 ? logRange(left, right, kMargin, kMargin)
                                                 : linearRange(left, right, kMargin);
    return layout;
}

std::string nameOf(const metrics::SweepPoint& point) {
    std::string name;
    for (const std::string& value : point.parameters)
        name += (name.empty() ? "" : " \u00b7 ") + value;
    return name.empty() ? point.workload : name;
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

} // namespace dormer::ui::sweeps
