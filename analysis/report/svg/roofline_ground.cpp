// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/svg/roofline_ground.h"

#include "analysis/report/svg/svg_elements.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace dormer::report {

using namespace view::plot;

namespace {

constexpr TextStyle kTick{
    .pixels = kSmallPixels, .cssClass = "muted", .colour = "#5b6370", .anchor = "middle"};

/// "x,y x,y": decades as pixels.
std::string pointsOf(const std::vector<Spot>& corners, const ChartFrame& frame) {
    std::string points;
    for (const Spot& corner : corners) {
        const Spot at = frame.pixel(corner);
        points += fmt::format("{}{},{}", points.empty() ? "" : " ", px(at.x), px(at.y));
    }
    return points;
}

std::string shade(const std::vector<Spot>& corners, const ChartFrame& frame, std::string_view cssClass,
                  std::string_view colour) {
    if (corners.empty()) return {};
    return fmt::format(R"(<polygon class="{}" fill="{}" points="{}"/>)", cssClass, colour,
                       pointsOf(corners, frame));
}

} // namespace

std::string drawGround(const verdict::Roofline& roofline, const ChartFrame& frame) {
    std::string out;
    if (const auto all = roofs(roofline); !all.empty()) {
        const Shades shades = shadesIn(all.front(), frame.view());
        out += shade(shades.memory, frame, "shade-memory", "#edf5fb");
        out += shade(shades.compute, frame, "shade-compute", "#fdf3ec");
    }
    const double left = frame.x.pixelAtLower, right = frame.x.pixelAtUpper;
    const double bottom = frame.y.pixelAtLower, top = frame.y.pixelAtUpper;
    const auto line = [&](std::string_view path) {
        out += fmt::format(R"(<path class="grid" stroke="#e3e6ea" d="{}"/>)", path);
    };
    for (const double tick : logTicks(frame.x.range, kMostXTicks).major) {
        const double x = frame.x.toPixel(std::log10(tick));
        line(fmt::format("M{} {}V{}", px(x), px(top), px(bottom)));
        out += svgText(x, bottom + 18, tickLabel(tick), kTick);
    }
    TextStyle beside = kTick;
    beside.anchor = "end";
    for (const double tick : logTicks(frame.y.range, kMostYTicks).major) {
        const double y = frame.y.toPixel(std::log10(tick));
        line(fmt::format("M{} {}H{}", px(left), px(y), px(right)));
        out += svgText(left - 8, y + 4, tickLabel(tick), beside);
    }
    TextStyle turned = kTick;
    turned.degrees = -90;
    out += svgText((left + right) / 2, bottom + 38, intensityAxisTitle(roofline.work, roofline.level), kTick);
    return out + svgText(left - 50, (top + bottom) / 2, rateUnit(roofline.work), turned);
}

std::string drawRoofs(const verdict::Roofline& roofline, const ChartFrame& frame, Obstacles& obstacles) {
    std::string out;
    const std::vector<Roof> all = roofs(roofline);
    for (const Roof& roof : all)
        out += fmt::format(
            R"(<polyline class="roof" fill="none" stroke="#39414e" stroke-width="{}"{} points="{}"/>)",
            roof.measured ? "2.2" : "1.3", roof.measured ? "" : R"( stroke-dasharray="6 4")",
            pointsOf(outlineIn(roof, frame.view()), frame));
    if (!all.empty())
        if (const auto ridge = ridgeIn(all.front(), frame.view())) {
            const Spot from = frame.pixel({ridge->x1, ridge->y1}), to = frame.pixel({ridge->x2, ridge->y2});
            out += fmt::format(
                R"(<path class="ridge" stroke="#B04800" stroke-width="1.3" stroke-dasharray="1.5 4" d="M{} {}V{}"/>)",
                px(from.x), px(from.y), px(to.y));
        }
    for (const PlacedText& label : placeRoofLabels(roofline, frame, measured(kSmallPixels), obstacles))
        out += svgLabel(label.box, label.text,
                        {.pixels = kSmallPixels, .cssClass = "muted halo", .colour = "#5b6370"});
    return out;
}

} // namespace dormer::report
