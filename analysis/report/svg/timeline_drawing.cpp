// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/svg/timeline_drawing.h"

#include "analysis/report/svg/svg_elements.h"
#include "analysis/view/text.h"
#include "analysis/view/timeline/raster.h"
#include "analysis/view/timeline/words.h"
#include "analysis/view/verdict_mark.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace dormer::report {

using namespace view::timeline;

namespace {

constexpr double kPixels = 11;
constexpr double kLane = 14, kActivity = 30, kRowGap = 6, kScope = 18, kAxis = 22, kRight = 12;
constexpr double kTicksApart = 110;
constexpr std::size_t kMostTitleColumns = 28;
constexpr std::string_view kMuted = "#5b6370";
/// Bars that are joined are drawn in so many depths of colour, by how much of the time they fill.
constexpr std::size_t kDepths = 4;

class Drawing {
public:
    Drawing(const diagnosis::Diagnosis& diagnosis, const Timeline& timeline, const TimelineDrawing& drawing)
        : m_diagnosis(diagnosis), m_timeline(timeline), m_drawing(drawing) {
        m_rows = std::min(timeline.rows.size(), drawing.mostRows);
        for (std::size_t i = 0; i < m_rows; ++i)
            m_left = std::max(m_left, textWidth(titleOf(timeline.rows[i]), kPixels) + 12);
        m_window = windowOf(timeline, drawing.width - m_left - kRight);
    }

    [[nodiscard]] std::string draw() {
        std::string body;
        double y = kAxis;
        std::string scope;
        for (std::size_t i = 0; i < m_rows; ++i) {
            const TimelineRow& row = m_timeline.rows[i];
            if (row.scope != scope) {
                scope = row.scope;
                if (!scope.empty()) {
                    y += kScope;
                    body += svgText(0, y - 4, view::truncateMiddle(scope, 80),
                                    {.pixels = kPixels, .cssClass = "text", .bold = true});
                }
            }
            y = drawRow(body, row, y) + kRowGap;
        }
        std::string out = fmt::format(
            R"(<svg class="timeline" viewBox="0 0 {} {}" role="img" aria-label="Timeline of {}">)",
            px(m_drawing.width), px(y), timeText(static_cast<double>(m_timeline.lengthNs)));
        drawAxis(out, y);
        return out + body + "</svg>";
    }

private:
    static std::string titleOf(const TimelineRow& row) {
        return view::truncateMiddle(row.title, kMostTitleColumns);
    }
    [[nodiscard]] static double heightOf(const TimelineRow& row) {
        return row.kind == RowKind::Activity ? kActivity : kLane * row.lanes;
    }

    void drawAxis(std::string& out, double bottom) const {
        for (const double tick : timeTicks(m_window, kTicksApart)) {
            const double x = m_left + m_window.pixel(tick);
            fmt::format_to(std::back_inserter(out),
                           R"(<line class="grid" x1="{0}" x2="{0}" y1="{1}" y2="{2}" stroke="#e3e6ea"/>)",
                           px(x), px(kAxis - 4), px(bottom));
            out += svgText(x, kAxis - 9, tickText(tick, static_cast<double>(m_timeline.lengthNs)),
                           {.pixels = kPixels,
                            .cssClass = "muted",
                            .colour = kMuted,
                            .anchor = x > m_drawing.width - 40 ? "end"
                                      : tick == 0              ? "start"
                                                               : "middle"});
        }
    }

    /// Returns where it ends.
    double drawRow(std::string& out, const TimelineRow& row, double top) const {
        const double height = heightOf(row);
        out += svgText(m_left - 8, top + std::min(height, kLane) / 2 + 4, titleOf(row),
                       {.pixels = kPixels, .cssClass = "muted", .colour = kMuted, .anchor = "end"});
        fmt::format_to(std::back_inserter(out),
                       R"(<rect class="ground" x="{}" y="{}" width="{}" height="{}"/>)", px(m_left), px(top),
                       px(m_window.width), px(height));
        if (row.kind == RowKind::Activity)
            drawActivity(out, row, top, height);
        else
            drawBars(out, row, top);
        return top + height;
    }

    void drawActivity(std::string& out, const TimelineRow& row, double top, double height) const {
        std::string mean, highest;
        const auto add = [&](std::string& path, const DrawnStep& step, double share) {
            fmt::format_to(std::back_inserter(path), "M{} {}V{}H{}V{}Z", px(m_left + step.left),
                           px(top + height), px(top + height * (1 - std::clamp(share, 0.0, 1.0))),
                           px(m_left + step.right), px(top + height));
        };
        double sum = 0, width = 0, most = 0;
        for (const DrawnStep& step : drawnSteps(row, m_window)) {
            add(mean, step, step.mean);
            if (step.highest > step.mean) add(highest, step, step.highest);
            sum += step.mean * (step.right - step.left);
            width += step.right - step.left;
            most = std::max(most, step.highest);
        }
        fmt::format_to(
            std::back_inserter(out),
            R"(<g><title>{}</title><path class="peak" d="{}"/><path class="mean" d="{}"/></g>)",
            escapeLines(fmt::format("{}\nmean {}\nhighest {}", row.title,
                                    stepText(row, width > 0 ? sum / width : 0), stepText(row, most))),
            highest, mean);
    }

    [[nodiscard]] std::string_view classOf(const TimelineRow& row, const Bar& bar) const {
        if (row.kind != RowKind::Kernels) return "bar";
        const session::LaunchIndex launch{static_cast<std::uint32_t>(bar.index)};
        return view::markOf(m_diagnosis.verdict(launch).bound).cssClass;
    }

    void drawBars(std::string& out, const TimelineRow& row, double top) const {
        const std::string_view kind = row.kind == RowKind::Kernels     ? "kernels"
                                      : row.kind == RowKind::Transfers ? "copies"
                                      : row.kind == RowKind::Idle      ? "gaps"
                                                                       : "ranges";
        std::array<std::string, kDepths> joined;
        for (const DrawnBar& drawn : drawnBars(row, m_window)) {
            const double y = top + kLane * drawn.lane + 1, width = std::max(1.0, drawn.right - drawn.left);
            if (!drawn.bar || width < 3) {
                const auto depth = static_cast<std::size_t>(drawn.covered * (kDepths - 1) + 0.5);
                fmt::format_to(std::back_inserter(joined[std::min(depth, kDepths - 1)]), "M{} {}h{}v{}h-{}z",
                               px(m_left + drawn.left), px(y), px(width), px(kLane - 2), px(width));
                continue;
            }
            drawBar(out, row, row.bars[*drawn.bar], drawn, kind, y, width);
        }
        for (std::size_t depth = 0; depth < kDepths; ++depth)
            if (!joined[depth].empty())
                fmt::format_to(std::back_inserter(out), R"(<path class="many {} d{}" d="{}"/>)", kind, depth,
                               joined[depth]);
    }

    void drawBar(std::string& out, const TimelineRow& row, const Bar& bar, const DrawnBar& drawn,
                 std::string_view kind, double y, double width) const {
        std::string lines;
        for (const std::string& line : barText(m_diagnosis, m_timeline, row, bar))
            lines += (lines.empty() ? "" : "\n") + line;
        const auto place = row.kind == RowKind::Kernels && m_drawing.rowOf
                               ? m_drawing.rowOf(session::LaunchIndex{static_cast<std::uint32_t>(bar.index)})
                               : std::nullopt;
        fmt::format_to(std::back_inserter(out),
                       R"(<g{}><title>{}</title><rect class="{} {}" x="{}" y="{}" width="{}" height="{}"/>)",
                       place ? fmt::format(R"( class="pt" data-row="{}")", *place) : "", escapeLines(lines),
                       kind, classOf(row, bar), px(m_left + drawn.left), px(y), px(width), px(kLane - 2));
        const std::string label = barLabel(m_diagnosis.session(), m_timeline, row, bar);
        if (const auto fits = static_cast<std::size_t>((width - 6) / (0.63 * kPixels));
            fits >= 8 && !label.empty())
            out += svgText(m_left + drawn.left + 3, y + kLane - 5, view::truncateMiddle(label, fits),
                           {.pixels = kPixels - 1, .cssClass = kind == "kernels" ? "on-fill" : "text"});
        out += "</g>";
    }

    const diagnosis::Diagnosis& m_diagnosis;
    const Timeline& m_timeline;
    const TimelineDrawing& m_drawing;
    std::size_t m_rows = 0;
    double m_left = 60;
    Window m_window;
};

} // namespace

std::string drawTimeline(const diagnosis::Diagnosis& diagnosis, const Timeline& timeline,
                         const TimelineDrawing& drawing) {
    return timeline.empty() ? std::string() : Drawing(diagnosis, timeline, drawing).draw();
}

} // namespace dormer::report
