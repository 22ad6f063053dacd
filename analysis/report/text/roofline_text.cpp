// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"
#include "analysis/report/text/canvas.h"
#include "analysis/view/plot/roofline_sheet.h"
#include "analysis/view/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace dormer::report {

using namespace view::plot;

namespace {

constexpr std::size_t kRows = 21;
constexpr std::size_t kLeastColumns = 40, kMostColumns = 110;
/// Where the terminal's width is not known.
constexpr std::size_t kUsualColumns = 80;
constexpr int kMostTextTicks = 6;

/// The chart's plane: decades to cells.
class Plane {
public:
    Plane(const ChartRange& range, std::size_t columns) : m_range(range), m_canvas(columns, kRows) {}

    [[nodiscard]] const ChartRange& range() const { return m_range; }
    [[nodiscard]] const Canvas& canvas() const { return m_canvas; }
    [[nodiscard]] std::size_t column(double x) const {
        return m_canvas.column((x - m_range.x.lower) / m_range.x.span());
    }
    [[nodiscard]] std::size_t row(double y) const {
        return m_canvas.row((y - m_range.y.lower) / m_range.y.span());
    }
    [[nodiscard]] double xAt(std::size_t column) const {
        return m_range.x.lower +
               m_range.x.span() * static_cast<double>(column) / static_cast<double>(m_canvas.columns() - 1);
    }
    [[nodiscard]] bool holds(Spot at) const { return m_range.x.holds(at.x) && m_range.y.holds(at.y); }

    void set(std::size_t column, std::size_t row, std::string_view text) { m_canvas.at(column, row) = text; }
    void setFree(std::size_t column, std::size_t row, std::string_view text) {
        if (m_canvas.at(column, row) == " ") set(column, row, text);
    }
    void put(Spot at, std::string_view text) {
        if (holds(at)) set(column(at.x), row(at.y), text);
    }
    /// Whether nothing stands within `reach` columns of it.
    [[nodiscard]] bool isFree(std::size_t column, std::size_t reach, std::size_t row) {
        const std::size_t to = std::min(column + reach, m_canvas.columns() - 1);
        for (std::size_t at = column - std::min(column, reach); at <= to; ++at)
            if (m_canvas.at(at, row) != " ") return false;
        return true;
    }
    /// Where nothing stands yet, with a blank on either side; else nothing is written.
    bool write(std::size_t column, std::size_t row, std::string_view text) {
        const std::size_t width = view::displayWidth(text);
        if (column + width > m_canvas.columns() || row >= m_canvas.rows()) return false;
        const std::size_t from = column > 0 ? column - 1 : 0;
        const std::size_t to = std::min(column + width + 1, m_canvas.columns());
        for (std::size_t at = from; at < to; ++at)
            if (m_canvas.at(at, row) != " ") return false;
        for (const char letter : text)
            set(column++, row, std::string_view(&letter, 1));
        return true;
    }

private:
    ChartRange m_range;
    Canvas m_canvas;
};

/// A slope has one mark per row, so that it does not look like stairs. A theoretical roof that runs beside
/// its measured one is left out there.
void drawSlope(Plane& plane, const Segment& slope, bool measured) {
    for (std::size_t row = 0; row < kRows; ++row) {
        const double y = plane.range().y.lower +
                         plane.range().y.span() * static_cast<double>(kRows - 1 - row) / (kRows - 1);
        if (y < slope.y1 || y > slope.y2) continue;
        const std::size_t column = plane.column(slope.x1 + (y - slope.y1));
        if (measured || plane.isFree(column, 2, row)) plane.setFree(column, row, measured ? "╱" : "·");
    }
}

void drawFlat(Plane& plane, const Segment& flat, std::string_view mark) {
    for (std::size_t column = plane.column(flat.x1); column <= plane.column(flat.x2); ++column)
        plane.setFree(column, plane.row(flat.y1), mark);
}

/// Measured ones first and solid; theoretical ones dotted where these leave room.
void drawRoofs(Plane& plane, const RooflineSheet& sheet) {
    const std::vector<Roof> all = roofs(sheet.chart.roofs);
    for (auto roof = all.rbegin(); roof != all.rend(); ++roof) {
        if (const auto flat = flatIn(*roof, plane.range()))
            drawFlat(plane, *flat, roof->measured ? "─" : "┄");
        if (const auto slope = slopeIn(*roof, plane.range())) drawSlope(plane, *slope, roof->measured);
    }
}

void drawLevelRoofs(Plane& plane, const RooflineSheet& sheet) {
    for (const LevelRoof& each : sheet.levelRoofs)
        if (const auto slope = slopeIn(each.roof, plane.range()))
            drawSlope(plane, *slope, each.roof.measured);
}

/// The kernel at every level, joined by a line; names above it, below where those are taken.
void drawLevels(Plane& plane, const LevelLine& line) {
    if (line.stops.size() < 2) return;
    const std::size_t row = plane.row(std::log10(line.rate));
    const std::size_t first = plane.column(std::log10(line.stops.front().intensity));
    const std::size_t last = plane.column(std::log10(line.stops.back().intensity));
    for (std::size_t column = first; column <= last; ++column)
        plane.set(column, row, "─");
    for (const LevelLine::Stop& stop : line.stops) {
        const std::size_t column = plane.column(std::log10(stop.intensity));
        plane.set(column, row, "○");
        const std::string_view name = verdict::title(stop.level);
        const std::size_t half = view::displayWidth(name) / 2;
        const std::size_t left = column > half ? column - half : 0;
        if (row == 0 || !plane.write(left, row - 1, name)) (void)plane.write(left, row + 1, name);
    }
}

/// The work that the chart is not about, and its roof where that is the only kernel.
void drawParts(Plane& plane, const RooflineSheet& sheet) {
    for (std::size_t i = 0; i < sheet.parts.size(); ++i) {
        for (const PartLine::Stop& stop : sheet.parts[i].stops) {
            if (stop.own) continue;
            if (sheet.parts.size() == 1)
                if (const auto flat = flatIn(stop.roof, plane.range())) {
                    const std::size_t width = view::displayWidth(stop.label);
                    const std::size_t row = plane.row(flat->y1), last = plane.column(flat->x2);
                    if (row > 0 && last > width + 1) (void)plane.write(last - width - 1, row - 1, stop.label);
                    drawFlat(plane, *flat, stop.roof.measured ? "─" : "┄");
                }
            const char capital = static_cast<char>(sheet.letters[i] - 'a' + 'A');
            plane.put({std::log10(stop.intensity), std::log10(stop.rate)}, std::string(1, capital));
        }
    }
}

/// Letters last, most time on top.
void drawPoints(Plane& plane, const RooflineSheet& sheet) {
    for (std::size_t i = sheet.chart.points.size(); i-- > 0;)
        plane.put({std::log10(sheet.chart.points[i].intensity), std::log10(sheet.chart.points[i].rate)},
                  std::string(1, sheet.letters[i]));
}

std::string framed(const Plane& plane, const RooflineSheet& sheet) {
    const Canvas& canvas = plane.canvas();
    const std::vector<double> rates = logTicks(plane.range().y, kMostTextTicks).major;
    const std::vector<double> intensities = logTicks(plane.range().x, kMostTextTicks).major;
    std::size_t margin = 0;
    for (const double tick : rates)
        margin = std::max(margin, view::displayWidth(tickLabel(tick)));
    std::string out = fmt::format("{}\n", rateUnit(sheet.chart.roofs.work));
    for (std::size_t row = 0; row < canvas.rows(); ++row) {
        std::string label;
        for (const double tick : rates)
            if (plane.row(std::log10(tick)) == row) label = tickLabel(tick);
        out += padded(label, margin, true) + (label.empty() ? " │" : " ┤") + canvas.line(row) + '\n';
    }
    std::string rule, labels(margin + 2, ' ');
    for (std::size_t column = 0; column < canvas.columns(); ++column)
        rule += std::ranges::any_of(intensities,
                                    [&](double tick) { return plane.column(std::log10(tick)) == column; })
                    ? "┴"
                    : "─";
    std::size_t end = 0;
    for (const double tick : intensities) {
        const std::string label = tickLabel(tick);
        const std::size_t half = view::displayWidth(label) / 2, middle = plane.column(std::log10(tick));
        const std::size_t from = middle > half ? middle - half : 0;
        if (from < end + (end > 0 ? 1 : 0) || from + label.size() > canvas.columns() + 2) continue;
        labels += std::string(from - end, ' ') + label;
        end = from + view::displayWidth(label);
    }
    const std::string title = intensityAxisTitle(sheet.chart.roofs.work, sheet.chart.roofs.level);
    out += padded("", margin, true) + " └" + rule + '\n' + labels + '\n';
    const std::size_t room = canvas.columns() > title.size() ? canvas.columns() - title.size() : 0;
    return out + std::string(margin + 2 + room / 2, ' ') + title + '\n';
}

/// Numbers are never cut: names lose their middle.
std::string tableWithin(view::TextCells table, std::size_t columns) {
    constexpr std::size_t kName = 1, kLeastName = 16;
    const std::string whole = view::alignedTable(table.columns, table.rows);
    std::size_t widest = 0, name = 0;
    for (std::size_t at = 0, end = 0; at < whole.size(); at = end + 1) {
        end = whole.find('\n', at);
        widest = std::max(widest, view::displayWidth(std::string_view(whole).substr(at, end - at)));
    }
    if (widest <= columns) return whole;
    for (const view::TextRow& row : table.rows)
        name = std::max(name, view::displayWidth(row[kName]));
    const std::size_t room = std::max(kLeastName, name - std::min(name, widest - columns));
    for (view::TextRow& row : table.rows)
        row[kName] = view::truncateMiddle(row[kName], room);
    return view::alignedTable(table.columns, table.rows);
}

std::string roofWords(const RooflineSheet& sheet) {
    std::string out;
    for (const std::string& label : {memoryRoofLabel(sheet.chart.roofs), computeRoofLabel(sheet.chart.roofs)})
        if (!label.empty()) out += fmt::format("{}{}", out.empty() ? "roofs: " : "; ", label);
    if (!out.empty()) out += '\n';
    std::vector<const LevelRoof*> levels;
    for (const LevelRoof& each : sheet.levelRoofs)
        levels.push_back(&each);
    std::ranges::sort(levels, std::greater{}, [](const LevelRoof* each) { return *each->roof.memory; });
    std::string slopes;
    for (const LevelRoof* each : levels)
        slopes += each->label + ", ";
    return slopes.empty() ? out : fmt::format("{}slopes, highest first: {}\n", out, slopes + "DRAM");
}

} // namespace

std::string rooflineText(const diagnosis::Diagnosis& diagnosis, std::size_t columns) {
    const RooflineSheet sheet = rooflineSheet(diagnosis);
    std::string out = fmt::format("{}, {}\n", chartTitle(sheet.chart.roofs),
                                  view::cleanText(session::provenance(diagnosis.session())));
    if (sheet.empty())
        return out + fmt::format("no kernel did {} work that was counted\n",
                                 verdict::title(sheet.chart.roofs.work));
    std::size_t margin = 0;
    for (const double tick : logTicks(sheet.range.y, kMostTextTicks).major)
        margin = std::max(margin, view::displayWidth(tickLabel(tick)));
    const std::size_t all = columns > 0 ? columns : kUsualColumns;
    const std::size_t wide = all - std::min(all, margin + 2);
    Plane plane(sheet.range, std::clamp(wide, kLeastColumns, kMostColumns));
    drawRoofs(plane, sheet);
    drawParts(plane, sheet);
    drawLevels(plane, sheet.levels);
    drawLevelRoofs(plane, sheet);
    drawPoints(plane, sheet);
    out += roofWords(sheet) + '\n' + framed(plane, sheet) + '\n';
    out += tableWithin(sheet.table, all);
    out += fmt::format("\nDRAM to shared: {} per byte of the level; of roof: the measured one if known\n",
                       isFlop(sheet.chart.roofs.work) ? "FLOP" : "operations");
    if (sheet.rows.groups > sheet.rows.rows.size())
        out += fmt::format("the {} kernels with the most time, of {}\n", sheet.rows.rows.size(),
                           sheet.rows.groups);
    if (sheet.letters.size() > 1) out += "one kernel alone (--kernel) is drawn at every memory level\n";
    return out;
}

} // namespace dormer::report
