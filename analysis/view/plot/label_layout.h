// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Where text goes so that it can be read: beside markers, along lines, in rows. Plain C++, in pixels, y
/// down.
namespace dormer::view::plot {

struct Spot {
    double x = 0, y = 0;
};
struct Extents {
    double width = 0, height = 0;
};
/// Space a painter needs for a line of text, in pixels.
using Measure = std::function<Extents(const std::string& text)>;

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
/// `outer` is upright.
[[nodiscard]] bool within(const TurnedBox& inner, const TurnedBox& outer);

/// What labels must not hide.
struct Obstacles {
    std::vector<TurnedBox> text;
    std::vector<TurnedBox> markers;
    std::vector<std::array<Spot, 2>> lines;
};

/// Whether text in this box would hide nothing.
[[nodiscard]] bool isFree(const TurnedBox& box, const Obstacles& obstacles);

struct PlacedLabel {
    TurnedBox box;
    /// Where a line from the marker ends at the label, which stands too far off to be read without one.
    std::optional<Spot> leader;
};

/// Upright label beside a marker: the first of right, left, above, below and the corners that hides no text,
/// marker or line and stays within `bounds`; else farther out, with a leader. Absent when there is no such
/// place; with `must` then the least bad one beside the marker: free of other text, or right of it when even
/// that is missing.
[[nodiscard]] std::optional<PlacedLabel> placeBeside(Spot marker, double radius, Extents label,
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

} // namespace dormer::view::plot
