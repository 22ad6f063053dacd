// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/verdict/roofline.h"
#include "analysis/view/report_rows.h"

#include <array>

namespace dormer::view {

/// Single launches drawn beside the kernels' own points, at most.
inline constexpr std::size_t kMostSingleLaunches = 2000;

/// What one roofline picture shows: a point a kernel, and its single launches as faint dots behind it.
struct ChartData {
    struct Point {
        std::size_t row = 0; ///< index into the rows given
        double intensity = 0, rate = 0;
    };
    struct Dot {
        double intensity = 0, rate = 0;
        verdict::Bound bound = verdict::Bound::Unknown;
    };

    verdict::Roofline roofs; ///< its own points are moved from: use the ones below
    std::size_t device = 0;
    std::vector<Point> points;
    std::vector<std::size_t> withoutWork; ///< rows that did none of this work
    std::vector<std::size_t> unknown;     ///< rows whose counters don't tell
    std::vector<Dot> dots;                ///< evenly chosen from the launches
    std::size_t launches = 0;             ///< launches that have a place on this chart
};

/// `device` is an index into Session::devices().
[[nodiscard]] ChartData chartData(const metrics::MetricEvaluator& metrics, const ReportRows& rows,
                                  verdict::Work work, verdict::MemoryLevel level, std::size_t device = 0);

/// The kind of work most of the GPU time is judged by: what a single picture should show.
[[nodiscard]] verdict::Work prevailingWork(const diagnosis::Diagnosis& diagnosis);
/// Index into Session::devices(); nothing when the launch's device was never described.
[[nodiscard]] std::optional<std::size_t> deviceIndexOf(const session::Session& session,
                                                       session::LaunchIndex launch);

} // namespace dormer::view
