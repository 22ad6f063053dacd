// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/plot/roofline_sheet.h"

#include "analysis/metrics/format.h"
#include "analysis/view/text.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace dormer::view::plot {

using verdict::MemoryLevel;

namespace {

constexpr std::array kLevels{MemoryLevel::Dram, MemoryLevel::L2, MemoryLevel::L1, MemoryLevel::Shared};
constexpr std::size_t kNameColumns = 48;

std::string shareText(std::optional<double> share) {
    return share ? metrics::forPeople(*share, metrics::Unit::Ratio) : "–";
}

/// Of the roof above the point, the measured one where both its sides were.
std::optional<double> shareOfRoof(const verdict::Roofline& roofline, const ChartData::Point& point) {
    const std::vector<Roof> all = roofs(roofline);
    if (all.empty()) return std::nullopt;
    const auto most = all.back().attainable(std::log10(point.intensity));
    return most ? std::optional(point.rate / std::pow(10, *most)) : std::nullopt;
}

TextCells emptyTable(verdict::Work work) {
    TextCells cells;
    cells.columns = {{""}, {"kernel"}, {std::string(rateUnit(work)), true}, {"of roof", true}};
    for (const MemoryLevel level : kLevels)
        cells.columns.push_back({std::string(level == MemoryLevel::Shared ? "shared" : title(level)), true});
    return cells;
}

/// Intensity at each level of work at such a rate; a dash where the level moved nothing.
void addIntensities(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch, double perSecond,
                    TextRow& row) {
    const double operations = perSecond * metrics.value(launch, "duration_ns").value_or(0) / 1e9;
    for (const MemoryLevel level : kLevels) {
        const auto bytes = verdict::bytesAt(metrics, launch, level);
        row.push_back(bytes ? fmt::format("{:.{}g}", operations / *bytes, operations < *bytes ? 2 : 3) : "–");
    }
}

void addKernel(const diagnosis::Diagnosis& diagnosis, RooflineSheet& sheet, std::size_t place) {
    const ChartData::Point& point = sheet.chart.points[place];
    const KernelRow& kernel = sheet.rows.rows[point.row];
    TextRow row{std::string(1, sheet.letters[place]),
                truncateMiddle(cleanText(fullLabel(kernel)), kNameColumns), metrics::withSiPrefix(point.rate),
                shareText(shareOfRoof(sheet.chart.roofs, point))};
    addIntensities(diagnosis.metrics(), kernel.launch, point.rate, row);
    sheet.table.rows.push_back(std::move(row));
    for (const PartLine::Stop& stop : sheet.parts[place].stops) {
        if (stop.own) continue;
        const char capital = static_cast<char>(sheet.letters[place] - 'a' + 'A');
        TextRow part{std::string(1, capital), "  its " + stop.name + " work",
                     metrics::withSiPrefix(stop.rate), shareText(stop.share)};
        addIntensities(diagnosis.metrics(), kernel.launch, stop.rate, part);
        sheet.table.rows.push_back(std::move(part));
    }
}

Extent extentOf(const RooflineSheet& sheet) {
    Extent extent;
    for (const ChartData::Point& point : sheet.chart.points)
        extent.include(std::log10(point.intensity), std::log10(point.rate));
    for (const PartLine& line : sheet.parts)
        for (const PartLine::Stop& stop : line.stops)
            extent.include(std::log10(stop.intensity), std::log10(stop.rate));
    for (const LevelLine::Stop& stop : sheet.levels.stops)
        extent.include(std::log10(stop.intensity), std::log10(sheet.levels.rate));
    return extent;
}

} // namespace

RooflineSheet rooflineSheet(const diagnosis::Diagnosis& diagnosis) {
    RooflineSheet sheet;
    const metrics::MetricEvaluator& metrics = diagnosis.metrics();
    const verdict::Work work = prevailingWork(diagnosis);
    sheet.rows = kernelRows(diagnosis, kMostSheetKernels);
    sheet.chart = chartData(metrics, sheet.rows, work, MemoryLevel::Dram);
    for (std::size_t i = 0; i < sheet.chart.points.size(); ++i) {
        sheet.letters.push_back(static_cast<char>('a' + i));
        sheet.parts.push_back(
            partLine(metrics, sheet.rows.rows[sheet.chart.points[i].row].launch, work, MemoryLevel::Dram));
    }
    if (sheet.chart.points.size() == 1) {
        const KernelRow& only = sheet.rows.rows[sheet.chart.points.front().row];
        sheet.levels = levelLine(metrics, only.launch, work);
        sheet.levelRoofs = levelRoofs(metrics.session(), work, MemoryLevel::Dram, 0);
    }
    sheet.range = fittedView(sheet.chart.roofs, extentOf(sheet));
    sheet.table = emptyTable(work);
    for (std::size_t i = 0; i < sheet.chart.points.size(); ++i)
        addKernel(diagnosis, sheet, i);
    return sheet;
}

} // namespace dormer::view::plot
