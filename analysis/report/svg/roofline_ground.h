// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/view/plot/chart_frame.h"

/// What lies below the points of a roofline in SVG.
namespace dormer::report {

inline constexpr double kLabelPixels = 12;
inline constexpr double kSmallPixels = 11;

/// Shades, grid, ticks and axis titles.
[[nodiscard]] std::string drawGround(const verdict::Roofline& roofline, const view::plot::ChartFrame& frame);
/// Roofs, ridge and their labels, which join the obstacles.
[[nodiscard]] std::string drawRoofs(const verdict::Roofline& roofline, const view::plot::ChartFrame& frame,
                                    view::plot::Obstacles& obstacles);

} // namespace dormer::report
