// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/text/sweep_plot.h"

#include "analysis/report/text/canvas.h"
#include "analysis/view/plot/axis_math.h"
#include "analysis/view/plot/sweep_plot.h"
#include "analysis/view/plot/sweep_words.h"
#include "analysis/view/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace dormer::report {

using namespace view::plot;

namespace {

constexpr std::size_t kRows = 15;
constexpr std::size_t kMostLabelColumns = 40;
constexpr std::array<std::string_view, 6> kMarkers{"●", "○", "■", "□", "▲", "△"};
constexpr std::string_view kBestMarker = "◆";

/// Dots between two points of a line, where nothing stands yet.
void join(Canvas& canvas, std::pair<double, double> from, std::pair<double, double> to) {
    const std::size_t first = canvas.column(from.first), last = canvas.column(to.first);
    for (std::size_t column = first + 1; column < last; ++column) {
        const double part = static_cast<double>(column - first) / static_cast<double>(last - first);
        std::string& cell = canvas.at(column, canvas.row(from.second + part * (to.second - from.second)));
        if (cell == " ") cell = "·";
    }
}

/// Labels under their ticks, as far as they don't touch.
std::string tickLine(const PlotAxis& axis, const Canvas& canvas, std::size_t indent) {
    std::vector<double> centres, widths;
    for (const double tick : axis.ticks) {
        centres.push_back(static_cast<double>(canvas.column(axis.fraction(tick))));
        widths.push_back(static_cast<double>(view::displayWidth(parameterTick(tick))));
    }
    std::string line(indent, ' ');
    std::size_t end = 0; // columns used, from the canvas's left edge
    for (const std::size_t i : labelsThatFit(centres, widths, 2)) {
        const double left = std::floor(centres[i]) - std::floor(widths[i] / 2);
        const std::size_t from = std::max(end, static_cast<std::size_t>(std::max(left, 0.0)));
        const std::string label = parameterTick(axis.ticks[i]);
        line += std::string(from - end, ' ') + label;
        end = from + view::displayWidth(label);
    }
    return line;
}

std::string pointsPlot(const metrics::SweepTable& table, std::size_t columns) {
    const SweepPlot plot = sweepPlot(table);
    std::size_t margin = 0;
    for (const double tick : plot.y.ticks)
        margin = std::max(margin, view::displayWidth(tickLabel(tick)));
    // Room for half a label beyond the last point.
    Canvas canvas(columns - margin - 6, kRows);

    const SweepSpot* before = nullptr;
    for (const SweepSpot& spot : plot.spots) {
        if (before != nullptr && before->series == spot.series)
            join(canvas, {plot.x.fraction(before->x), plot.y.fraction(before->y)},
                 {plot.x.fraction(spot.x), plot.y.fraction(spot.y)});
        before = &spot;
    }
    const auto cellOf = [&](const SweepSpot& spot) -> std::string& {
        return canvas.at(canvas.column(plot.x.fraction(spot.x)), canvas.row(plot.y.fraction(spot.y)));
    };
    for (const SweepSpot& spot : plot.spots)
        cellOf(spot) = kMarkers[spot.series % kMarkers.size()];
    for (const SweepSpot& spot : plot.spots)
        if (table.best == spot.point) cellOf(spot) = kBestMarker;

    std::string out = view::cleanText(plot.yTitle) + '\n';
    for (std::size_t row = 0; row < canvas.rows(); ++row) {
        const auto tick = std::ranges::find_if(
            plot.y.ticks, [&](double each) { return canvas.row(plot.y.fraction(each)) == row; });
        const std::string label = tick != plot.y.ticks.end() ? tickLabel(*tick) : std::string();
        std::string line = padded(label, margin, true) + (label.empty() ? " │" : " ┤") + canvas.line(row);
        out += line + '\n';
    }
    std::string rule;
    for (std::size_t column = 0; column < canvas.columns(); ++column)
        rule += std::ranges::any_of(plot.x.ticks,
                                    [&](double t) { return canvas.column(plot.x.fraction(t)) == column; })
                    ? "┴"
                    : "─";
    out += padded("", margin, true) + " └" + rule + '\n';
    out += tickLine(plot.x, canvas, margin + 2) + '\n';
    const std::string title = view::cleanText(plot.xTitle);
    out += padded("",
                  margin + 2 + (canvas.columns() - std::min(canvas.columns(), view::displayWidth(title))) / 2,
                  true) +
           title + '\n';
    std::string legend;
    for (std::size_t i = 0; i < table.series.size(); ++i)
        legend += fmt::format("{}{} {}", i > 0 ? "   " : "", kMarkers[i], view::cleanText(table.series[i]));
    if (table.best) legend += fmt::format("{}{} best", legend.empty() ? "" : "   ", kBestMarker);
    return legend.empty() ? out : out + padded("", margin + 2, true) + legend + '\n';
}

/// A bar to an eighth of a column.
std::string bar(double fraction, std::size_t columns) {
    constexpr std::array<std::string_view, 8> kEighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const auto eighths = static_cast<std::size_t>(
        std::round(std::clamp(fraction, 0.0, 1.0) * static_cast<double>(columns * 8)));
    std::string text;
    for (std::size_t i = 0; i < eighths / 8; ++i)
        text += "█";
    return text + std::string(kEighths[eighths % 8]);
}

std::string barsPlot(const metrics::SweepTable& table, std::size_t columns) {
    const auto shown = barsShown(table);
    double most = 0;
    std::size_t labels = 0, values = 0;
    for (const auto& index : shown) {
        if (!index) continue;
        const metrics::SweepPoint& point = table.points[*index];
        labels = std::max(labels, view::displayWidth(
                                      view::truncateMiddle(shortPointText(table, point), kMostLabelColumns)));
        if (!point.values.front()) continue;
        most = std::max(most, *point.values.front());
        values = std::max(values, view::displayWidth(barValue(table, *point.values.front())));
    }
    constexpr std::string_view kBestMark = " ◀ best";
    const std::size_t room = labels + values + 4 + view::displayWidth(kBestMark);
    const std::size_t width = columns > room + 10 ? columns - room : 10;
    std::string out = view::cleanText(barHead(table)) + '\n';
    for (const auto& index : shown) {
        if (!index) {
            out += fmt::format("{}  … {} more\n", padded("", labels, true),
                               table.points.size() - (shown.size() - 1));
            continue;
        }
        const metrics::SweepPoint& point = table.points[*index];
        const auto& value = point.values.front();
        const std::string drawn = value && most > 0 ? bar(*value / most, width) : std::string();
        std::string line =
            padded(view::truncateMiddle(shortPointText(table, point), kMostLabelColumns), labels, false) +
            "  " + drawn + " " + (value ? barValue(table, *value) : "–");
        if (table.best == index) line += kBestMark;
        out += line + '\n';
    }
    return out;
}

} // namespace

std::string sweepPlotText(const metrics::SweepTable& table, std::size_t columns) {
    if (const std::string why = whyNoPlot(table); !why.empty()) return view::cleanText(why) + '\n';
    return table.numeric ? pointsPlot(table, columns) : barsPlot(table, columns);
}

} // namespace dormer::report
