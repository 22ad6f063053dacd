// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/plot_axis.h"

#include "analysis/view/chart_axis.h"

#include <algorithm>
#include <cmath>

namespace dormer::view {

namespace {

constexpr double kLinearSpan = 30;
constexpr double kMostLinearTicks = 5;

/// 1, 2 or 5 times a power of ten, so that few ticks fill the span.
double niceStep(double span) {
    const double least = span / kMostLinearTicks;
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= least * (1 - 1e-9)) return factor * power;
    return 10 * power;
}

} // namespace

double PlotAxis::fraction(double value) const {
    if (logarithmic) return std::log(value / low) / std::log(high / low);
    return (value - low) / (high - low);
}

PlotAxis valueAxis(std::span<const double> values) {
    PlotAxis axis;
    std::vector<double> finite;
    std::ranges::copy_if(values, std::back_inserter(finite),
                         [](double value) { return std::isfinite(value); });
    if (finite.empty()) return axis;
    const auto [least, most] = std::ranges::minmax(finite);
    if (least > 0 && most > kLinearSpan * least) {
        const LogRange range = decadesAround(finite, 0, 0);
        return {range.low, range.high, true, decadeTicks(range, 6)};
    }
    const double low = std::min(least, 0.0), high = std::max(most, 0.0);
    const double step = niceStep(high > low ? high - low : 1);
    axis.low = std::floor(low / step) * step;
    axis.high = std::max(std::ceil(high / step - 1e-9) * step, axis.low + step);
    for (int i = 0; axis.low + i * step <= axis.high + step / 2; ++i)
        axis.ticks.push_back(axis.low + i * step);
    return axis;
}

PlotAxis parameterAxis(std::span<const double> values, bool logarithmic) {
    PlotAxis axis;
    axis.logarithmic = logarithmic;
    axis.ticks.assign(values.begin(), values.end());
    std::ranges::sort(axis.ticks);
    const auto repeated = std::ranges::unique(axis.ticks);
    axis.ticks.erase(repeated.begin(), repeated.end());
    if (axis.ticks.empty()) return {};
    axis.low = axis.ticks.front();
    axis.high = axis.ticks.back();
    if (axis.low == axis.high) axis.high = logarithmic ? axis.low * 10 : axis.low + 1;
    return axis;
}

} // namespace dormer::view
