// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/plot/lane_layout.h"

#include <algorithm>
#include <cmath>

namespace dormer::view::plot {
namespace {

constexpr unsigned kLanes = 32;
constexpr unsigned kGroup = 8;
constexpr double kSmallestCell = 6, kLargestCell = 30;
constexpr double kBetween = 2; ///< from box to box
/// Rows that still are worth full boxes where room is dear, and those that are worth half.
constexpr std::size_t kFewRows = 4, kSomeRows = 12;
/// More than that are made lower so that all are seen at once.
constexpr std::size_t kTallRows = 16;
constexpr double kLowStep = 14, kFlatStep = 12, kFlattestStep = 6;

} // namespace

PixelBox LaneLayout::lane(unsigned lane) const {
    return {left + lane * cell + lane / kGroup * groupGap, 0, cell - kBetween, laneHeight};
}

PixelBox LaneLayout::word(std::size_t row, unsigned word) const {
    PixelBox box = lane(word);
    box.y = rowsTop + static_cast<double>(row) * rowStep;
    box.height = rowHeight;
    return box;
}

double LaneLayout::width() const {
    return lane(kLanes - 1).right();
}

double LaneLayout::height() const {
    return rows == 0 ? laneHeight : word(rows - 1, 0).bottom();
}

std::optional<LaneLayout::Hit> LaneLayout::at(double x, double y) const {
    for (unsigned column = 0; column < kLanes; ++column) {
        PixelBox box = lane(column);
        if (x < box.x || x >= box.x + cell) continue;
        if (box.holds(std::min(x, box.right() - 1), y)) return Hit{std::nullopt, column};
        if (y < rowsTop || rowStep <= 0) return std::nullopt;
        const auto row = static_cast<std::size_t>((y - rowsTop) / rowStep);
        if (row >= rows) return std::nullopt;
        return Hit{row, column};
    }
    return std::nullopt;
}

LaneLayout laneLayout(double width, double nameWidth, double textHeight, std::size_t rows, bool compact) {
    LaneLayout layout;
    layout.left = nameWidth;
    layout.rows = rows;
    const double room = width - nameWidth;
    layout.cell = std::clamp(std::floor(room / (kLanes + 1.0)), kSmallestCell, kLargestCell);
    layout.groupGap = std::floor(layout.cell / 3);
    layout.laneHeight = std::max(textHeight + 4, 16.0);
    const double full = layout.laneHeight + (compact ? kBetween : 6);
    if (compact)
        layout.rowStep = rows <= kFewRows ? full : rows <= kSomeRows ? kFlatStep : kFlattestStep;
    else
        layout.rowStep = rows <= kTallRows ? full : kLowStep;
    layout.rowHeight = layout.rowStep >= full
                           ? layout.laneHeight
                           : layout.rowStep - (layout.rowStep > kFlattestStep ? kBetween : 1);
    layout.rowsTop = layout.laneHeight + (compact ? 36 : 56);
    return layout;
}

} // namespace dormer::view::plot
