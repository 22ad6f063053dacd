// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/plot/level_layout.h"

#include <algorithm>
#include <cmath>

namespace dormer::view::plot {
namespace {

constexpr double kAboveRoof = 3;
/// At its lower end, since the chart's own roof has its words in the middle.
constexpr double kAlongRoof = 0.1;

} // namespace

std::optional<LevelMarks> levelMarks(const LevelLine& line, verdict::MemoryLevel chart,
                                     const ChartFrame& frame, double radius) {
    if (line.stops.size() < 2) return std::nullopt;
    const double left = frame.x.pixelAtLower, right = frame.x.pixelAtUpper;
    const double top = frame.y.pixelAtUpper, bottom = frame.y.pixelAtLower;
    const auto place = [&](const LevelLine::Stop& stop) {
        return frame.pixel({std::log10(stop.intensity), std::log10(line.rate)});
    };
    const Spot first = place(line.stops.front()), last = place(line.stops.back());
    if (first.y < top || first.y > bottom || last.x < left || first.x > right) return std::nullopt;
    LevelMarks placed{{std::max(first.x, left), first.y}, {std::min(last.x, right), first.y}, {}};
    for (const LevelLine::Stop& stop : line.stops) {
        const Spot at = place(stop);
        const bool whole = at.x - radius >= left && at.x + radius <= right && at.y - radius >= top &&
                           at.y + radius <= bottom;
        if (stop.level != chart && whole) placed.marks.push_back({stop.level, at});
    }
    return placed;
}

std::vector<PlacedRoof> placeLevelRoofs(std::span<const LevelRoof> roofs, const ChartFrame& frame,
                                        const Measure& measure, Obstacles& obstacles) {
    std::vector<PlacedRoof> placed;
    for (const LevelRoof& each : roofs) {
        const auto slope = slopeIn(each.roof, frame.view());
        if (!slope) continue;
        placed.push_back(
            {frame.pixel({slope->x1, slope->y1}), frame.pixel({slope->x2, slope->y2}), std::nullopt});
        obstacles.lines.push_back({placed.back().from, placed.back().to});
    }
    std::size_t at = 0;
    for (const LevelRoof& each : roofs) {
        if (!slopeIn(each.roof, frame.view())) continue;
        PlacedRoof& roof = placed[at++];
        const auto box = placeAlong(roof.from, roof.to, kAboveRoof, measure(each.label), kAlongRoof,
                                    frame.bounds(), obstacles);
        if (!box) continue;
        roof.label = PlacedText{each.label, *box};
        obstacles.text.push_back(*box);
    }
    return placed;
}

} // namespace dormer::view::plot
