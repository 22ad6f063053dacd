// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/plot/chart_style.h"

#include "ui/look/theme.h"
#include "ui/look/verdict_style.h"

#include <QPalette>

namespace dormer::ui::plot {
namespace {

QColor mixed(const QColor& a, const QColor& b, double share) {
    return QColor::fromRgbF(static_cast<float>(a.redF() + (b.redF() - a.redF()) * share),
                            static_cast<float>(a.greenF() + (b.greenF() - a.greenF()) * share),
                            static_cast<float>(a.blueF() + (b.blueF() - a.blueF()) * share));
}

QColor faint(QColor color, double alpha) {
    color.setAlphaF(static_cast<float>(alpha));
    return color;
}

ChartStyle styleOf(const look::Colours& colours, bool dark, const QFont& font) {
    ChartStyle style;
    style.dark = dark;
    style.panel = colours.panel;
    style.text = colours.text;
    style.muted = colours.muted;
    style.border = colours.border;
    style.grid = mixed(colours.panel, colours.text, dark ? 0.12 : 0.09);
    style.minorGrid = mixed(colours.panel, colours.text, dark ? 0.045 : 0.035);
    style.roof = mixed(colours.panel, colours.text, 0.85);
    style.roofFaint = mixed(colours.panel, colours.text, 0.6);
    style.shadeMemory = faint(look::verdictColor(verdict::Bound::Memory, dark), dark ? 0.09 : 0.06);
    style.shadeCompute = faint(look::verdictColor(verdict::Bound::Compute, dark), dark ? 0.08 : 0.05);
    style.gain = colours.gain;
    style.accent = colours.accent;
    style.sunken = colours.sunken;
    style.font = font;
    style.small = look::smallFont(font);
    style.bold = font;
    style.bold.setWeight(QFont::DemiBold);
    return style;
}

} // namespace

ChartStyle chartStyle(const QPalette& palette, const QFont& font) {
    return styleOf(look::coloursFor(palette), look::isDark(palette), font);
}

ChartStyle lightChartStyle(const QFont& font) {
    return styleOf(look::lightColours(), false, font);
}

} // namespace dormer::ui::plot
