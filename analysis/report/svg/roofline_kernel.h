// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/view/plot/level_layout.h"
#include "analysis/view/plot/part_line.h"

#include <string>
#include <vector>

/// What one kernel has on a roofline beside its point.
namespace dormer::report {

/// A line through the kernel's places at all levels, as far as they lie in the frame. Hidden until the page
/// shows the kernel.
[[nodiscard]] std::string drawLevels(const view::plot::LevelLine& line, verdict::MemoryLevel chart,
                                     const view::plot::ChartFrame& frame);
/// Slopes of the levels that the chart is not about, with their names along them; hidden like those.
[[nodiscard]] std::string drawLevelRoofs(const std::vector<view::plot::LevelRoof>& roofs,
                                         const view::plot::ChartFrame& frame);
/// Marks of the work that the chart is not about, on a line with the kernel's own, and their roofs. Hidden
/// until the page shows the kernel, unless `always`.
[[nodiscard]] std::string drawParts(const view::plot::PartLine& line, const view::plot::ChartFrame& frame,
                                    bool always);

} // namespace dormer::report
