// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/sweep_plot.h"

#include "analysis/view/plot_axis.h"
#include "analysis/view/sweep_view.h"
#include "analysis/view/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace dormer::view {

namespace {

constexpr std::size_t kRows = 15;
constexpr std::size_t kMostLabelColumns = 40;
constexpr std::array<std::string_view, 6> kMarkers{"●", "○", "■", "□", "▲", "△"};
constexpr std::string_view kBestMarker = "◆";

std::string padded(std::string_view text, std::size_t columns, bool right) {
    const std::size_t width = displayWidth(text);
    const std::string pad(columns > width ? columns - width : 0, ' ');
    return right ? pad + std::string(text) : std::string(text) + pad;
}

/// Rectangle of characters, the first row on top.
class Canvas {
public:
    Canvas(std::size_t columns, std::size_t rows) : m_cells(rows, std::vector<std::string>(columns, " ")) {}

    [[nodiscard]] std::size_t columns() const { return m_cells.front().size(); }
    [[nodiscard]] std::size_t rows() const { return m_cells.size(); }
    [[nodiscard]] std::size_t column(double fraction) const { return place(fraction, columns()); }
    [[nodiscard]] std::size_t row(double fraction) const { return rows() - 1 - place(fraction, rows()); }
    std::string& at(std::size_t column, std::size_t row) { return m_cells[row][column]; }
    [[nodiscard]] std::string line(std::size_t row) const {
        std::string text;
        for (const std::string& cell : m_cells[row])
            text += cell;
        text.erase(text.find_last_not_of(' ') + 1);
        return text;
    }

private:
    static std::size_t place(double fraction, std::size_t cells) {
        const double at = std::round(std::clamp(fraction, 0.0, 1.0) * static_cast<double>(cells - 1));
        return static_cast<std::size_t>(at);
    }
    std::vector<std::vector<std::string>> m_cells;
};

/// Dots between two points of a line, where nothing stands yet.
void join(Canvas& canvas, std::pair<double, double> from, std::pair<double, double> to) {
    const std::size_t first = canvas.column(from.first), last = canvas.column(to.first);
    for (std::size_t column = first + 1; column < last; ++column) {
        const double part = static_cast<double>(column - first) / static_cast<double>(last - first);
        std::string& cell = canvas.at(column, canvas.row(from.second + part * (to.second - from.second)));
        if (cell == " ") cell = "·";
    }
}

/// Labels under their ticks, those left out that would touch the one before.
std::string tickLine(const PlotAxis& axis, const Canvas& canvas, std::size_t indent) {
    std::string line(indent, ' ');
    std::size_t end = 0; // columns used, from the canvas's left edge
    for (const double tick : axis.ticks) {
        const std::string label = parameterTick(tick);
        const std::size_t width = displayWidth(label), at = canvas.column(axis.fraction(tick));
        const std::size_t from = at > width / 2 ? at - width / 2 : 0;
        if (end > 0 && from < end + 2) continue;
        line += std::string(from - end, ' ') + label;
        end = from + width;
    }
    return line;
}

std::string pointsPlot(const metrics::SweepTable& table, std::size_t columns) {
    std::vector<double> xs, ys;
    for (const metrics::SweepPoint& point : table.points) {
        xs.push_back(*point.x);
        if (point.values.front()) ys.push_back(*point.values.front());
    }
    const PlotAxis x = parameterAxis(xs, table.logarithmic), y = valueAxis(ys);
    std::size_t margin = 0;
    for (const double tick : y.ticks)
        margin = std::max(margin, displayWidth(valueTick(table, tick)));
    // Room for half a label beyond the last point.
    Canvas canvas(columns - margin - 6, kRows);

    const metrics::SweepPoint* before = nullptr;
    for (const metrics::SweepPoint& point : table.points) {
        if (!point.values.front()) continue;
        const std::pair at{x.fraction(*point.x), y.fraction(*point.values.front())};
        if (before != nullptr && before->series == point.series)
            join(canvas, {x.fraction(*before->x), y.fraction(*before->values.front())}, at);
        before = &point;
    }
    for (std::size_t i = 0; i < table.points.size(); ++i) {
        const metrics::SweepPoint& point = table.points[i];
        if (!point.values.front()) continue;
        canvas.at(canvas.column(x.fraction(*point.x)), canvas.row(y.fraction(*point.values.front()))) =
            kMarkers[point.series % kMarkers.size()];
    }
    if (table.best)
        canvas.at(canvas.column(x.fraction(*table.points[*table.best].x)),
                  canvas.row(y.fraction(*table.points[*table.best].values.front()))) = kBestMarker;

    std::string out = fmt::format("{}{}\n", plottedTitle(table), y.logarithmic ? " (logarithmic)" : "");
    for (std::size_t row = 0; row < canvas.rows(); ++row) {
        const auto tick =
            std::ranges::find_if(y.ticks, [&](double each) { return canvas.row(y.fraction(each)) == row; });
        const std::string label = tick != y.ticks.end() ? valueTick(table, *tick) : std::string();
        std::string line = padded(label, margin, true) + (label.empty() ? " │" : " ┤") + canvas.line(row);
        out += line + '\n';
    }
    std::string rule;
    for (std::size_t column = 0; column < canvas.columns(); ++column)
        rule += std::ranges::any_of(x.ticks, [&](double t) { return canvas.column(x.fraction(t)) == column; })
                    ? "┴"
                    : "─";
    out += padded("", margin, true) + " └" + rule + '\n';
    out += tickLine(x, canvas, margin + 2) + '\n';
    const std::string axisName =
        cleanText(table.sweep.parameters[*table.axis]) + (x.logarithmic ? " (logarithmic)" : "");
    out +=
        padded("", margin + 2 + (canvas.columns() - std::min(canvas.columns(), displayWidth(axisName))) / 2,
               true) +
        axisName + '\n';
    std::string legend;
    for (std::size_t i = 0; i < table.series.size(); ++i)
        legend += fmt::format("{}{} {}", i > 0 ? "   " : "", kMarkers[i], cleanText(table.series[i]));
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
        labels = std::max(labels, displayWidth(truncateMiddle(barText(table, point), kMostLabelColumns)));
        if (!point.values.front()) continue;
        most = std::max(most, *point.values.front());
        values = std::max(values, displayWidth(valueTick(table, *point.values.front())));
    }
    constexpr std::string_view kBestMark = " ◀ best";
    const std::size_t room = labels + values + 4 + displayWidth(kBestMark);
    const std::size_t width = columns > room + 10 ? columns - room : 10;
    std::string out = barHead(table) + '\n';
    for (const auto& index : shown) {
        if (!index) {
            out += fmt::format("{}  … {} more\n", padded("", labels, true),
                               table.points.size() - (shown.size() - 1));
            continue;
        }
        const metrics::SweepPoint& point = table.points[*index];
        const auto& value = point.values.front();
        const std::string drawn = value && most > 0 ? bar(*value / most, width) : std::string();
        std::string line = padded(truncateMiddle(barText(table, point), kMostLabelColumns), labels, false) +
                           "  " + drawn + " " + (value ? valueTick(table, *value) : "–");
        if (table.best == index) line += kBestMark;
        out += line + '\n';
    }
    return out;
}

} // namespace

std::string sweepPlotText(const metrics::SweepTable& table, std::size_t columns) {
    if (const std::string why = whyNoPlot(table); !why.empty()) return why + '\n';
    return table.numeric ? pointsPlot(table, columns) : barsPlot(table, columns);
}

} // namespace dormer::view
