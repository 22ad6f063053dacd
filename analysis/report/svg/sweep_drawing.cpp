// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/svg/sweep_drawing.h"

#include "analysis/report/svg/svg_elements.h"
#include "analysis/view/label_placement.h"
#include "analysis/view/plot_axis.h"
#include "analysis/view/sweep_view.h"
#include "analysis/view/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace dormer::report {

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
                       px(width), px(height), view::escapeMarkup(view::plottedTitle(table)),
                       view::escapeMarkup(table.sweep.name));
}

/// Opens the group of one point: what the pointer shows, and the kernel it stands for.
std::string pointHead(const metrics::SweepTable& table, const metrics::SweepPoint& point,
                      const SweepDrawing& drawing) {
    const auto row = drawing.rowOf ? drawing.rowOf(point.workload) : std::nullopt;
    return fmt::format(R"(<g class="pt"{} tabindex="0" role="img"><title>{}&#10;{}&#10;{} {}</title>)",
                       row ? fmt::format(R"( data-row="{}")", *row) : std::string(),
                       view::escapeMarkup(view::truncateMiddle(point.workload, 120)),
                       view::escapeMarkup(view::truncateMiddle(view::pointText(table, point), 200)),
                       view::escapeMarkup(view::plottedTitle(table)),
                       view::escapeMarkup(view::valueTick(table, point.values.front().value_or(0))));
}

class PointsDrawing {
public:
    PointsDrawing(const metrics::SweepTable& table, const SweepDrawing& drawing)
        : m_table(table), m_drawing(drawing) {
        std::vector<double> xs, ys;
        for (const metrics::SweepPoint& point : table.points) {
            xs.push_back(*point.x);
            if (point.values.front()) ys.push_back(*point.values.front());
        }
        m_x = view::parameterAxis(xs, table.logarithmic);
        m_y = view::valueAxis(ys);
        double widest = 0;
        for (const double tick : m_y.ticks)
            widest = std::max(widest, view::textWidth(view::valueTick(table, tick), kPixels));
        m_plot = {widest + 34, table.series.empty() ? 14.0 : 34.0, drawing.width - 24, drawing.height - 46};
    }

    [[nodiscard]] std::string draw() const {
        std::string out = svgHead(m_drawing.width, m_drawing.height, m_table);
        drawAxes(out);
        drawLines(out);
        for (std::size_t i = 0; i < m_table.points.size(); ++i)
            if (m_table.points[i].values.front()) drawPoint(out, i);
        drawLegend(out);
        return out + "</svg>";
    }

private:
    [[nodiscard]] double x(double value) const {
        return m_plot.left + m_x.fraction(value) * (m_plot.right - m_plot.left);
    }
    [[nodiscard]] double y(double value) const {
        return m_plot.bottom - m_y.fraction(value) * (m_plot.bottom - m_plot.top);
    }

    void drawAxes(std::string& out) const {
        auto sink = std::back_inserter(out);
        for (const double tick : m_y.ticks) {
            fmt::format_to(sink, R"(<path class="grid" stroke="{}" d="M{} {}H{}"/>)", kGrid, px(m_plot.left),
                           px(y(tick)), px(m_plot.right));
            out += svgText(m_plot.left - 8, y(tick) + 4, view::valueTick(m_table, tick), tickStyle("end"));
        }
        double end = -1; // right end of the last label
        for (const double tick : m_x.ticks) {
            fmt::format_to(sink, R"(<path class="grid" stroke="{}" d="M{} {}v5"/>)", kGrid, px(x(tick)),
                           px(m_plot.bottom));
            const std::string label = view::parameterTick(tick);
            const double half = view::textWidth(label, kPixels) / 2;
            if (x(tick) - half < end + 8) continue;
            out += svgText(x(tick), m_plot.bottom + 18, label, tickStyle("middle"));
            end = x(tick) + half;
        }
        out += svgText((m_plot.left + m_plot.right) / 2, m_plot.bottom + 38,
                       view::cleanText(m_table.sweep.parameters[*m_table.axis]) +
                           (m_x.logarithmic ? ", logarithmic" : ""),
                       tickStyle("middle"));
        TextStyle turned = tickStyle("middle");
        turned.degrees = -90;
        out += svgText(14, (m_plot.top + m_plot.bottom) / 2,
                       view::plottedTitle(m_table) + (m_y.logarithmic ? ", logarithmic" : ""), turned);
    }

    void drawLines(std::string& out) const {
        for (std::size_t series = 0; series < std::max<std::size_t>(m_table.series.size(), 1); ++series) {
            std::string points;
            for (const metrics::SweepPoint& point : m_table.points)
                if (point.series == series && point.values.front())
                    points += fmt::format("{},{} ", px(x(*point.x)), px(y(*point.values.front())));
            fmt::format_to(
                std::back_inserter(out),
                R"(<polyline class="line s{0}" fill="none" stroke="{1}" stroke-width="1.6" points="{2}"/>)",
                series, kColours[series % kColours.size()], points);
        }
    }

    void drawPoint(std::string& out, std::size_t index) const {
        const metrics::SweepPoint& point = m_table.points[index];
        const double atX = x(*point.x), atY = y(*point.values.front());
        out += pointHead(m_table, point, m_drawing);
        const bool best = m_table.best == index;
        fmt::format_to(std::back_inserter(out),
                       R"(<circle class="ring" fill="none" stroke="none" cx="{0}" cy="{1}" r="8"/>)"
                       R"(<circle class="dot s{2}" fill="{3}" cx="{0}" cy="{1}" r="{4}"/>)",
                       px(atX), px(atY), point.series, kColours[point.series % kColours.size()],
                       best ? "5.5" : "3.5");
        if (best) {
            const bool right = atX > (m_plot.left + m_plot.right) / 2;
            out += svgText(atX + (right ? -10 : 10), atY - 8,
                           fmt::format("best: {}", view::valueTick(m_table, *point.values.front())),
                           {.pixels = kPixels,
                            .cssClass = "text halo",
                            .anchor = right ? "end" : "start",
                            .bold = true});
        }
        out += "</g>\n";
    }

    void drawLegend(std::string& out) const {
        double at = m_plot.left;
        for (std::size_t i = 0; i < m_table.series.size(); ++i) {
            const std::string name = view::truncateMiddle(m_table.series[i], 24);
            fmt::format_to(std::back_inserter(out),
                           R"(<circle class="dot s{}" fill="{}" cx="{}" cy="14" r="4"/>)", i,
                           kColours[i % kColours.size()], px(at + 4));
            out += svgText(at + 14, 18, name, {.pixels = kPixels});
            at += 14 + view::textWidth(name, kPixels) + 20;
        }
    }

    const metrics::SweepTable& m_table;
    const SweepDrawing& m_drawing;
    view::PlotAxis m_x, m_y;
    view::Box m_plot;
};

std::string drawBars(const metrics::SweepTable& table, const SweepDrawing& drawing) {
    const auto shown = view::barsShown(table);
    double most = 0, labels = 0, values = 0;
    const auto label = [&](const metrics::SweepPoint& point) {
        return view::truncateMiddle(view::barText(table, point), kMostLabelColumns);
    };
    for (const auto& index : shown) {
        if (!index) continue;
        const metrics::SweepPoint& point = table.points[*index];
        labels = std::max(labels, view::textWidth(label(point), kPixels));
        if (!point.values.front()) continue;
        most = std::max(most, *point.values.front());
        values = std::max(values,
                          view::textWidth(view::valueTick(table, *point.values.front()) + " best", kPixels));
    }
    const double left = labels + 16, room = std::max(drawing.width - left - values - 24, 60.0);
    const double height = kBarHeight * static_cast<double>(shown.size()) + 30;
    std::string out = svgHead(drawing.width, height, table);
    out += svgText(left, 14, view::barHead(table), tickStyle("start"));
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
        out += svgText(left + width + 8, middle, view::valueTick(table, *value) + (best ? " best" : ""),
                       {.pixels = kPixels, .bold = best}) +
               "</g>\n";
    }
    return out + "</svg>";
}

} // namespace

std::string drawSweep(const metrics::SweepTable& table, const SweepDrawing& drawing) {
    if (!view::whyNoPlot(table).empty()) return {};
    return table.numeric ? PointsDrawing(table, drawing).draw() : drawBars(table, drawing);
}

} // namespace dormer::report
