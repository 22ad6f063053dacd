// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/verdict/roofline.h"
#include "ui/plot/chart_style.h"

class QCustomPlot;

namespace dormer::ui::plot {

/// Layers of the plot, from the bottom: grid, roofs, points, axes, notes. Notes have a buffer of their own.
inline constexpr const char* kRoofLayer = "roofs";
inline constexpr const char* kPointLayer = "points";
inline constexpr const char* kNoteLayer = "notes";

/// Logarithmic axes with the chart's own ticks, layers, dragging and zooming.
void setUpPlot(QCustomPlot& plot);
void stylePlot(QCustomPlot& plot, const ChartStyle& style);
void labelAxes(QCustomPlot& plot, verdict::Work work, verdict::MemoryLevel level);

} // namespace dormer::ui::plot
