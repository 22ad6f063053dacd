// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/plot/axis_math.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace dormer::view::plot {
namespace {

constexpr double kLeastSpan = 0.2;
constexpr double kMostSpan = 30;
constexpr double kFarthest = 40; ///< decades from 1 on either side: doubles stay far from their limits

void join(std::optional<Decades>& range, double value) {
    if (!range) range = Decades{value, value};
    range->lower = std::min(range->lower, value);
    range->upper = std::max(range->upper, value);
}

Decades widenedAxis(Decades range, const std::optional<Decades>& points) {
    if (!points) return range;
    if (points->lower < range.lower) range.lower = points->lower - kPointMargin;
    if (points->upper > range.upper) range.upper = points->upper + kPointMargin;
    return range;
}

double approach(double from, double to, double share) {
    const double next = from + (to - from) * share;
    return std::abs(to - next) < 1e-3 ? to : next;
}

} // namespace

double LogScale::pixelsPerDecade() const {
    return std::abs(pixelAtUpper - pixelAtLower) / range.span();
}
double LogScale::toPixel(double decades) const {
    return pixelAtLower + (decades - range.lower) / range.span() * (pixelAtUpper - pixelAtLower);
}
double LogScale::toDecades(double pixel) const {
    return range.lower + (pixel - pixelAtLower) / (pixelAtUpper - pixelAtLower) * range.span();
}

void Extent::include(double xDecades, double yDecades) {
    join(x, xDecades);
    join(y, yDecades);
}

ChartRange fitRange(std::optional<double> memoryPerSecond, std::optional<double> computePerSecond,
                    const Extent& points) {
    ChartRange fit{{-2, 3}, {10, 14}};
    if (memoryPerSecond && computePerSecond) {
        const double ridge = std::log10(*computePerSecond / *memoryPerSecond);
        fit.x = {std::floor(ridge - 3), std::ceil(ridge + 1.5)};
    }
    if (computePerSecond) fit.y = {std::log10(*computePerSecond) - 4, std::log10(*computePerSecond) + 0.45};
    if (memoryPerSecond) {
        // A third of a decade under the left end of the memory roof.
        fit.y.lower = std::log10(*memoryPerSecond) + fit.x.lower - 0.35;
        if (!computePerSecond) fit.y.upper = std::log10(*memoryPerSecond) + fit.x.upper + 0.45;
    }
    const auto margin = [](Decades axis, const std::optional<Decades>& held) {
        if (!held) return axis;
        return Decades{std::min(axis.lower, held->lower - kPointMargin),
                       std::max(axis.upper, held->upper + kPointMargin)};
    };
    return {margin(fit.x, points.x), margin(fit.y, points.y)};
}

ChartRange widened(const ChartRange& current, const Extent& points) {
    return {widenedAxis(current.x, points.x), widenedAxis(current.y, points.y)};
}

ChartRange stepTowards(const ChartRange& current, const ChartRange& target, double elapsedMs, double tauMs) {
    const double share = 1 - std::exp(-elapsedMs / tauMs);
    return {
        {approach(current.x.lower, target.x.lower, share), approach(current.x.upper, target.x.upper, share)},
        {approach(current.y.lower, target.y.lower, share), approach(current.y.upper, target.y.upper, share)}};
}

bool sameView(const ChartRange& a, const ChartRange& b) {
    const auto close = [](double u, double v) { return std::abs(u - v) < 1e-6; };
    return close(a.x.lower, b.x.lower) && close(a.x.upper, b.x.upper) && close(a.y.lower, b.y.lower) &&
           close(a.y.upper, b.y.upper);
}

Decades limited(const Decades& range) {
    const double centre = std::clamp((range.lower + range.upper) / 2, -kFarthest, kFarthest);
    const double half = std::clamp(range.span(), kLeastSpan, kMostSpan) / 2;
    return {centre - half, centre + half};
}

Decades zoomed(const Decades& range, double about, double factor) {
    const double applied = std::clamp(factor, kLeastSpan / range.span(), kMostSpan / range.span());
    return {about + (range.lower - about) * applied, about + (range.upper - about) * applied};
}

Ticks logTicks(const Decades& range, int mostMajor) {
    Ticks ticks;
    if (!(range.span() > 0) || range.span() > 2 * kFarthest || mostMajor < 1) return ticks;
    const double least = std::pow(10, range.lower), most = std::pow(10, range.upper);
    if (range.span() < 0.5) {
        // Too narrow for decades: round steps, as on a linear axis.
        const double raw = (most - least) / std::max(2, mostMajor / 2);
        const double magnitude = std::pow(10, std::floor(std::log10(raw)));
        const std::array<double, 4> nice{1, 2, 5, 10};
        const double step = magnitude * *std::find_if(nice.begin(), nice.end() - 1,
                                                      [&](double n) { return n * magnitude >= raw; });
        for (double n = std::ceil(least / step * (1 - 1e-9)); n * step <= most * (1 + 1e-9); ++n)
            ticks.major.push_back(n * step);
        return ticks;
    }
    const int first = static_cast<int>(std::floor(range.lower)),
              last = static_cast<int>(std::ceil(range.upper));
    const int stride =
        std::max(1, (static_cast<int>(std::floor(range.upper)) - first + mostMajor) / mostMajor);
    const bool fine = range.span() < 1.5 && mostMajor >= 3;
    for (int decade = first; decade <= last; ++decade) {
        const double one = std::pow(10, decade);
        for (int digit = 1; digit <= 9; ++digit) {
            const double value = one * digit;
            // A little slack, so that ends which are whole decades keep their tick.
            if (value < least * (1 - 1e-9) || value > most * (1 + 1e-9)) continue;
            const bool major = digit == 1 ? decade % stride == 0 : fine && (digit == 2 || digit == 5);
            if (major) {
                ticks.major.push_back(value);
            } else if (stride == 1 || digit == 1) {
                ticks.minor.push_back(value);
            }
        }
    }
    return ticks;
}

std::string tickLabel(double value) {
    constexpr std::array<const char*, 7> kPrefixes{"", " k", " M", " G", " T", " P", " E"};
    constexpr double kSlack = 1e-9; // a tick at 10000 may come as 9999.999999
    const double magnitude = std::abs(value);
    if (magnitude == 0) return "0";
    if (magnitude < 1e4 * (1 - kSlack))
        return magnitude < 1e-3 * (1 - kSlack) ? fmt::format("{:.3g}", value) : fmt::format("{:.12g}", value);
    const auto power = static_cast<std::size_t>((std::log10(magnitude) + kSlack) / 3);
    if (power >= kPrefixes.size()) return fmt::format("{:.3g}", value);
    return fmt::format("{:.12g}{}", value / std::pow(1000, static_cast<double>(power)), kPrefixes[power]);
}

} // namespace dormer::view::plot
