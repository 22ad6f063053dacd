// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/svg/sweep_drawing.h"

#include "analysis/metrics/workload_facts.h"
#include "analysis/report/svg/svg_elements.h"
#include "analysis/view/plot/axis_math.h"
#include "analysis/view/plot/label_layout.h"
#include "analysis/view/plot/lane_layout.h"
#include "analysis/view/plot/sweep_plot.h"
#include "analysis/view/plot/sweep_words.h"
#include "analysis/view/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace dormer::report {

using namespace view::plot;

namespace {

constexpr double kPixels = 11;
constexpr std::string_view kMuted = "#5b6370";
constexpr std::string_view kGrid = "#e3e6ea";
/// The page's classes s0 to s5 follow its theme; these are what they are without it.
constexpr std::array<std::string_view, 6> kColours{"#0072b2", "#d55e00", "#009e73",
                                                   "#8a6fb0", "#6b7280", "#b04800"};
constexpr std::size_t kMostLabelColumns = 46;
constexpr double kBarHeight = 20;

TextStyle tickStyle(std::string_view anchor) {
    return {.pixels = kPixels, .cssClass = "muted", .colour = kMuted, .anchor = anchor};
}

std::string svgHead(double width, double height, const metrics::SweepTable& table) {
    return fmt::format(R"(<svg class="sweep" viewBox="0 0 {} {}" role="img" aria-label="{} of {}">)",
                       px(width), px(height),
                       view::escapeMarkup(metrics::metricTitle(table.sweep.metrics.front())),
                       view::escapeMarkup(table.sweep.name));
}

/// Opens the group of one point: what the pointer shows, and the kernel it stands for.
std::string pointHead(const metrics::SweepTable& table, const metrics::SweepPoint& point,
                      const SweepDrawing& drawing) {
    const auto row = drawing.rowOf ? drawing.rowOf(point.workload) : std::nullopt;
    return fmt::format(R"(<g class="pt"{} tabindex="0" role="img"><title>{}</title>)",
                       row ? fmt::format(R"( data-row="{}")", *row) : std::string(),
                       escapeLines(pointTip(table, point)));
}

class PointsDrawing {
public:
    PointsDrawing(const metrics::SweepTable& table, const SweepDrawing& drawing)
        : m_table(table), m_drawing(drawing), m_sweep(sweepPlot(table)) {
        double widest = 0;
        for (const double tick : m_sweep.y.ticks)
            widest = std::max(widest, textWidth(tickLabel(tick), kPixels));
        const double left = widest + 34, top = table.series.empty() ? 14.0 : 34.0;
        m_area = {left, top, drawing.width - 24 - left, drawing.height - 46 - top};
    }

    [[nodiscard]] std::string draw() const {
        std::string out = svgHead(m_drawing.width, m_drawing.height, m_table);
        Obstacles obstacles;
        drawAxes(out);
        drawLines(out, obstacles);
        for (const SweepSpot& spot : m_sweep.spots)
            drawPoint(out, spot, obstacles);
        drawBest(out, obstacles);
        drawLegend(out);
        return out + "</svg>";
    }

private:
    [[nodiscard]] double x(double value) const { return m_area.x + m_sweep.x.fraction(value) * m_area.width; }
    [[nodiscard]] double y(double value) const {
        return m_area.bottom() - m_sweep.y.fraction(value) * m_area.height;
    }

    void drawAxes(std::string& out) const {
        auto sink = std::back_inserter(out);
        for (const double tick : m_sweep.y.ticks) {
            fmt::format_to(sink, R"(<path class="grid" stroke="{}" d="M{} {}H{}"/>)", kGrid, px(m_area.x),
                           px(y(tick)), px(m_area.right()));
            out += svgText(m_area.x - 8, y(tick) + 4, tickLabel(tick), tickStyle("end"));
        }
        std::vector<double> centres, widths;
        for (const double tick : m_sweep.x.ticks) {
            fmt::format_to(sink, R"(<path class="grid" stroke="{}" d="M{} {}v5"/>)", kGrid, px(x(tick)),
                           px(m_area.bottom()));
            centres.push_back(x(tick));
            widths.push_back(textWidth(parameterTick(tick), kPixels));
        }
        for (const std::size_t i : labelsThatFit(centres, widths, 8))
            out += svgText(centres[i], m_area.bottom() + 18, parameterTick(m_sweep.x.ticks[i]),
                           tickStyle("middle"));
        out += svgText(m_area.middleX(), m_area.bottom() + 38, m_sweep.xTitle, tickStyle("middle"));
        TextStyle turned = tickStyle("middle");
        turned.degrees = -90;
        out += svgText(14, m_area.middleY(), m_sweep.yTitle, turned);
    }

    void drawLines(std::string& out, Obstacles& obstacles) const {
        for (std::size_t series = 0; series < std::max<std::size_t>(m_table.series.size(), 1); ++series) {
            std::string points;
            const SweepSpot* before = nullptr;
            for (const SweepSpot& spot : m_sweep.spots) {
                if (spot.series != series) continue;
                points += fmt::format("{},{} ", px(x(spot.x)), px(y(spot.y)));
                if (before)
                    obstacles.lines.push_back({{{x(before->x), y(before->y)}, {x(spot.x), y(spot.y)}}});
                before = &spot;
            }
            fmt::format_to(
                std::back_inserter(out),
                R"(<polyline class="line s{0}" fill="none" stroke="{1}" stroke-width="1.6" points="{2}"/>)",
                series, kColours[series % kColours.size()], points);
        }
    }

    void drawPoint(std::string& out, const SweepSpot& spot, Obstacles& obstacles) const {
        out += pointHead(m_table, m_table.points[spot.point], m_drawing);
        const double radius = m_table.best == spot.point ? 5.5 : 3.5;
        fmt::format_to(std::back_inserter(out),
                       R"(<circle class="ring" fill="none" stroke="none" cx="{0}" cy="{1}" r="8"/>)"
                       R"(<circle class="dot s{2}" fill="{3}" cx="{0}" cy="{1}" r="{4}"/></g>)"
                       "\n",
                       px(x(spot.x)), px(y(spot.y)), spot.series, kColours[spot.series % kColours.size()],
                       px(radius));
        obstacles.markers.push_back(
            uprightBox(x(spot.x) - radius, y(spot.y) - radius, 2 * radius, 2 * radius));
    }

    void drawBest(std::string& out, const Obstacles& obstacles) const {
        const auto best = std::ranges::find(m_sweep.spots, m_table.best,
                                            [](const SweepSpot& spot) { return std::optional(spot.point); });
        if (best == m_sweep.spots.end()) return;
        const std::string text = view::truncateMiddle(bestLabel(m_table), kMostLabelColumns);
        const TextStyle style{.pixels = kPixels, .cssClass = "text halo", .bold = true};
        const auto placed = placeBeside({x(best->x), y(best->y)}, 6, measured(kPixels, true)(text),
                                        uprightBox(m_area.x, 0, m_drawing.width - m_area.x, m_area.bottom()),
                                        obstacles, true);
        out += svgLabel(placed->box, text, style);
    }

    void drawLegend(std::string& out) const {
        double at = m_area.x;
        for (std::size_t i = 0; i < m_table.series.size(); ++i) {
            const std::string name = view::truncateMiddle(m_table.series[i], 24);
            fmt::format_to(std::back_inserter(out),
                           R"(<circle class="dot s{}" fill="{}" cx="{}" cy="14" r="4"/>)", i,
                           kColours[i % kColours.size()], px(at + 4));
            out += svgText(at + 14, 18, name, {.pixels = kPixels});
            at += 14 + textWidth(name, kPixels) + 20;
        }
    }

    const metrics::SweepTable& m_table;
    const SweepDrawing& m_drawing;
    SweepPlot m_sweep;
    PixelBox m_area;
};

std::string drawBars(const metrics::SweepTable& table, const SweepDrawing& drawing) {
    const auto shown = barsShown(table);
    double most = 0, labels = 0, values = 0;
    const auto label = [&](const metrics::SweepPoint& point) {
        return view::truncateMiddle(shortPointText(table, point), kMostLabelColumns);
    };
    for (const auto& index : shown) {
        if (!index) continue;
        const metrics::SweepPoint& point = table.points[*index];
        labels = std::max(labels, textWidth(label(point), kPixels));
        if (!point.values.front()) continue;
        most = std::max(most, *point.values.front());
        values = std::max(values, textWidth(barValue(table, *point.values.front()) + " best", kPixels));
    }
    const double left = labels + 16, room = std::max(drawing.width - left - values - 24, 60.0);
    const double height = kBarHeight * static_cast<double>(shown.size()) + 30;
    std::string out = svgHead(drawing.width, height, table);
    out += svgText(left, 14, barHead(table), tickStyle("start"));
    double top = 22;
    for (const auto& index : shown) {
        const double middle = top + kBarHeight / 2 + 4;
        top += kBarHeight;
        if (!index) {
            out += svgText(left, middle, fmt::format("… {} more", table.points.size() - (shown.size() - 1)),
                           tickStyle("start"));
            continue;
        }
        const metrics::SweepPoint& point = table.points[*index];
        const auto& value = point.values.front();
        const bool best = table.best == index;
        out += svgText(labels + 8, middle, label(point), {.pixels = kPixels, .anchor = "end", .bold = best});
        if (!value) {
            out += svgText(left, middle, "–", tickStyle("start"));
            continue;
        }
        const double width = most > 0 ? std::max(*value / most * room, 0.0) : 0;
        const std::size_t colour = best ? 2 : 0;
        out += pointHead(table, point, drawing);
        fmt::format_to(std::back_inserter(out),
                       R"(<rect class="dot s{}" fill="{}" x="{}" y="{}" width="{}" height="14" rx="2"/>)",
                       colour, kColours[colour], px(left), px(middle - 11), px(width));
        out += svgText(left + width + 8, middle, barValue(table, *value) + (best ? " best" : ""),
                       {.pixels = kPixels, .bold = best}) +
               "</g>\n";
    }
    return out + "</svg>";
}

} // namespace

std::string drawSweep(const metrics::SweepTable& table, const SweepDrawing& drawing) {
    if (!whyNoPlot(table).empty()) return {};
    return table.numeric ? PointsDrawing(table, drawing).draw() : drawBars(table, drawing);
}

} // namespace dormer::report
