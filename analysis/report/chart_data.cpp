// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/chart_data.h"

#include "analysis/format.h"
#include "analysis/report/report.h"

#include <algorithm>

namespace dormer::analysis {

std::optional<std::size_t> deviceIndexOf(const Session& session, LaunchIndex launch) {
    const Device* device = session.deviceOf(launch);
    if (!device) return std::nullopt;
    return static_cast<std::size_t>(device - session.devices().data());
}

std::string_view workUnits(Work work) {
    switch (work) {
    case Work::Fp32:
    case Work::Fp64:
        return "FLOP";
    case Work::IntegerAndFp:
        return "operations";
    case Work::WarpInstructions:
        return "warp instructions";
    }
    return "operations";
}

std::string_view rateUnit(Work work) {
    switch (work) {
    case Work::Fp32:
    case Work::Fp64:
        return "FLOP/s";
    case Work::IntegerAndFp:
        return "op/s";
    case Work::WarpInstructions:
        return "inst/s";
    }
    return "op/s";
}

Unit intensityUnit(Work work) {
    return work == Work::Fp32 || work == Work::Fp64 ? Unit::FlopPerByte : Unit::OpPerByte;
}

std::string rateText(double perSecond, std::string_view unit) {
    const std::string number = withSiPrefix(perSecond);
    return number + (number.find(' ') == std::string::npos ? " " : "") + std::string(unit);
}

std::optional<double> highestCeiling(const std::vector<Ceiling>& ceilings, bool measured) {
    std::optional<double> best;
    for (const Ceiling& ceiling : ceilings)
        if (ceiling.measured == measured && (!best || ceiling.perSecond > *best)) best = ceiling.perSecond;
    return best;
}

ChartData chartData(const MetricEvaluator& metrics, const ReportRows& rows, Work work, MemoryLevel level,
                    std::size_t device) {
    const Session& session = metrics.session();
    ChartData data;
    data.device = device;
    data.roofs = roofline(metrics, work, level, device);
    std::vector<Bound> boundOf(session.launches().size(), Bound::Unknown); // dots wear their row's colour
    for (std::size_t i = 0; i < rows.rows.size(); ++i) {
        const ReportRow& row = rows.rows[i];
        if (deviceIndexOf(session, row.launch).value_or(0) != device) continue;
        for (const LaunchIndex launch : row.launches)
            boundOf[raw(launch)] = row.verdict.bound;
        const auto point = rooflinePoint(metrics, row.launch, work, level);
        if (!point)
            data.unknown.push_back(i);
        else if (point->rate > 0 && point->intensity > 0)
            data.points.push_back({i, point->intensity, point->rate});
        else
            data.withoutWork.push_back(i);
    }

    const std::vector<RooflinePoint> all = std::move(data.roofs.points);
    data.launches = all.size();
    if (data.launches == data.points.size()) return data; // each launch is a kernel of its own
    // Every n-th launch keeps the cloud's shape; the first ones would show warm-up only.
    const std::size_t step = all.size() / (kMostSingleLaunches + 1) + 1;
    for (std::size_t i = 0; i < all.size(); i += step)
        if (all[i].rate > 0 && all[i].intensity > 0)
            data.dots.push_back({all[i].intensity, all[i].rate, boundOf[raw(all[i].launch)]});
    return data;
}

Work prevailingWork(const MetricEvaluator& metrics) {
    constexpr std::size_t kEnough = 50; // the groups that take the time decide
    std::array<double, 4> ns{};
    for (const ReportRow& row : reportRows(metrics, kEnough).rows)
        ns[static_cast<std::size_t>(dominantWork(metrics, row.launch))] += row.totalNs;
    return static_cast<Work>(std::ranges::max_element(ns) - ns.begin());
}

} // namespace dormer::analysis
