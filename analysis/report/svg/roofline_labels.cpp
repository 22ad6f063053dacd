// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/svg/roofline_frame.h"

#include "analysis/metrics/format.h"
#include "analysis/report/svg/svg_elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

namespace dormer::report {

namespace {

/// "DRAM 2.91 TB/s measured · 3.35 TB/s theoretical"
std::string roofLabel(std::string_view name, std::optional<double> theoretical,
                      std::optional<double> measured, std::string_view unit) {
    std::string label(name);
    if (measured) label += fmt::format(" {} measured", view::rateText(*measured, unit));
    if (theoretical)
        label += fmt::format("{} {} theoretical", measured ? " ·" : "", view::rateText(*theoretical, unit));
    return label;
}

} // namespace

void RooflineFrame::drawMemoryLabel(std::string& out, view::LabelPlacer& placer) const {
    const auto theoretical = view::highestCeiling(m_data.roofs.memory, false),
               measured = view::highestCeiling(m_data.roofs.memory, true);
    if (m_roofs.empty() || (!theoretical && !measured)) return;
    // Above the higher of the two lines; for the other side, below the lower one.
    const auto upper = corners(m_roofs.front()), lower = corners(m_roofs.back());
    if (upper.size() < 2 || lower.size() < 2) return;
    const std::string label = roofLabel(verdict::title(m_data.roofs.level), theoretical, measured, "B/s");
    const double width = view::textWidth(label, kSmallPixels);

    struct Spot {
        double x, y;
        int collisions;
    };
    std::optional<Spot> best;
    const auto tryAlong = [&](std::pair<double, double> a, std::pair<double, double> b, double offset) {
        const double length = std::hypot(b.first - a.first, b.second - a.second);
        const double cosine = (b.first - a.first) / length, sine = (b.second - a.second) / length;
        constexpr double kClear = 24; // from the ridge, where two roofs and two labels meet
        for (double start = length - kClear - width; start >= 8; start -= 16) {
            // Offset square to the line; negative is above it, as pixels count downwards.
            const double sx = a.first + start * cosine - offset * sine,
                         sy = a.second + start * sine + offset * cosine;
            int hits = 0;
            for (double along = 0; along <= width; along += kSmallPixels / 2) {
                const double cx = sx + along * cosine + 4 * sine, cy = sy + along * sine - 4 * cosine;
                hits += placer.collisions({cx - 4, cy - 4, cx + 4, cy + 4});
                hits += m_plot.holds({cx - 4, cy - 4, cx + 4, cy + 4}) ? 0 : 4;
            }
            if (!best || hits < best->collisions) best = Spot{sx, sy, hits};
            if (hits == 0) return;
        }
    };
    tryAlong(upper[0], upper[1], -8);
    if (!best || best->collisions > 0) tryAlong(lower[0], lower[1], 16);
    if (!best) return;
    const double dx = upper[1].first - upper[0].first, dy = upper[1].second - upper[0].second;
    const double degrees = std::atan2(dy, dx) * 180 / std::numbers::pi;
    out +=
        svgText(best->x, best->y, label,
                {.pixels = kSmallPixels, .cssClass = "muted halo", .colour = "#5b6370", .degrees = degrees});
    const double length = std::hypot(dx, dy);
    for (double along = 0; along <= width; along += 6) {
        const double cx = best->x + along * dx / length, cy = best->y + along * dy / length;
        placer.block({cx - 6, cy - 12, cx + 6, cy + 4});
    }
}

void RooflineFrame::drawComputeLabel(std::string& out, view::LabelPlacer& placer) const {
    const auto theoretical = view::highestCeiling(m_data.roofs.compute, false),
               measured = view::highestCeiling(m_data.roofs.compute, true);
    if (m_roofs.empty() || (!theoretical && !measured)) return;
    const std::string label = roofLabel(verdict::title(m_data.roofs.work), theoretical, measured,
                                        view::rateUnit(m_data.roofs.work));
    const double line = y(std::max(theoretical.value_or(0), measured.value_or(0)));
    const double width = view::textWidth(label, kSmallPixels);
    out += svgText(m_plot.right - 6, line - 7, label,
                   {.pixels = kSmallPixels, .cssClass = "muted halo", .colour = "#5b6370", .anchor = "end"});
    placer.block({m_plot.right - 6 - width, line - 20, m_plot.right, line});
}

void RooflineFrame::drawRidge(std::string& out, view::LabelPlacer& placer) const {
    if (!m_data.roofs.ridge || !m_x.contains(*m_data.roofs.ridge) || m_roofs.empty()) return;
    const double ridge = x(*m_data.roofs.ridge);
    const double top = std::max(y(roofAt(m_roofs.front(), *m_data.roofs.ridge)), m_plot.top);
    fmt::format_to(
        std::back_inserter(out),
        R"(<path class="ridge" stroke="#B04800" stroke-width="1.3" stroke-dasharray="1.5 4" d="M{} {}V{}"/>)",
        px(ridge), px(top), px(m_plot.bottom));
    placer.blockLine(ridge, top, ridge, m_plot.bottom, 3);
    const std::string label =
        "ridge " + metrics::forPeople(*m_data.roofs.ridge, m_data.roofs.work == verdict::Work::Fp32 ||
                                                                   m_data.roofs.work == verdict::Work::Fp64
                                                               ? metrics::Unit::FlopPerByte
                                                               : metrics::Unit::OpPerByte);
    const double width = view::textWidth(label, kSmallPixels);
    for (double base = m_plot.bottom - 8; base > top + 30; base -= 16) {
        for (const double left : {ridge + 6, ridge - 6 - width}) {
            const view::Box box{left, base - 11, left + width, base + 4};
            if (!m_plot.holds(box) || placer.collisions(box) > 0) continue;
            placer.block(box);
            out += svgText(left, base, label,
                           {.pixels = kSmallPixels, .cssClass = "muted halo", .colour = "#5b6370"});
            return;
        }
    }
}

} // namespace dormer::report
