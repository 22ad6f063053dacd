// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/svg/roofline_kernel.h"

#include "analysis/report/svg/roofline_ground.h"
#include "analysis/report/svg/svg_elements.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace dormer::report {

using namespace view::plot;

namespace {

constexpr std::string_view kMuted = "#5b6370";
constexpr double kRadius = 4;

} // namespace

std::string drawLevels(const LevelLine& line, verdict::MemoryLevel chart, const ChartFrame& frame) {
    const auto placed = levelMarks(line, chart, frame, kRadius);
    if (!placed) return {};
    std::string out = fmt::format(
        R"(<g class="levels" display="none"><path class="roof" stroke="#39414e" stroke-width="1.4" d="M{} {}H{}"/>)",
        px(placed->from.x), px(placed->from.y), px(placed->to.x));
    double lastLabel = -1e9;
    for (const LevelMarks::Mark& mark : placed->marks) {
        const auto [x, y] = mark.at;
        const std::string_view name = verdict::title(mark.level);
        // Levels that stand close together take turns above and below.
        const bool below = x - lastLabel < textWidth(name, kSmallPixels) + 6;
        lastLabel = below ? -1e9 : x;
        out += fmt::format(
            R"(<circle class="level-mark" fill="#ffffff" stroke="#39414e" stroke-width="1.8" cx="{}" cy="{}" r="{}"/>{})",
            px(x), px(y), px(kRadius),
            svgText(
                x, below ? y + 18 : y - 9, name,
                {.pixels = kSmallPixels, .cssClass = "muted halo", .colour = kMuted, .anchor = "middle"}));
    }
    return out + "</g>";
}

std::string drawLevelRoofs(const std::vector<LevelRoof>& roofs, const ChartFrame& frame) {
    std::string out;
    for (const LevelRoof& each : roofs) {
        const auto slope = slopeIn(each.roof, frame.view());
        if (!slope) continue;
        const Spot from = frame.pixel({slope->x1, slope->y1}), to = frame.pixel({slope->x2, slope->y2});
        out += fmt::format(R"(<path class="roof" stroke="#39414e" stroke-width="1" d="M{} {}L{} {}"/>)",
                           px(from.x), px(from.y), px(to.x), px(to.y));
        const double length = std::hypot(to.x - from.x, to.y - from.y);
        const double words = textWidth(each.label, kSmallPixels);
        if (length < words + 20) continue;
        TextStyle along{
            .pixels = kSmallPixels, .cssClass = "muted halo", .colour = kMuted, .anchor = "middle"};
        along.degrees = std::atan2(to.y - from.y, to.x - from.x) * 180 / std::numbers::pi;
        // At its lower end, since the chart's own roof has its words in the middle; five pixels above the
        // line.
        const double alongX = (to.x - from.x) / length, alongY = (to.y - from.y) / length,
                     at = words / 2 + 10;
        out +=
            svgText(from.x + alongX * at + alongY * 5, from.y + alongY * at - alongX * 5, each.label, along);
    }
    return out.empty() ? out : fmt::format(R"(<g class="level-roofs" display="none">{}</g>)", out);
}

std::string drawParts(const PartLine& line, const ChartFrame& frame, bool always) {
    const auto placed = partMarks(line, frame, kRadius);
    if (!placed) return {};
    const TextStyle words{.pixels = kSmallPixels, .cssClass = "muted halo", .colour = kMuted};
    TextStyle above = words;
    above.anchor = "end";
    std::string out = fmt::format(R"(<g class="levels parts"{}>)", always ? "" : R"( display="none")");
    for (const PartMarks::Flat& flat : placed->flats) {
        out += fmt::format(R"(<path class="roof" stroke="#39414e" stroke-width="1" d="M{} {}H{}"/>)",
                           px(flat.from.x), px(flat.from.y), px(flat.to.x));
        out += svgText(flat.to.x - 4, flat.to.y - 5, flat.label, above);
    }
    out += fmt::format(
        R"(<path class="roof" stroke="#39414e" stroke-width="1.4" stroke-dasharray="2 3" d="M{} {}L{} {}"/>)",
        px(placed->from.x), px(placed->from.y), px(placed->to.x), px(placed->to.y));
    for (const PartMarks::Mark& mark : placed->marks)
        out += fmt::format(
            R"(<circle class="level-mark" fill="#ffffff" stroke="#39414e" stroke-width="1.8" cx="{}" cy="{}" r="{}"/>{})",
            px(mark.at.x), px(mark.at.y), px(kRadius),
            svgText(mark.at.x + 9, mark.at.y + 4, mark.name, words));
    return out + "</g>";
}

} // namespace dormer::report
