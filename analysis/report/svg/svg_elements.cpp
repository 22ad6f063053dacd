// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/svg/svg_elements.h"

#include "analysis/base/utf8.h"
#include "analysis/view/plot/marker.h"
#include "analysis/view/text.h"
#include "analysis/view/verdict_mark.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace dormer::report {

namespace {

/// Advance width in em, after DejaVu Sans, the widest of the usual faces.
double emOf(char32_t c) {
    constexpr std::string_view kNarrow = "iljtfrI.,:;'|!()[]/ -";
    constexpr std::string_view kBroad = "mwMW%@";
    if (c >= 0x80) return 0.63;
    if (kNarrow.find(static_cast<char>(c)) != std::string_view::npos) return 0.38;
    if (kBroad.find(static_cast<char>(c)) != std::string_view::npos) return 0.96;
    if (c >= 'A' && c <= 'Z') return 0.72;
    return 0.63;
}

} // namespace

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

std::string svgLabel(const view::plot::TurnedBox& box, std::string_view text, TextStyle style) {
    constexpr double kBaseline = 0.35; // below the middle of a line, in em
    const double down = kBaseline * style.pixels;
    style.anchor = "middle";
    style.degrees = box.radians * 180 / std::numbers::pi;
    return svgText(box.centre.x - down * std::sin(box.radians), box.centre.y + down * std::cos(box.radians),
                   text, style);
}

std::string escapeLines(std::string_view text) {
    std::string out;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        out += (from > 0 ? "&#10;" : "") + view::escapeMarkup(text.substr(from, end - from));
        from = end + 1;
    }
    return out;
}

double textWidth(std::string_view text, double fontPixels) {
    double em = 0;
    while (!text.empty()) {
        const char32_t c = base::takeCharacter(text);
        em += c >= 0x3000 ? 1.0 : emOf(c); // mostly full-width from there on
    }
    return em * fontPixels;
}

view::plot::Measure measured(double fontPixels, bool bold) {
    constexpr double kBolder = 1.15;
    return [pixels = bold ? fontPixels * kBolder : fontPixels, fontPixels](const std::string& text) {
        return view::plot::Extents{textWidth(text, pixels), fontPixels * 1.2};
    };
}

std::string polygonPath(std::span<const view::plot::Spot> corners) {
    std::string path;
    for (const view::plot::Spot& corner : corners)
        path += fmt::format("{}{} {}", path.empty() ? "M" : "L", px(corner.x), px(corner.y));
    return path + "Z";
}

std::string svgMarker(verdict::Bound bound, double x, double y, double radius) {
    const view::VerdictMark& mark = view::markOf(bound);
    if (bound == verdict::Bound::Unknown) { // hollow: nothing is claimed of it
        const double stroke = view::plot::ringStroke(2 * radius);
        return fmt::format(
            R"(<circle class="mark unknown" fill="#ffffff" stroke="{}" stroke-width="{}" cx="{}" cy="{}" r="{}"/>)",
            mark.light, px(stroke), px(x), px(y), px(radius - stroke / 2));
    }
    std::vector<view::plot::Spot> corners = view::plot::markerCorners(bound, 2 * radius);
    for (view::plot::Spot& corner : corners)
        corner = {corner.x + x, corner.y + y};
    return fmt::format(R"(<{} class="mark {}" fill="{}" stroke="#ffffff" stroke-width="1" {}/>)",
                       corners.empty() ? "circle" : "path", mark.cssClass, mark.light,
                       corners.empty() ? fmt::format(R"(cx="{}" cy="{}" r="{}")", px(x), px(y), px(radius))
                                       : fmt::format(R"(d="{}")", polygonPath(corners)));
}

} // namespace dormer::report
