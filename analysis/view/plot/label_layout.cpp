// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/plot/label_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dormer::view::plot {
namespace {

constexpr double kMarkerCost = 10;
constexpr double kLineCost = 4;

double dot(Spot a, Spot b) {
    return a.x * b.x + a.y * b.y;
}

/// Whether the projections of two point sets on an axis are apart (separating axis theorem).
bool apart(std::span<const Spot> a, std::span<const Spot> b, Spot axis) {
    const auto reach = [&](std::span<const Spot> points) {
        double low = std::numeric_limits<double>::max(), high = std::numeric_limits<double>::lowest();
        for (const Spot& point : points) {
            low = std::min(low, dot(point, axis));
            high = std::max(high, dot(point, axis));
        }
        return std::pair{low, high};
    };
    const auto [lowA, highA] = reach(a);
    const auto [lowB, highB] = reach(b);
    return highA <= lowB || highB <= lowA;
}

std::array<Spot, 2> axesOf(const TurnedBox& box) {
    const double c = std::cos(box.radians), s = std::sin(box.radians);
    return {Spot{c, s}, Spot{-s, c}};
}

/// Rules most pairs out before the corners are worked out.
bool farApart(const TurnedBox& a, const TurnedBox& b) {
    const double reach = (a.size.width + a.size.height + b.size.width + b.size.height) / 2;
    return std::abs(a.centre.x - b.centre.x) > reach || std::abs(a.centre.y - b.centre.y) > reach;
}

bool onText(const TurnedBox& box, const Obstacles& obstacles) {
    return std::any_of(obstacles.text.begin(), obstacles.text.end(),
                       [&](const TurnedBox& other) { return overlap(box, other); });
}

double costOf(const TurnedBox& box, const Obstacles& obstacles) {
    double cost = 0;
    for (const TurnedBox& marker : obstacles.markers)
        cost += overlap(box, marker) ? kMarkerCost : 0;
    for (const auto& [from, to] : obstacles.lines)
        cost += crosses(box, from, to) ? kLineCost : 0;
    return cost;
}

} // namespace

std::array<Spot, 4> TurnedBox::corners() const {
    const double c = std::cos(radians), s = std::sin(radians);
    const auto corner = [&](double alongSign, double acrossSign) {
        const double dx = alongSign * size.width / 2, dy = acrossSign * size.height / 2;
        return Spot{centre.x + dx * c - dy * s, centre.y + dx * s + dy * c};
    };
    return {corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)};
}

TurnedBox uprightBox(double left, double top, double width, double height) {
    return {{left + width / 2, top + height / 2}, {width, height}, 0};
}

bool overlap(const TurnedBox& a, const TurnedBox& b) {
    if (farApart(a, b)) return false;
    const auto cornersA = a.corners(), cornersB = b.corners();
    for (const TurnedBox* box : {&a, &b}) {
        for (const Spot axis : axesOf(*box)) {
            if (apart(cornersA, cornersB, axis)) return false;
        }
    }
    return true;
}

bool crosses(const TurnedBox& box, Spot from, Spot to) {
    const auto corners = box.corners();
    const std::array<Spot, 2> ends{from, to};
    const Spot across{from.y - to.y, to.x - from.x};
    if (apart(corners, ends, across)) return false;
    for (const Spot axis : axesOf(box)) {
        if (apart(corners, ends, axis)) return false;
    }
    return true;
}

bool within(const TurnedBox& inner, const TurnedBox& outer) {
    const auto corners = inner.corners();
    return std::all_of(corners.begin(), corners.end(), [&](Spot corner) {
        return std::abs(corner.x - outer.centre.x) <= outer.size.width / 2 &&
               std::abs(corner.y - outer.centre.y) <= outer.size.height / 2;
    });
}

bool isFree(const TurnedBox& box, const Obstacles& obstacles) {
    return !onText(box, obstacles) && costOf(box, obstacles) == 0;
}

std::optional<PlacedLabel> placeBeside(Spot marker, double radius, Extents label, const TurnedBox& bounds,
                                       const Obstacles& obstacles, bool must) {
    std::optional<TurnedBox> best;
    double leastCost = std::numeric_limits<double>::max();
    for (const double out : {0.0, 16.0, 32.0, 52.0}) {
        const double dx = radius + 4 + out + label.width / 2, dy = radius + 2 + out + label.height / 2;
        const double diagonal = radius * 0.7 + 2 + out;
        const double cornerX = diagonal + label.width / 2, cornerY = diagonal + label.height / 2;
        // A line up or down beside the marker lets the labels of two launches on one spot stand as a list.
        const double line = label.height + 2;
        const std::array<Spot, 12> offsets{{{dx, 0},
                                            {-dx, 0},
                                            {cornerX, cornerY},
                                            {cornerX, -cornerY},
                                            {-cornerX, -cornerY},
                                            {-cornerX, cornerY},
                                            {0, dy},
                                            {0, -dy},
                                            {dx, line},
                                            {dx, -line},
                                            {-dx, -line},
                                            {-dx, line}}};
        for (const Spot& offset : offsets) {
            const TurnedBox box{{marker.x + offset.x, marker.y + offset.y}, label, 0};
            if (!within(box, bounds) || onText(box, obstacles)) continue;
            const double cost = costOf(box, obstacles);
            if (cost == 0) {
                if (out == 0) return PlacedLabel{box, std::nullopt};
                const double halfWidth = label.width / 2, halfHeight = label.height / 2;
                return PlacedLabel{
                    box, Spot{std::clamp(marker.x, box.centre.x - halfWidth, box.centre.x + halfWidth),
                              std::clamp(marker.y, box.centre.y - halfHeight, box.centre.y + halfHeight)}};
            }
            if (out == 0 && cost < leastCost) {
                leastCost = cost;
                best = box;
            }
        }
    }
    if (!must) return std::nullopt;
    const TurnedBox right{{marker.x + radius + 4 + label.width / 2, marker.y}, label, 0};
    return PlacedLabel{best.value_or(right), std::nullopt};
}

std::optional<TurnedBox> placeAlong(Spot from, Spot to, double gap, Extents label, double preferred,
                                    const TurnedBox& bounds, const Obstacles& obstacles) {
    const double dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
    if (length < label.width) return std::nullopt;
    const Spot along{dx / length, dy / length};
    // Text reads left to right, so the line does; up on screen is then along turned by -90 degrees.
    const Spot up{along.y, -along.x};
    const double distance = gap + label.height / 2;
    const double first = label.width / 2, last = length - label.width / 2;
    const double wanted = std::clamp(preferred * length, first, last);
    constexpr double kStep = 6;
    std::optional<TurnedBox> best;
    double leastCost = std::numeric_limits<double>::max();
    for (double shift = 0; shift <= length; shift += kStep) {
        for (const double sign : {1.0, -1.0}) {
            const double at = wanted + sign * shift;
            if (at < first || at > last) continue;
            const TurnedBox box{
                {from.x + along.x * at + up.x * distance, from.y + along.y * at + up.y * distance},
                label,
                std::atan2(dy, dx)};
            if (!within(box, bounds) || onText(box, obstacles)) continue;
            const double cost = costOf(box, obstacles);
            if (cost == 0) return box;
            if (cost < leastCost) {
                leastCost = cost;
                best = box;
            }
        }
    }
    return best;
}

std::vector<FlowItem> flowRows(std::span<const double> widths, double rowWidth, double rowHeight, double gap,
                               int mostRows, double moreWidth) {
    std::vector<FlowItem> items;
    double left = 0;
    int row = 0;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        const double width = std::min(widths[i], rowWidth);
        if (left > 0 && left + width > rowWidth) {
            left = 0;
            ++row;
        }
        if (row >= mostRows) {
            // Make room at the end of the last row for the word that says how many are left.
            while (!items.empty() && items.back().left + items.back().width + gap + moreWidth > rowWidth) {
                items.pop_back();
            }
            return items;
        }
        items.push_back({left, row * rowHeight, width});
        left += width + gap;
    }
    return items;
}

} // namespace dormer::view::plot
