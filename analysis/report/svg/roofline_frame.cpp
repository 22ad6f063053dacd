// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/svg/roofline_frame.h"

#include "analysis/report/svg/svg_elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace dormer::report {

RooflineFrame::RooflineFrame(const view::ChartData& data, view::Box plot) : m_data(data), m_plot(plot) {
    const auto memory = view::highestCeiling(data.roofs.memory, false),
               compute = view::highestCeiling(data.roofs.compute, false);
    const auto memoryMeasured = view::highestCeiling(data.roofs.memory, true),
               computeMeasured = view::highestCeiling(data.roofs.compute, true);
    if (memory || compute) m_roofs.push_back({memory, compute, false});
    // A side that was not measured ends at the theoretical one, so that the measured roof still closes.
    if (memoryMeasured || computeMeasured)
        m_roofs.push_back(
            {memoryMeasured ? memoryMeasured : memory, computeMeasured ? computeMeasured : compute, true});

    std::vector<double> intensities, rates;
    for (const auto& point : data.points) {
        intensities.push_back(point.intensity);
        rates.push_back(point.rate);
    }
    for (const auto& dot : data.dots) {
        intensities.push_back(dot.intensity);
        rates.push_back(dot.rate);
    }
    // The ridge with two decades on its left and one on its right makes every chart look like a roof.
    const double slack = 0.12;
    for (const Roof& roof : m_roofs) {
        if (roof.memory && roof.compute) {
            const double ridge = *roof.compute / *roof.memory;
            intensities.insert(intensities.end(), {ridge / 100, ridge * 12});
            rates.push_back(*roof.compute / 1000);
        }
        if (roof.compute) rates.push_back(*roof.compute * 2);
    }
    const view::LogRange xs = view::decadesAround(intensities, slack, slack);
    const view::LogRange ys = view::decadesAround(rates, slack, 0);
    // The top needs no whole decade: room for the roof's label is enough.
    const double top = rates.empty() ? ys.high : *std::ranges::max_element(rates) * 1.4;
    m_x = {xs.low, xs.high, plot.left, plot.right};
    m_y = {ys.low, std::max(top, ys.low * 10), plot.bottom, plot.top};
}

double RooflineFrame::roofAt(const Roof& roof, double intensity) const {
    const double byMemory = roof.memory ? *roof.memory * intensity : m_y.high;
    return std::min(byMemory, roof.compute.value_or(m_y.high));
}

/// Pixels of a roof within the plot, from left to right.
std::vector<std::pair<double, double>> RooflineFrame::corners(const Roof& roof) const {
    std::vector<double> at{m_x.low, m_x.high};
    if (roof.memory) {
        if (roof.compute) at.push_back(*roof.compute / *roof.memory);
        at.push_back(m_y.low / *roof.memory);
        at.push_back(m_y.high / *roof.memory);
    }
    std::ranges::sort(at);
    std::vector<std::pair<double, double>> result;
    for (const double intensity : at) {
        const double rate = roofAt(roof, intensity);
        if (m_x.contains(intensity) && rate >= m_y.low * 0.999 && rate <= m_y.high * 1.001)
            result.emplace_back(x(intensity), y(rate));
    }
    return result;
}

void RooflineFrame::drawGround(std::string& out) const {
    auto sink = std::back_inserter(out);
    if (!m_roofs.empty()) {
        const Roof& roof = m_roofs.front();
        const auto line = corners(roof);
        const double ridge = m_data.roofs.ridge
                                 ? std::clamp(x(*m_data.roofs.ridge), m_plot.left, m_plot.right)
                             : roof.memory ? m_plot.right
                                           : m_plot.left;
        const auto shade = [&](double from, double to, std::string_view cssClass, std::string_view colour) {
            std::string points;
            for (const auto& [lineX, lineY] : line)
                if (lineX >= from - 0.5 && lineX <= to + 0.5)
                    points += fmt::format("{},{} ", px(lineX), px(lineY));
            if (points.empty() || to - from < 1) return;
            const double left = std::max(from, line.front().first);
            fmt::format_to(sink, R"(<polygon class="{}" fill="{}" points="{}{},{} {},{}"/>)", cssClass,
                           colour, points, px(to), px(m_plot.bottom), px(left), px(m_plot.bottom));
        };
        shade(m_plot.left, ridge, "shade-memory", "#edf5fb");
        shade(ridge, m_plot.right, "shade-compute", "#fdf3ec");
    }
    const std::string_view gridColour = "#e3e6ea";
    for (const double tick : view::decadeTicks({m_x.low, m_x.high})) {
        fmt::format_to(sink, R"(<path class="grid" stroke="{}" d="M{} {}V{}"/>)", gridColour, px(x(tick)),
                       px(m_plot.top), px(m_plot.bottom));
        out +=
            svgText(x(tick), m_plot.bottom + 18, view::plainTickLabel(tick),
                    {.pixels = kSmallPixels, .cssClass = "muted", .colour = "#5b6370", .anchor = "middle"});
    }
    for (const double tick : view::decadeTicks({m_y.low, m_y.high})) {
        fmt::format_to(sink, R"(<path class="grid" stroke="{}" d="M{} {}H{}"/>)", gridColour, px(m_plot.left),
                       px(y(tick)), px(m_plot.right));
        out += svgText(m_plot.left - 8, y(tick) + 4, view::siTickLabel(tick),
                       {.pixels = kSmallPixels, .cssClass = "muted", .colour = "#5b6370", .anchor = "end"});
    }
    const TextStyle caption{
        .pixels = kSmallPixels, .cssClass = "muted", .colour = "#5b6370", .anchor = "middle"};
    TextStyle turned = caption;
    turned.degrees = -90;
    out += svgText((m_plot.left + m_plot.right) / 2, m_plot.bottom + 38,
                   fmt::format("arithmetic intensity, {} per {} byte", view::workUnits(m_data.roofs.work),
                               verdict::title(m_data.roofs.level)),
                   caption);
    out += svgText(m_plot.left - 50, (m_plot.top + m_plot.bottom) / 2, view::rateUnit(m_data.roofs.work),
                   turned);
}

void RooflineFrame::drawRoofs(std::string& out, view::LabelPlacer& placer) const {
    for (const Roof& roof : m_roofs) {
        std::string points;
        const auto line = corners(roof);
        for (std::size_t i = 0; i < line.size(); ++i) {
            points += fmt::format("{},{} ", px(line[i].first), px(line[i].second));
            if (i > 0)
                placer.blockLine(line[i - 1].first, line[i - 1].second, line[i].first, line[i].second, 4);
        }
        fmt::format_to(
            std::back_inserter(out),
            R"(<polyline class="roof" fill="none" stroke="#39414e" stroke-width="{}"{} points="{}"/>)",
            roof.measured ? "2.2" : "1.3", roof.measured ? "" : R"( stroke-dasharray="6 4")", points);
    }
    drawMemoryLabel(out, placer);
    drawComputeLabel(out, placer);
    drawRidge(out, placer);
}

} // namespace dormer::report
