// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/plot/plot_axis.h"

#include "analysis/metrics/sweep.h"
#include "analysis/view/plot/axis_math.h"

#include <algorithm>
#include <cmath>

namespace dormer::view::plot {

namespace {

constexpr double kMostLinearTicks = 5;
constexpr int kMostDecades = 6;
/// log10 of a whole decade is not always whole in floating point.
constexpr double kDecadeSlack = 1e-9;

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

PlotAxis PlotAxis::padded(double below, double above) const {
    PlotAxis wider = *this;
    if (logarithmic) {
        wider.low = low / std::pow(high / low, below);
        wider.high = high * std::pow(high / low, above);
    } else {
        wider.low = low - below * (high - low);
        wider.high = high + above * (high - low);
    }
    return wider;
}

PlotAxis valueAxis(std::span<const double> values) {
    PlotAxis axis;
    std::vector<double> finite;
    std::ranges::copy_if(values, std::back_inserter(finite),
                         [](double value) { return std::isfinite(value); });
    if (finite.empty()) return axis;
    const auto [least, most] = std::ranges::minmax(finite);
    if (metrics::spansDecades(least, most)) {
        const Decades range{std::floor(std::log10(least) + kDecadeSlack),
                            std::ceil(std::log10(most) - kDecadeSlack)};
        return {std::pow(10, range.lower), std::pow(10, range.upper), true,
                logTicks(range, kMostDecades).major};
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

} // namespace dormer::view::plot
