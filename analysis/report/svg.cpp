// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"

#include "analysis/format.h"
#include "analysis/report/roofline_drawing.h"
#include "analysis/report/text.h"

#include <fmt/format.h>

namespace dormer::analysis {

namespace {

constexpr std::size_t kMostRows = 500; // more points than that are a cloud, not a chart

} // namespace

std::string rooflineSvg(const MetricEvaluator& metrics, Work work, MemoryLevel level) {
    const ReportRows rows = reportRows(metrics, kMostRows);
    const ChartData data = chartData(metrics, rows, work, level);
    DrawingOptions options;
    options.title = fmt::format("Roofline: {} over {}", title(work), title(level));
    options.subtitle = fmt::format("{} · {} {} of {} {}, {} {}", provenance(metrics.session()),
                                   rows.rows.size(), rows.rows.size() == 1 ? "kernel" : "kernels",
                                   rows.launches, rows.launches == 1 ? "launch" : "launches",
                                   forPeople(rows.totalNs, Unit::Nanoseconds), whereTimed(metrics.session()));
    return drawRoofline(data, rows, options);
}

} // namespace dormer::analysis
