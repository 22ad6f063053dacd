// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/chart_data.h"

#include "analysis/metrics/format.h"

#include <algorithm>

namespace dormer::view {

std::optional<std::size_t> deviceIndexOf(const session::Session& session, session::LaunchIndex launch) {
    const session::Device* device = session.deviceOf(launch);
    if (!device) return std::nullopt;
    return static_cast<std::size_t>(device - session.devices().data());
}

ChartData chartData(const metrics::MetricEvaluator& metrics, const KernelRows& rows, verdict::Work work,
                    verdict::MemoryLevel level, std::size_t device) {
    const session::Session& session = metrics.session();
    ChartData data;
    data.device = device;
    data.roofs = verdict::roofline(metrics, work, level, device);
    std::vector<verdict::Bound> boundOf(session.launches().size(),
                                        verdict::Bound::Unknown); // dots wear their row's colour
    for (std::size_t i = 0; i < rows.rows.size(); ++i) {
        const KernelRow& row = rows.rows[i];
        if (deviceIndexOf(session, row.launch).value_or(0) != device) continue;
        for (const session::LaunchIndex launch : row.launches)
            boundOf[session::raw(launch)] = row.verdict.bound;
        const auto point = verdict::rooflinePoint(metrics, row.launch, work, level);
        if (!point)
            data.unknown.push_back(i);
        else if (point->rate > 0 && point->intensity > 0)
            data.points.push_back({i, point->intensity, point->rate});
        else
            data.withoutWork.push_back(i);
    }

    const std::vector<verdict::RooflinePoint> all = std::move(data.roofs.points);
    data.launches = all.size();
    if (data.launches == data.points.size()) return data; // each launch is a kernel of its own
    // Every n-th launch keeps the cloud's shape; the first ones would show warm-up only.
    const std::size_t step = all.size() / (kMostSingleLaunches + 1) + 1;
    for (std::size_t i = 0; i < all.size(); i += step)
        if (all[i].rate > 0 && all[i].intensity > 0)
            data.dots.push_back({all[i].intensity, all[i].rate, boundOf[session::raw(all[i].launch)]});
    return data;
}

namespace {

/// What a launch did most of, else whatever of its work is known: samples tell no integer operations.
verdict::Work drawableWork(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch) {
    const auto rateOf = [&](verdict::Work work) {
        const auto point = verdict::rooflinePoint(metrics, launch, work, verdict::MemoryLevel::Dram);
        return point && point->intensity > 0 ? point->rate : 0;
    };
    const verdict::Work most = verdict::dominantWork(metrics, launch);
    if (rateOf(most) > 0) return most;
    constexpr std::array kFlops = {verdict::Work::Fp32, verdict::Work::Fp64, verdict::Work::Tensor};
    const verdict::Work flops = *std::ranges::max_element(kFlops, {}, rateOf);
    if (rateOf(flops) > 0) return flops;
    return rateOf(verdict::Work::WarpInstructions) > 0 ? verdict::Work::WarpInstructions : most;
}

} // namespace

verdict::Work prevailingWork(const diagnosis::Diagnosis& diagnosis) {
    constexpr std::size_t kEnough = 50; // the groups that take the time decide
    std::array<double, verdict::kWorks.size()> ns{};
    for (const std::size_t index : metrics::longestFirst(diagnosis.groups(), kEnough)) {
        const metrics::LaunchGroup& group = diagnosis.groups()[index];
        const verdict::Work work = drawableWork(diagnosis.metrics(), group.representative);
        ns[static_cast<std::size_t>(work)] += group.totalNs;
    }
    return static_cast<verdict::Work>(std::ranges::max_element(ns) - ns.begin());
}

} // namespace dormer::view
