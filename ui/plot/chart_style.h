// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QFont>

class QPalette;

namespace dormer::ui::plot {

/// Colours and type of the chart. Exports use the light one whatever the window shows.
struct ChartStyle {
    bool dark = false;
    QColor panel;
    QColor text;
    QColor muted;
    QColor border;
    QColor grid;
    QColor minorGrid;
    QColor roof;         ///< measured, or the only one
    QColor roofFaint;    ///< theoretical beside a measured one
    QColor shadeMemory;  ///< left of the ridge
    QColor shadeCompute; ///< right of it
    QColor gain;         ///< text that says what is to be won
    QColor accent;
    QColor sunken;
    QFont font;
    QFont small;
    QFont bold;
};

[[nodiscard]] ChartStyle chartStyle(const QPalette& palette, const QFont& font);
[[nodiscard]] ChartStyle lightChartStyle(const QFont& font);

} // namespace dormer::ui::plot
