// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/plot/level_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace dormer::view::plot {

using namespace verdict;

namespace {
/// Roofs this close lie on each other: a tenth of a label's height on a common chart.
constexpr double kSameDecades = 0.03;
constexpr std::array kLevels{MemoryLevel::Dram, MemoryLevel::L2, MemoryLevel::L1, MemoryLevel::Shared};
} // namespace

LevelLine levelLine(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch, Work work) {
    LevelLine line;
    for (const MemoryLevel level : kLevels) {
        const auto point = rooflinePoint(metrics, launch, work, level);
        if (!point || point->rate <= 0 || point->intensity <= 0) continue;
        line.rate = point->rate;
        line.stops.push_back({level, point->intensity});
    }
    std::ranges::stable_sort(line.stops, {}, &LevelLine::Stop::intensity);
    return line;
}

std::vector<LevelRoof> levelRoofs(const session::Session& session, Work work, MemoryLevel chart,
                                  std::size_t device) {
    std::vector<LevelRoof> found;
    for (const MemoryLevel level : kLevels) {
        if (level == chart) continue;
        const Roofline roofline = roofsOf(session, work, level, device);
        const std::vector<Roof> all = roofs(roofline);
        // The last is measured if any is.
        const auto roof = std::ranges::find_if(all.rbegin(), all.rend(), [](const Roof& each) {
            return each.memory.has_value() && each.drawsSlope;
        });
        if (roof == all.rend()) continue;
        const auto same = std::ranges::find_if(found, [&](const LevelRoof& other) {
            return std::abs(*other.roof.memory - *roof->memory) < kSameDecades;
        });
        if (same == found.end())
            found.push_back({level, *roof, shortMemoryRoofLabel(roofline)});
        else // one line on the chart
            same->label = fmt::format("{} / {}", title(level), same->label);
    }
    return found;
}

} // namespace dormer::view::plot
