// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/report/chart_data.h"

namespace dormer::analysis {

struct DrawingOptions {
    double width = 960, height = 600; ///< of the view box
    std::string title, subtitle;      ///< above the chart; none when empty
    bool standalone = true;           ///< a document by itself, with ground and fonts
};

/// The roofline as SVG. Every element carries its light colours as attributes and a class besides, so that a
/// page can recolour it for the dark by its style sheet. Points are `<g class="pt" data-row="…">`.
[[nodiscard]] std::string drawRoofline(const ChartData& data, const ReportRows& rows,
                                       const DrawingOptions& options);

} // namespace dormer::analysis
