// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/view/timeline/timeline.h"

#include <optional>

/// A row of the timeline as it is painted in a given width, whatever the number of its bars.
namespace dormer::view::timeline {

/// The stretch of time that is shown, on so many pixels.
struct Window {
    double fromNs = 0, toNs = 1; ///< after Timeline::originNs
    double width = 1;            ///< pixels
    [[nodiscard]] double pixel(double ns) const { return (ns - fromNs) / (toNs - fromNs) * width; }
    [[nodiscard]] double ns(double pixel) const { return fromNs + pixel / width * (toNs - fromNs); }

    /// About `ns`, which stays where it is; within the timeline, and no closer than 100 ns.
    [[nodiscard]] Window zoomed(double ns, double factor, const Timeline& timeline) const;
    [[nodiscard]] Window moved(double byNs, const Timeline& timeline) const;
    bool operator==(const Window&) const = default;
};
/// All of a timeline, or [fromNs, toNs) where that is a stretch of it.
[[nodiscard]] Window windowOf(const Timeline& timeline, double width);

struct DrawnBar {
    double left = 0, right = 0; ///< pixels; a bar of its own is at least one wide
    int lane = 0;
    std::optional<std::size_t> bar; ///< into TimelineRow::bars; absent: several that are too narrow
    std::size_t count = 1;
    double covered = 1; ///< share of the width that bars fill
};
/// Bars narrower than two pixels are joined with such neighbours.
[[nodiscard]] std::vector<DrawnBar> drawnBars(const TimelineRow& row, const Window& window);

struct DrawnStep {
    double left = 0, right = 0;
    double mean = 0, highest = 0; ///< shares
};
/// Steps narrower than a pixel are joined into whole pixels.
[[nodiscard]] std::vector<DrawnStep> drawnSteps(const TimelineRow& row, const Window& window);

/// By pixel, the share of it in which at least one bar ran.
[[nodiscard]] std::vector<double> coveredShares(const TimelineRow& row, const Window& window);

/// Round times for an axis, at least `apartPixels` apart: after the origin, in ns.
[[nodiscard]] std::vector<double> timeTicks(const Window& window, double apartPixels);

} // namespace dormer::view::timeline
