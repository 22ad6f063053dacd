// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/plot/memory_layout.h"

#include "analysis/report/page/page.h"
#include "analysis/report/svg/svg_elements.h"
#include "analysis/view/text.h"

#include <fmt/format.h>

namespace dormer::report::page {

namespace {

using view::plot::MemoryLayout;

constexpr double kWidth = 440, kPixels = 11, kLine = 14;

std::string title(std::string_view hint) {
    return hint.empty() ? std::string() : fmt::format("<title>{}</title>", view::escapeMarkup(hint));
}

std::string stationDrawing(const MemoryLayout::Station& station) {
    const auto& box = station.box;
    std::string out = fmt::format(R"(<g>{}<rect class="box" x="{}" y="{}" width="{}" height="{}" rx="6"/>)",
                                  title(station.hint), px(box.x), px(box.y), px(box.width), px(box.height));
    TextStyle name{.pixels = kPixels + 1, .bold = true},
        detail{.pixels = kPixels, .cssClass = "muted", .anchor = "end"};
    if (!station.narrow) {
        const double base = box.middleY() + 4;
        out += svgText(box.x + 10, base, station.name, name);
        for (const std::string& text : station.details)
            out += svgText(box.right() - 10, base, text, detail);
        return out + "</g>";
    }
    name.anchor = detail.anchor = "middle";
    double base = box.y + kLine;
    out += svgText(box.middleX(), base, station.name, name);
    for (const std::string& text : station.details)
        out += svgText(box.middleX(), base += kLine, text, detail);
    return out + "</g>";
}

std::string flowDrawing(const MemoryLayout::Flow& flow) {
    std::string out = "<g>" + title(flow.hint);
    if (flow.arrow.empty())
        out += fmt::format(R"(<path class="flow-none" d="M{} {}V{}"/>)", px(flow.arrowX()), px(flow.cell.y),
                           px(flow.cell.bottom()));
    else
        out += fmt::format(R"(<path class="flow" d="{}"/>)", polygonPath(flow.arrow));
    if (!flow.excess.empty())
        out += fmt::format(R"(<path class="flow-excess" d="{}"/>)", polygonPath(flow.excess));
    double base = flow.textTop(kLine) + kLine * 0.78;
    for (std::size_t i = 0; i < flow.lines.size(); ++i, base += kLine)
        out += svgText(flow.textX(), base, flow.lines[i],
                       {.pixels = kPixels, .cssClass = i < flow.strong ? "text" : "muted"});
    return out + "</g>";
}

} // namespace

std::string memoryPicture(const diagnosis::Diagnosis& diagnosis, session::LaunchIndex launch) {
    const verdict::MemoryDiagram diagram =
        verdict::memoryDiagram(diagnosis.metrics(), launch, diagnosis.verdict(launch));
    if (diagram.mostBytes <= 0) return {};
    const MemoryLayout layout = view::plot::memoryLayout(diagram, kWidth, kLine, measured(kPixels));
    std::string out = fmt::format(R"(<svg class="memory" viewBox="-1 -1 {} {}" role="img" aria-label="{}">)",
                                  px(kWidth + 2), px(layout.height + 2), "Memory chart");
    for (const MemoryLayout::Flow& flow : layout.flows)
        out += flowDrawing(flow);
    for (const MemoryLayout::Station& station : layout.stations)
        out += stationDrawing(station);
    return out + "</svg>";
}

} // namespace dormer::report::page
