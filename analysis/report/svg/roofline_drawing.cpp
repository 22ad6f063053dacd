// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/svg/roofline_drawing.h"

#include "analysis/metrics/format.h"
#include "analysis/report/svg/roofline_ground.h"
#include "analysis/report/svg/roofline_kernel.h"
#include "analysis/report/svg/svg_elements.h"
#include "analysis/view/plot/lane_layout.h"
#include "analysis/view/plot/marker.h"
#include "analysis/view/text.h"
#include "analysis/view/verdict_mark.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <unordered_set>

namespace dormer::report {

using namespace view::plot;

namespace {

constexpr std::string_view kInk = "#1f2430";
constexpr std::string_view kMuted = "#5b6370";
constexpr std::size_t kLabelColumns = 30;
constexpr double kGutterWidth = 190;
constexpr std::size_t kMostPills = 17;

/// Area says the share of GPU time, between a dot one can hit and a disc that hides nothing.
double radiusOf(const view::KernelRow& row) {
    return std::clamp(std::sqrt(row.share) * 17.0, 4.5, 14.0);
}

struct Mark {
    const view::ChartData::Point* point;
    const view::KernelRow* row;
    Spot at;
    double radius;
};

/// One line of what the pointer shows; the page turns line breaks into rows.
std::string tipOf(const view::KernelRow& row, const view::ChartData::Point& point, verdict::Work work) {
    std::string tip =
        fmt::format("{}\n{}\n{} at {}\n{} in {} {}, {} of the GPU time",
                    view::truncateMiddle(view::fullLabel(row), 120), verdict::headline(row.verdict),
                    rateText(point.rate, work), metrics::forPeople(point.intensity, intensityUnit(work)),
                    metrics::forPeople(row.totalNs, metrics::Unit::Nanoseconds), row.launches.size(),
                    row.launches.size() == 1 ? "launch" : "launches",
                    metrics::forPeople(row.share, metrics::Unit::Ratio));
    if (row.gainNs)
        tip += fmt::format("\nto gain: {}", metrics::forPeople(*row.gainNs, metrics::Unit::Nanoseconds));
    return tip;
}

/// Where the point would go without its largest finding.
std::optional<Arrow> arrowOf(const Mark& mark, const view::ChartData& data, const ChartFrame& frame) {
    if (!mark.row->speedup) return std::nullopt;
    return speedupArrow(data.roofs, frame, {std::log10(mark.point->intensity), std::log10(mark.point->rate)},
                        *mark.row->speedup, markerReach(mark.row->verdict.bound, 2 * mark.radius));
}

/// Faint dots of the single launches: one path a verdict, a round cap each, a dozen bytes per launch.
void drawDots(std::string& out, const view::ChartData& data, const ChartFrame& frame) {
    for (const verdict::Bound bound :
         {verdict::Bound::Unknown, verdict::Bound::Memory, verdict::Bound::Compute, verdict::Bound::Latency,
          verdict::Bound::Balanced}) {
        std::string path;
        for (const view::ChartData::Dot& dot : data.dots)
            if (dot.bound == bound) {
                const Spot at = frame.pixel({std::log10(dot.intensity), std::log10(dot.rate)});
                path += fmt::format("M{} {}h0", px(at.x), px(at.y));
            }
        if (path.empty()) continue;
        fmt::format_to(std::back_inserter(out),
                       R"(<path class="dots {}" stroke="{}" stroke-width="4" stroke-linecap="round" )"
                       R"(stroke-opacity="0.28" fill="none" d="{}"/>)",
                       view::markOf(bound).cssClass, view::markOf(bound).light, path);
    }
}

/// `label` is where its words stand without covering anything, when there is such a place.
std::string drawArrow(const Arrow& arrow, double speedup, const std::optional<PlacedLabel>& label) {
    const std::string words = speedupText(speedup);
    const TextStyle style{.pixels = kSmallPixels, .cssClass = "gain halo", .colour = "#B04800", .bold = true};
    const Spot middle = arrow.middle();
    return fmt::format(
        R"(<path class="arrow" fill="none" stroke="#B04800" stroke-width="1.6" stroke-dasharray="4 3" d="M{} {}L{} {}"/>)"
        R"(<path class="arrow-head" fill="#B04800" d="{}"/>{})",
        px(arrow.from.x), px(arrow.from.y), px(arrow.neck.x), px(arrow.neck.y), polygonPath(arrow.head),
        label ? svgLabel(label->box, words, style) : svgText(middle.x + 8, middle.y + 4, words, style));
}

void drawPoints(std::string& out, const std::vector<Mark>& marks, const view::ChartData& data,
                const ChartFrame& frame, const Mark* shown, const std::optional<PlacedLabel>& label,
                const DrawingOptions& options) {
    for (const Mark& mark : marks) {
        const std::string tip = tipOf(*mark.row, *mark.point, data.roofs.work);
        fmt::format_to(std::back_inserter(out),
                       R"(<g class="pt {}" data-row="{}" tabindex="0" role="img"><title>{}</title>)"
                       R"(<circle class="ring" fill="none" stroke="none" cx="{}" cy="{}" r="{}"/>{})",
                       view::markOf(mark.row->verdict.bound).cssClass, mark.point->row, escapeLines(tip),
                       px(mark.at.x), px(mark.at.y),
                       px(markerReach(mark.row->verdict.bound, 2 * mark.radius) + 3.5),
                       svgMarker(mark.row->verdict.bound, mark.at.x, mark.at.y, mark.radius));
        if (const auto arrow = arrowOf(mark, data, frame))
            out += fmt::format(R"(<g class="move"{}>{}</g>)", &mark == shown ? "" : R"( display="none")",
                               drawArrow(*arrow, *mark.row->speedup, &mark == shown ? label : std::nullopt));
        const auto place = static_cast<std::size_t>(mark.point - data.points.data());
        if (!options.levels.empty()) out += drawLevels(options.levels[place], data.roofs.level, frame);
        if (!options.parts.empty()) out += drawParts(options.parts[place], frame, options.standalone);
        out += "</g>\n";
    }
}

void drawLabels(std::string& out, const std::vector<Mark>& marks, const ChartFrame& frame,
                Obstacles& obstacles) {
    std::vector<const Mark*> byTime;
    for (const Mark& mark : marks)
        byTime.push_back(&mark);
    std::ranges::stable_sort(byTime,
                             [](const Mark* a, const Mark* b) { return a->row->totalNs > b->row->totalNs; });
    std::unordered_set<std::string_view> named; // a workload at several sizes is named once
    for (const Mark* mark : byTime) {
        if (named.size() >= kMostPointLabels) break;
        if (!named.insert(mark->row->label).second) continue;
        const std::string label = view::truncateMiddle(mark->row->label, kLabelColumns);
        const auto place =
            placeBeside(mark->at, mark->radius, measured(kLabelPixels)(label), frame.bounds(), obstacles);
        if (!place) continue;
        obstacles.text.push_back(place->box);
        out += fmt::format(R"(<g class="label" data-row="{}">)", mark->point->row);
        if (place->leader)
            out += fmt::format(R"(<path class="leader" stroke="#9aa1ac" d="M{} {}L{} {}"/>)", px(mark->at.x),
                               px(mark->at.y), px(place->leader->x), px(place->leader->y));
        out += svgLabel(place->box, label, {.pixels = kLabelPixels, .cssClass = "text halo"}) + "</g>";
    }
}

/// Kernels without this kind of work: at the edge, never dropped.
void drawGutter(std::string& out, const view::ChartData& data, const view::KernelRows& rows, double left,
                double top) {
    const bool flop = intensityUnit(data.roofs.work) == metrics::Unit::FlopPerByte;
    const auto heading = [&](std::string_view text) {
        out += svgText(left, top, text, {.pixels = kSmallPixels, .cssClass = "muted", .colour = kMuted});
        top += 12;
    };
    const auto pills = [&](const std::vector<std::size_t>& indices, std::size_t most) {
        for (std::size_t i = 0; i < std::min(most, indices.size()); ++i) {
            const view::KernelRow& row = rows.rows[indices[i]];
            fmt::format_to(
                std::back_inserter(out),
                R"(<g class="pt pill {}" data-row="{}" tabindex="0" role="img"><title>{}</title>)"
                R"(<rect class="pill-box" x="{}" y="{}" width="{}" height="20" rx="10" fill="#f6f7f9" stroke="#e3e6ea"/>{}{}</g>)",
                view::markOf(row.verdict.bound).cssClass, indices[i],
                view::escapeMarkup(view::truncateMiddle(view::fullLabel(row), 120) + ": " +
                                   verdict::headline(row.verdict)),
                px(left), px(top), px(kGutterWidth - 16),
                svgMarker(row.verdict.bound, left + 12, top + 10, 4.5),
                svgText(left + 23, top + 14, view::truncateMiddle(row.label, 22), {.pixels = kSmallPixels}));
            top += 24;
        }
        if (indices.size() > most) {
            out += svgText(left, top + 10, fmt::format("and {} more in the table", indices.size() - most),
                           {.pixels = kSmallPixels, .cssClass = "muted", .colour = kMuted});
            top += 20;
        }
        top += 18;
    };
    const std::size_t unknownRoom = data.unknown.empty() ? 0 : std::min<std::size_t>(data.unknown.size(), 4);
    if (!data.withoutWork.empty()) {
        heading(flop ? fmt::format("no {} work", verdict::title(data.roofs.work)) : "none of this work");
        pills(data.withoutWork, kMostPills - unknownRoom);
    }
    if (!data.unknown.empty()) {
        heading("counters missing");
        pills(data.unknown, data.withoutWork.empty() ? kMostPills : 4);
    }
}

void drawLegend(std::string& out, const std::vector<Mark>& marks, const view::ChartData& data, double x,
                double y) {
    const auto entry = [&](std::string_view text) {
        out += svgText(x, y + 4, text, {.pixels = kSmallPixels, .cssClass = "muted", .colour = kMuted});
        x += textWidth(text, kSmallPixels) + 18;
    };
    for (const verdict::Bound bound :
         {verdict::Bound::Memory, verdict::Bound::Compute, verdict::Bound::Latency, verdict::Bound::Balanced,
          verdict::Bound::Unknown}) {
        if (std::ranges::none_of(marks, [&](const Mark& mark) { return mark.row->verdict.bound == bound; }))
            continue;
        out += svgMarker(bound, x + 5, y, 5);
        x += 15;
        entry(std::string(view::markOf(bound).word));
    }
    const std::vector<Roof> all = roofs(data.roofs);
    const auto line = [&](bool measured) {
        if (std::ranges::find(all, measured, &Roof::measured) == all.end()) return;
        out +=
            fmt::format(R"(<path class="roof" stroke="#39414e" stroke-width="{}"{} d="M{} {}h22"/>)",
                        measured ? "2.2" : "1.3", measured ? "" : R"( stroke-dasharray="6 4")", px(x), px(y));
        x += 28;
        entry(measured ? "measured roof" : "theoretical roof");
    };
    line(true);
    line(false);
}

} // namespace

std::string drawRoofline(const view::ChartData& data, const view::KernelRows& rows,
                         const DrawingOptions& options) {
    const bool gutter = !data.withoutWork.empty() || !data.unknown.empty();
    const double top = options.title.empty() ? 44 : 92;
    constexpr double kLeft = 70, kBelow = 52;
    const PixelBox plot{kLeft, top, options.width - (gutter ? kGutterWidth + 16 : 24) - kLeft,
                        options.height - kBelow - top};
    Extent extent;
    const auto include = [&](const auto& each) {
        extent.include(std::log10(each.intensity), std::log10(each.rate));
    };
    std::ranges::for_each(data.points, include);
    std::ranges::for_each(data.dots, include);
    const ChartRange view = fittedView(data.roofs, extent);
    const ChartFrame frame{{view.x, plot.x, plot.right()}, {view.y, plot.bottom(), plot.y}};

    std::vector<Mark> marks;
    for (const view::ChartData::Point& point : data.points)
        marks.push_back({&point, &rows.rows[point.row],
                         frame.pixel({std::log10(point.intensity), std::log10(point.rate)}),
                         radiusOf(rows.rows[point.row])});
    // Small ones last, so that none hides below a large one.
    std::ranges::stable_sort(marks, std::greater{}, &Mark::radius);
    Obstacles obstacles;
    for (const Mark& mark : marks)
        obstacles.markers.push_back(
            uprightBox(mark.at.x - mark.radius, mark.at.y - mark.radius, 2 * mark.radius, 2 * mark.radius));

    std::string out = fmt::format(
        R"(<svg xmlns="http://www.w3.org/2000/svg" class="roofline" viewBox="0 0 {0} {1}"{2} role="group" aria-label="{3}" )"
        R"(font-family="system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif">)",
        px(options.width), px(options.height),
        options.standalone ? fmt::format(R"( width="{}" height="{}")", px(options.width), px(options.height))
                           : "",
        view::escapeMarkup(fmt::format("Roofline, {} over {}", verdict::title(data.roofs.work),
                                       verdict::title(data.roofs.level))));
    if (options.standalone) {
        out +=
            R"(<style>.halo{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}</style>)";
        out += fmt::format(R"(<rect class="ground" width="{}" height="{}" fill="#ffffff"/>)",
                           px(options.width), px(options.height));
    }
    if (!options.title.empty()) {
        out += svgText(24, 34, options.title, {.pixels = 17, .colour = kInk, .bold = true});
        out += svgText(24, 54, options.subtitle, {.pixels = 12, .cssClass = "muted", .colour = kMuted});
    }
    drawLegend(out, marks, data, options.title.empty() ? plot.x : 26, top - 18);
    out += drawGround(data.roofs, frame);
    // The arrow of the largest savings stands even in print; the page shows others when they are selected.
    const Mark* shown = nullptr;
    for (const Mark& mark : marks)
        if (arrowOf(mark, data, frame) && (!shown || *mark.row->gainNs > *shown->row->gainNs)) shown = &mark;
    out += drawRoofs(data.roofs, frame, obstacles);
    std::optional<PlacedLabel> label;
    if (shown) {
        const Arrow arrow = *arrowOf(*shown, data, frame);
        obstacles.lines.push_back({arrow.from, arrow.tip()});
        label =
            placeBeside(arrow.middle(), 5, measured(kSmallPixels, true)(speedupText(*shown->row->speedup)),
                        frame.bounds(), obstacles, true);
        obstacles.text.push_back(label->box);
    }
    drawDots(out, data, frame);
    drawLabels(out, marks, frame, obstacles); // below the points: a leader ends at its marker's edge
    out += drawLevelRoofs(options.levelRoofs, frame);
    drawPoints(out, marks, data, frame, shown, label, options);
    if (gutter) drawGutter(out, data, rows, plot.right() + 20, plot.y + 4);
    if (marks.empty())
        out += svgText(plot.middleX(), plot.middleY(),
                       fmt::format("no kernel did {} work that was counted", verdict::title(data.roofs.work)),
                       {.pixels = 13, .cssClass = "muted halo", .colour = kMuted, .anchor = "middle"});
    return out += "</svg>\n";
}

} // namespace dormer::report
