// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/svg/svg_elements.h"

#include "analysis/view/text.h"
#include "analysis/view/verdict_mark.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace dormer::report {

std::string px(double value) {
    const double rounded = std::round(value * 10) / 10;
    return rounded == std::round(rounded) ? fmt::format("{:.0f}", rounded + 0.0)
                                          : fmt::format("{:.1f}", rounded);
}

std::string svgText(double x, double y, std::string_view text, const TextStyle& style) {
    std::string out = fmt::format(R"(<text class="{}" x="{}" y="{}" font-size="{}" fill="{}")",
                                  style.cssClass, px(x), px(y), px(style.pixels), style.colour);
    if (style.anchor != "start") out += fmt::format(R"( text-anchor="{}")", style.anchor);
    if (style.bold) out += R"( font-weight="600")";
    if (style.degrees != 0)
        out += fmt::format(" transform=\"rotate({:.2f} {} {})\"", style.degrees, px(x), px(y));
    return fmt::format("{}>{}</text>", out, view::escapeMarkup(text));
}

std::string svgMarker(verdict::Bound bound, double x, double y, double radius) {
    const view::VerdictMark& mark = view::markOf(bound);
    const auto head = [&](std::string_view element) {
        return fmt::format(R"(<{} class="mark {}" fill="{}" stroke="#ffffff" stroke-width="1")", element,
                           mark.cssClass, mark.light);
    };
    const double area = std::numbers::pi * radius * radius;
    switch (bound) {
    case verdict::Bound::Compute: {
        const double side = std::sqrt(area);
        return fmt::format(R"({} x="{}" y="{}" width="{}" height="{}" rx="1.5"/>)", head("rect"),
                           px(x - side / 2), px(y - side / 2), px(side), px(side));
    }
    case verdict::Bound::Latency: {
        // Equilateral, its centroid at the point: area = 3 sqrt(3) / 4 R^2.
        const double r = std::sqrt(area / (0.75 * std::numbers::sqrt3));
        const double half = r * std::numbers::sqrt3 / 2;
        return fmt::format(R"({} d="M{} {}L{} {}L{} {}Z"/>)", head("path"), px(x), px(y - r), px(x + half),
                           px(y + r / 2), px(x - half), px(y + r / 2));
    }
    case verdict::Bound::Balanced: {
        const double r = std::sqrt(area / 2);
        return fmt::format(R"({} d="M{} {}L{} {}L{} {}L{} {}Z"/>)", head("path"), px(x), px(y - r), px(x + r),
                           px(y), px(x), px(y + r), px(x - r), px(y));
    }
    case verdict::Bound::Memory:
        return fmt::format(R"({} cx="{}" cy="{}" r="{}"/>)", head("circle"), px(x), px(y), px(radius));
    case verdict::Bound::Unknown:
        break;
    }
    // Hollow: nothing is claimed of it.
    return fmt::format(
        R"(<circle class="mark unknown" fill="#ffffff" stroke="{}" stroke-width="2" cx="{}" cy="{}" r="{}"/>)",
        mark.light, px(x), px(y), px(radius - 0.5));
}

} // namespace dormer::report
