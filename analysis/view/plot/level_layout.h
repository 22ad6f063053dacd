// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/view/plot/chart_frame.h"
#include "analysis/view/plot/level_line.h"

/// Where the hierarchical roofline goes on a chart of so many pixels.
namespace dormer::view::plot {

/// A kernel's line through all levels, as far as it lies in the frame.
struct LevelMarks {
    struct Mark {
        verdict::MemoryLevel level{};
        Spot at;
    };
    Spot from, to;
    /// By ascending intensity, without the level that the chart is about, where the kernel's own marker
    /// stands. Each lies whole in the frame.
    std::vector<Mark> marks;
};
/// Absent where fewer than two levels are known or the line passes by the frame. `radius` is a mark's.
[[nodiscard]] std::optional<LevelMarks> levelMarks(const LevelLine& line, verdict::MemoryLevel chart,
                                                   const ChartFrame& frame, double radius);

/// The slope of another level's roof, with its words where there is room for them.
struct PlacedRoof {
    Spot from, to;
    std::optional<PlacedText> label;
};
/// Those in view. What is placed joins the obstacles.
[[nodiscard]] std::vector<PlacedRoof> placeLevelRoofs(std::span<const LevelRoof> roofs,
                                                      const ChartFrame& frame, const Measure& measure,
                                                      Obstacles& obstacles);

} // namespace dormer::view::plot
