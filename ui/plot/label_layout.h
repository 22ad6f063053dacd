// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

/// Where text goes so that it can be read: beside markers, along lines, in rows. Plain C++, in pixels, y
/// down.
namespace dormer::ui::plot {

struct Spot {
    double x = 0, y = 0;
};
struct Extents {
    double width = 0, height = 0;
};

/// A rectangle turned about its centre; labels along a roof are such.
struct TurnedBox {
    Spot centre;
    Extents size;
    double radians = 0; ///< clockwise on screen, as QPainter turns
    [[nodiscard]] std::array<Spot, 4> corners() const;
};
[[nodiscard]] TurnedBox uprightBox(double left, double top, double width, double height);
[[nodiscard]] bool overlap(const TurnedBox& a, const TurnedBox& b);
[[nodiscard]] bool crosses(const TurnedBox& box, Spot from, Spot to);

/// What labels must not hide. Text is never put over other text; covering a marker or a line costs.
struct Obstacles {
    std::vector<TurnedBox> text;
    std::vector<TurnedBox> markers;
    std::vector<std::array<Spot, 2>> lines;
};

/// Upright label beside a marker: the first of right, left, above, below and the corners that hides nothing
/// and stays within `bounds`. Absent when there is none; with `must` the least bad place that is free of
/// other text, or right of the marker when even that is missing.
[[nodiscard]] std::optional<TurnedBox> placeBeside(Spot marker, double radius, Extents label,
                                                   const TurnedBox& bounds, const Obstacles& obstacles,
                                                   bool must = false);

/// Label along a line, `gap` pixels above it (measured across the line) and turned with it, slid until it
/// hides nothing; as near as possible to `preferred` (0 = start .. 1 = end). Absent when the line is shorter
/// than the label or everything is taken.
[[nodiscard]] std::optional<TurnedBox> placeAlong(Spot from, Spot to, double gap, Extents label,
                                                  double preferred, const TurnedBox& bounds,
                                                  const Obstacles& obstacles);

struct FlowItem {
    double left = 0, top = 0, width = 0;
};
/// Chips of given widths set from left to right into at most `mostRows` rows. Items that don't fit are left
/// out from the end, so that `moreWidth` fits in their place.
[[nodiscard]] std::vector<FlowItem> flowRows(std::span<const double> widths, double rowWidth,
                                             double rowHeight, double gap, int mostRows, double moreWidth);

} // namespace dormer::ui::plot
