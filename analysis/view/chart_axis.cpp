// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/chart_axis.h"

#include "analysis/metrics/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace dormer::view {

namespace {

/// log10 of a whole decade is not always whole in floating point.
constexpr double kDecadeSlack = 1e-9;

} // namespace

double LogAxis::pixel(double value) const {
    const double part = (std::log10(value) - std::log10(low)) / (std::log10(high) - std::log10(low));
    return from + part * (to - from);
}

double LogAxis::value(double pixel) const {
    const double part = (pixel - from) / (to - from);
    return std::pow(10.0, std::log10(low) + part * (std::log10(high) - std::log10(low)));
}

LogRange decadesAround(std::span<const double> values, double marginBelow, double marginAbove) {
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    for (const double value : values) {
        if (!(value > 0) || !std::isfinite(value)) continue;
        least = std::min(least, std::log10(value));
        most = std::max(most, std::log10(value));
    }
    if (least > most) return {};
    const double low = std::floor(least - marginBelow + kDecadeSlack);
    const double high = std::max(std::ceil(most + marginAbove - kDecadeSlack), low + 1);
    return {std::pow(10.0, low), std::pow(10.0, high)};
}

std::vector<double> decadeTicks(LogRange range, std::size_t most) {
    const auto first = static_cast<int>(std::ceil(std::log10(range.low) - kDecadeSlack));
    const auto last = static_cast<int>(std::floor(std::log10(range.high) + kDecadeSlack));
    int step = 1;
    while (static_cast<std::size_t>((last - first) / step + 1) > std::max<std::size_t>(most, 2))
        ++step;
    std::vector<double> ticks;
    for (int decade = first; decade <= last; decade += step)
        ticks.push_back(std::pow(10.0, decade));
    return ticks;
}

std::string plainTickLabel(double value) {
    if (value >= 1e4) return metrics::withSiPrefix(value, 1);
    if (value < 1e-4) return fmt::format("{:.0e}", value);
    return fmt::format("{:g}", value);
}

std::string siTickLabel(double value) {
    return value < 1 ? plainTickLabel(value) : metrics::withSiPrefix(value, 1);
}

} // namespace dormer::view
