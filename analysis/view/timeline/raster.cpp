// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/timeline/raster.h"

#include <algorithm>
#include <cmath>

namespace dormer::view::timeline {

namespace {

constexpr double kNarrow = 2;      // pixels
constexpr double kClosestNs = 100; // of a whole window
constexpr double kLeastWidth = 1;  // of a bar that is drawn by itself

Window within(double fromNs, double toNs, const Window& like, const Timeline& timeline) {
    const auto length = static_cast<double>(timeline.lengthNs);
    const double span = std::clamp(toNs - fromNs, std::min(kClosestNs, length), length);
    const double from = std::clamp(fromNs, 0.0, length - span);
    return {from, from + span, like.width};
}

/// Narrow bars of one lane that have come so far.
struct Joined {
    double left = 0, right = -1;
    double filled = 0;
    std::size_t count = 0, first = 0;
};

void finish(const Joined& joined, int lane, std::vector<DrawnBar>& drawn) {
    if (joined.count == 0) return;
    const double width = std::max(kLeastWidth, joined.right - joined.left);
    DrawnBar bar{joined.left,  joined.left + width, lane,
                 std::nullopt, joined.count,        std::min(1.0, joined.filled / width)};
    if (joined.count == 1) bar.bar = joined.first;
    drawn.push_back(bar);
}

} // namespace

Window Window::zoomed(double ns, double factor, const Timeline& timeline) const {
    return within(ns - (ns - fromNs) * factor, ns + (toNs - ns) * factor, *this, timeline);
}

Window Window::moved(double byNs, const Timeline& timeline) const {
    return within(fromNs + byNs, toNs + byNs, *this, timeline);
}

Window windowOf(const Timeline& timeline, double width) {
    return {0, static_cast<double>(std::max<std::int64_t>(1, timeline.lengthNs)), std::max(1.0, width)};
}

std::vector<DrawnBar> drawnBars(const TimelineRow& row, const Window& window) {
    std::vector<DrawnBar> drawn;
    std::vector<Joined> open(static_cast<std::size_t>(std::max(1, row.lanes)));
    for (const std::size_t i : barsBetween(row, static_cast<std::int64_t>(window.fromNs),
                                           static_cast<std::int64_t>(std::ceil(window.toNs)))) {
        const Bar& bar = row.bars[i];
        const double left = std::max(0.0, window.pixel(static_cast<double>(bar.beginNs)));
        const double right = std::min(window.width, window.pixel(static_cast<double>(bar.endNs)));
        if (left >= window.width) continue;
        Joined& joined = open[static_cast<std::size_t>(bar.lane)];
        const bool narrow = right - left < kNarrow;
        // A gap that can be seen parts them.
        if (!narrow || left > joined.right + kLeastWidth) {
            finish(joined, bar.lane, drawn);
            joined = {left, left, 0, 0, i};
        }
        if (narrow) {
            joined.right = std::max(joined.right, right);
            joined.filled += std::max(0.0, right - left);
            ++joined.count;
        } else {
            joined = {};
            drawn.push_back({left, std::max(right, left + kLeastWidth), bar.lane, i});
        }
    }
    for (std::size_t lane = 0; lane < open.size(); ++lane)
        finish(open[lane], static_cast<int>(lane), drawn);
    return drawn;
}

std::vector<DrawnStep> drawnSteps(const TimelineRow& row, const Window& window) {
    std::vector<DrawnStep> drawn;
    double column = -1, ns = 0, weighted = 0, highest = 0;
    const auto flush = [&] {
        if (ns > 0) drawn.push_back({column, column + 1, weighted / ns, highest});
        ns = weighted = highest = 0;
    };
    auto step =
        std::ranges::lower_bound(row.steps, static_cast<std::int64_t>(window.fromNs), {}, &Step::endNs);
    for (; step != row.steps.end() && static_cast<double>(step->beginNs) < window.toNs; ++step) {
        const double left = std::max(0.0, window.pixel(static_cast<double>(step->beginNs)));
        const double right = std::min(window.width, window.pixel(static_cast<double>(step->endNs)));
        if (right <= left) continue;
        if (right - left >= 1) {
            flush();
            column = -1;
            drawn.push_back({left, right, step->share, step->share});
            continue;
        }
        if (std::floor(left) != column) {
            flush();
            column = std::floor(left);
        }
        const auto length = static_cast<double>(step->endNs - step->beginNs);
        ns += length;
        weighted += step->share * length;
        highest = std::max(highest, step->share);
    }
    flush();
    return drawn;
}

std::vector<double> coveredShares(const TimelineRow& row, const Window& window) {
    std::vector<double> shares(static_cast<std::size_t>(window.width));
    double until = 0; // bars come by begin, so what is before is counted
    for (const std::size_t i : barsBetween(row, static_cast<std::int64_t>(window.fromNs),
                                           static_cast<std::int64_t>(std::ceil(window.toNs)))) {
        const Bar& bar = row.bars[i];
        const double from = std::max(until, window.pixel(static_cast<double>(bar.beginNs)));
        const double to =
            std::min(static_cast<double>(shares.size()), window.pixel(static_cast<double>(bar.endNs)));
        if (to <= from) continue;
        until = to;
        for (auto column = static_cast<std::size_t>(from); column < shares.size(); ++column) {
            const auto left = static_cast<double>(column);
            if (left >= to) break;
            shares[column] += std::min(to, left + 1) - std::max(from, left);
        }
    }
    return shares;
}

std::vector<double> timeTicks(const Window& window, double apartPixels) {
    std::vector<double> ticks;
    const double least = (window.toNs - window.fromNs) * apartPixels / window.width;
    double step = std::pow(10, std::floor(std::log10(std::max(1.0, least))));
    for (const double factor : {2.0, 2.5, 2.0}) {
        if (step >= least) break;
        step *= factor;
    }
    for (double at = std::ceil(window.fromNs / step) * step; at <= window.toNs; at += step)
        ticks.push_back(at);
    return ticks;
}

} // namespace dormer::view::timeline
