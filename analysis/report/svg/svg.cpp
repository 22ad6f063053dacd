// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"

#include "analysis/metrics/format.h"
#include "analysis/report/svg/roofline_drawing.h"
#include "analysis/view/text.h"

#include <fmt/format.h>

namespace dormer::report {

namespace {

constexpr std::size_t kMostRows = 500; // more points than that are a cloud, not a chart

} // namespace

std::string rooflineSvg(const diagnosis::Diagnosis& diagnosis, verdict::Work work,
                        verdict::MemoryLevel level) {
    const view::KernelRows rows = view::kernelRows(diagnosis, kMostRows);
    const view::ChartData data = view::chartData(diagnosis.metrics(), rows, work, level);
    DrawingOptions options;
    options.title = fmt::format("Roofline: {} over {}", verdict::title(work), verdict::title(level));
    options.subtitle = fmt::format("{} · {} {} of {} {}, {} {}", session::provenance(diagnosis.session()),
                                   rows.rows.size(), rows.rows.size() == 1 ? "kernel" : "kernels",
                                   rows.launches, rows.launches == 1 ? "launch" : "launches",
                                   metrics::forPeople(rows.totalNs, metrics::Unit::Nanoseconds),
                                   session::whereTimed(diagnosis.session()));
    for (const view::ChartData::Point& point : data.points)
        options.parts.push_back(
            view::plot::partLine(diagnosis.metrics(), rows.rows[point.row].launch, work, level));
    return drawRoofline(data, rows, options);
}

} // namespace dormer::report
