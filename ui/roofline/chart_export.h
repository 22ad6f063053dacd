// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/roofline/chart_gutter.h"

#include <qcustomplot.h>

namespace dormer::ui::roofline {

/// What goes onto an exported page.
struct ChartPage {
    QString title;      ///< "Roofline: FP32 over DRAM"
    QString provenance; ///< "measured on NVIDIA H200"
    QSize plot;         ///< size of the plot on screen
    std::vector<GutterItem> gutter;
    std::string selectedLabel;
    plot::ChartStyle style; ///< the light one
    bool areaIsTime = true; ///< said in the legend
};

/// Writes the page as PNG (twice the screen's density), SVG or PDF by the ending of `path`. The plot must
/// already wear the page's style. Returns an empty string, or one line saying what went wrong.
[[nodiscard]] QString writeChartPage(const QString& path, const ChartPage& page, QCustomPlot& plot);

} // namespace dormer::ui::roofline
