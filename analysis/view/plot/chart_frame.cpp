// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/plot/chart_frame.h"

#include "analysis/metrics/format.h"

#include <algorithm>
#include <cmath>

namespace dormer::view::plot {
namespace {

constexpr double kInset = 2;
constexpr double kAboveRoof = 3;
constexpr double kBesideRidge = 3;
constexpr double kArrowHead = 7;

/// Along a roof, in full or in few letters.
std::optional<PlacedText> placeOnRoof(Spot from, Spot to, double preferred,
                                      const std::array<std::string, 2>& candidates, bool mayLeaveLine,
                                      const ChartFrame& frame, const Measure& measure,
                                      const Obstacles& obstacles) {
    for (const std::string& text : candidates) {
        if (text.empty()) break;
        const Extents size = measure(text);
        Spot start = from;
        // Left of the ridge there is free sky above a flat roof, so its label may begin there.
        if (mayLeaveLine && to.x - from.x < size.width + 8) start.x = to.x - size.width - 8;
        if (const auto box = placeAlong(start, to, kAboveRoof, size, preferred, frame.bounds(), obstacles))
            return PlacedText{text, *box};
    }
    return std::nullopt;
}

/// At the foot of the line, either side, else higher up.
std::optional<PlacedText> placeAtRidge(const Segment& ridge, verdict::Work work, const ChartFrame& frame,
                                       const Measure& measure, const Obstacles& obstacles) {
    const std::string text = ridgeLabel(std::pow(10, ridge.x1), work);
    const Extents size = measure(text);
    const Spot foot = frame.pixel({ridge.x2, ridge.y2}), top = frame.pixel({ridge.x1, ridge.y1});
    const double step = size.height + 2;
    for (double base = foot.y - 4; base - size.height > top.y + kAboveRoof; base -= step) {
        for (const double left : {foot.x + kBesideRidge, foot.x - kBesideRidge - size.width}) {
            const TurnedBox box = uprightBox(left, base - size.height, size.width, size.height);
            if (within(box, frame.bounds()) && isFree(box, obstacles)) return PlacedText{text, box};
        }
    }
    return std::nullopt;
}

} // namespace

TurnedBox ChartFrame::bounds() const {
    const double left = x.toPixel(x.range.lower), right = x.toPixel(x.range.upper);
    const double top = y.toPixel(y.range.upper), bottom = y.toPixel(y.range.lower);
    return uprightBox(left + kInset, top + kInset, right - left - 2 * kInset, bottom - top - 2 * kInset);
}

std::vector<PlacedText> placeRoofLabels(const verdict::Roofline& roofline, const ChartFrame& frame,
                                        const Measure& measure, Obstacles& obstacles) {
    const std::vector<Roof> all = roofs(roofline);
    const ChartRange view = frame.view();
    for (const Roof& roof : all) {
        const std::vector<Spot> corners = outlineIn(roof, view);
        for (std::size_t i = 1; i < corners.size(); ++i)
            obstacles.lines.push_back({frame.pixel(corners[i - 1]), frame.pixel(corners[i])});
    }
    std::vector<PlacedText> placed;
    if (all.empty()) return placed;
    const auto keep = [&](std::optional<PlacedText> label) {
        if (!label) return;
        obstacles.text.push_back(label->box);
        placed.push_back(*std::move(label));
    };
    // Above the theoretical roof, which is the upper one.
    if (const auto flat = flatIn(all.front(), view))
        keep(placeOnRoof(frame.pixel({flat->x1, flat->y1}), frame.pixel({flat->x2, flat->y2}), 1,
                         {computeRoofLabel(roofline), shortComputeRoofLabel(roofline)}, true, frame, measure,
                         obstacles));
    if (const auto slope = slopeIn(all.front(), view))
        keep(placeOnRoof(frame.pixel({slope->x1, slope->y1}), frame.pixel({slope->x2, slope->y2}), 0.55,
                         {memoryRoofLabel(roofline), shortMemoryRoofLabel(roofline)}, false, frame, measure,
                         obstacles));
    if (const auto ridge = ridgeIn(all.front(), view)) {
        keep(placeAtRidge(*ridge, roofline.work, frame, measure, obstacles));
        obstacles.lines.push_back({frame.pixel({ridge->x1, ridge->y1}), frame.pixel({ridge->x2, ridge->y2})});
    }
    return placed;
}

std::optional<Arrow> arrowBetween(Spot start, Spot end, double clearStart, double clearEnd) {
    const double length = std::hypot(end.x - start.x, end.y - start.y);
    if (length < clearStart + clearEnd + 2 * kArrowHead) return std::nullopt;
    const Spot along{(end.x - start.x) / length, (end.y - start.y) / length};
    const Spot tip{end.x - along.x * clearEnd, end.y - along.y * clearEnd};
    const Spot neck{tip.x - along.x * kArrowHead, tip.y - along.y * kArrowHead};
    const double wide = kArrowHead * 0.6;
    return Arrow{{start.x + along.x * clearStart, start.y + along.y * clearStart},
                 neck,
                 {tip,
                  {neck.x - along.y * wide, neck.y + along.x * wide},
                  {neck.x + along.y * wide, neck.y - along.x * wide}}};
}

std::optional<Arrow> speedupArrow(const verdict::Roofline& roofline, const ChartFrame& frame, Spot decades,
                                  double speedup, double reach) {
    const double target = decades.y + std::log10(speedup);
    const std::vector<Roof> all = roofs(roofline);
    const auto intensity = all.empty() ? std::nullopt : all.front().leastIntensity(target);
    if (!intensity || !(speedup > 1)) return std::nullopt;
    return arrowBetween(frame.pixel(decades), frame.pixel({std::max(decades.x, *intensity), target}),
                        reach + 5, 0);
}

std::string speedupText(double speedup) {
    return "×" + metrics::forPeople(speedup, metrics::Unit::None) + " est. speedup";
}

} // namespace dormer::view::plot
