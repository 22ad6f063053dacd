// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/view/chart_data.h"
#include "analysis/view/plot/level_line.h"
#include "analysis/view/plot/part_line.h"

namespace dormer::report {

struct DrawingOptions {
    double width = 960, height = 600; ///< of the view box
    std::string title, subtitle;      ///< above the chart; none when empty
    bool standalone = true;           ///< a document by itself, with ground and fonts
    /// Each kernel at the other memory levels, drawn where the page shows one; by ChartData::points, or
    /// empty.
    std::vector<view::plot::LevelLine> levels{};
    std::vector<view::plot::LevelRoof> levelRoofs{};
    /// Each kernel's tensor and scalar work apart, by ChartData::points, or empty. Drawn with its levels; in
    /// a document by itself always.
    std::vector<view::plot::PartLine> parts{};
};

/// The roofline as SVG. Every element carries its light colours as attributes and a class besides, so that a
/// page can recolour it for the dark by its style sheet. Points are `<g class="pt" data-row="…">`.
[[nodiscard]] std::string drawRoofline(const view::ChartData& data, const view::KernelRows& rows,
                                       const DrawingOptions& options);

} // namespace dormer::report
