// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/view/plot/roof_geometry.h"

/// Where roofs, their words and arrows go on a roofline chart of so many pixels.
namespace dormer::view::plot {

/// Both axes on screen; y down.
struct ChartFrame {
    LogScale x, y;

    [[nodiscard]] ChartRange view() const { return {x.range, y.range}; }
    /// Pixel of a place in decades.
    [[nodiscard]] Spot pixel(Spot decades) const { return {x.toPixel(decades.x), y.toPixel(decades.y)}; }
    /// Where text may stand.
    [[nodiscard]] TurnedBox bounds() const;
};

/// Labels beside points, most time first, at most.
inline constexpr int kMostPointLabels = 20;

struct PlacedText {
    std::string text;
    TurnedBox box;
};
/// Words along the upper roof and at the foot of its ridge, as far as there is room. Roofs and what is placed
/// join the obstacles.
[[nodiscard]] std::vector<PlacedText> placeRoofLabels(const verdict::Roofline& roofline,
                                                      const ChartFrame& frame, const Measure& measure,
                                                      Obstacles& obstacles);

/// From one place to another, in pixels.
struct Arrow {
    Spot from, neck;            ///< shaft
    std::array<Spot, 3> head{}; ///< tip first
    [[nodiscard]] Spot tip() const { return head[0]; }
    [[nodiscard]] Spot middle() const { return {(from.x + tip().x) / 2, (from.y + tip().y) / 2}; }
};
/// Clear of a marker at either end by so many pixels. Absent where it would be all head.
[[nodiscard]] std::optional<Arrow> arrowBetween(Spot start, Spot end, double clearStart, double clearEnd);
/// From a launch's marker to where it would be without its first finding. Straight up while the roof allows
/// it; a faster launch than that must also move fewer bytes, so the arrow leans to the least intensity at
/// which such a rate is possible. Absent where no roof tells or the arrow would be all head. `reach` is the
/// marker's radius.
[[nodiscard]] std::optional<Arrow> speedupArrow(const verdict::Roofline& roofline, const ChartFrame& frame,
                                                Spot decades, double speedup, double reach);
/// "×9.1 est. speedup".
[[nodiscard]] std::string speedupText(double speedup);

} // namespace dormer::view::plot
