// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace dormer::view {

struct Box {
    double left = 0, top = 0, right = 0, bottom = 0;

    [[nodiscard]] bool overlaps(const Box& other) const {
        return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }
    [[nodiscard]] bool holds(const Box& other) const {
        return left <= other.left && top <= other.top && right >= other.right && bottom >= other.bottom;
    }
};

struct PlacedLabel {
    Box box;
    double x = 0, baseline = 0;  ///< where the text starts
    bool distant = false;        ///< needs a line to its point
    double lineX = 0, lineY = 0; ///< where that line ends
};

/// Width of text in a usual sans-serif face; on the wide side, so that real text keeps clear of its
/// neighbours.
[[nodiscard]] double textWidth(std::string_view text, double fontPixels);

/// Puts labels beside points one after another, never over each other, a marker or a line. What finds no
/// room is left out: callers ask in the order of importance.
class LabelPlacer {
public:
    explicit LabelPlacer(Box area) : m_area(area) {}

    void block(Box box) { m_taken.push_back(box); }
    /// Blocks a line as a chain of small boxes, so that labels may nestle under a slope.
    void blockLine(double x1, double y1, double x2, double y2, double thickness);

    /// Tries right, left, above, below and the corners around a marker of this radius, then the same farther
    /// out.
    std::optional<PlacedLabel> place(double x, double y, double radius, std::string_view text,
                                     double fontPixels);
    /// How many blocked boxes this one touches; for choosing among free positions along a line.
    [[nodiscard]] int collisions(const Box& box) const;

private:
    Box m_area;
    std::vector<Box> m_taken;
};

} // namespace dormer::view
