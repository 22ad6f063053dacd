// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/metrics/format.h"
#include "analysis/report/page/page.h"
#include "analysis/report/svg/svg_elements.h"
#include "analysis/verdict/memory_diagram.h"
#include "analysis/view/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

/// SM above, L1 and shared memory below it, then L2 and DRAM: arrows point the way of the bytes and are as
/// wide as these are many.
namespace dormer::report::page {

namespace {

using enum verdict::MemoryStation;

constexpr double kWidth = 440, kBoxHeight = 32, kBand = 62;
constexpr double kL1Width = 218, kSharedLeft = 262, kBypass = 240;
constexpr double kMostFlow = 13, kLeastFlow = 1.5, kHead = 8;

double stationY(verdict::MemoryStation station) {
    switch (station) {
    case Sm:
        return 1;
    case Shared:
    case L1:
        return 1 + kBoxHeight + kBand;
    case L2:
        return 1 + 2 * (kBoxHeight + kBand);
    case Dram:
        break;
    }
    return 1 + 3 * (kBoxHeight + kBand);
}

std::string titled(std::string_view hint) {
    return hint.empty() ? std::string() : fmt::format("<title>{}</title>", view::escapeMarkup(hint));
}

std::string stationBox(const verdict::StationFacts& facts) {
    const double x = facts.station == Shared ? kSharedLeft : 1;
    const double width = facts.station == Shared ? kWidth - kSharedLeft
                         : facts.station == L1   ? kL1Width
                                                 : kWidth - 1;
    const double y = stationY(facts.station);
    std::string out = fmt::format(R"(<g>{}<rect class="box" x="{}" y="{}" width="{}" height="{}" rx="6"/>)",
                                  titled(facts.hint), px(x), px(y), px(width), px(kBoxHeight));
    out += svgText(x + 10, y + 20, facts.name, {.pixels = 13, .bold = true});
    if (!facts.detail.empty())
        out += svgText(x + width - 10, y + 20, facts.detail,
                       {.pixels = 11, .cssClass = "muted", .anchor = "end"});
    return out + "</g>";
}

/// Down or up between two heights; without bytes a thin dashed line says that nothing is known.
std::string arrow(double x, double top, double bottom, bool down, const std::optional<double>& bytes,
                  double most) {
    if (!bytes)
        return fmt::format(R"(<path class="flow-unknown" d="M{0} {1}V{2}"/>)", px(x), px(top), px(bottom));
    const double width = most > 0 ? std::max(kLeastFlow, *bytes / most * kMostFlow) : kLeastFlow;
    const double half = width / 2, head = half + 4;
    const double tip = down ? bottom : top, tail = down ? top : bottom;
    const double neck = down ? tip - kHead : tip + kHead;
    return fmt::format(R"(<path class="flow{}" d="M{} {}V{}H{}L{} {}L{} {}H{}V{}z"/>)",
                       *bytes > 0 ? "" : "-none", px(x - half), px(tail), px(neck), px(x - head), px(x),
                       px(tip), px(x + head), px(neck), px(x + half), px(tail));
}

/// Where a flow is drawn, and its words beside it.
struct Lane {
    double x = 0;
    int line = 0; ///< first free line of its words
};

/// All that goes the same way: local memory travels beside global memory. Absent when nothing is known.
std::optional<double> together(const verdict::MemoryDiagram& diagram, const verdict::MemoryFlow& like) {
    std::optional<double> bytes;
    for (const verdict::MemoryFlow& flow : diagram.flows)
        if (flow.from == like.from && flow.to == like.to && flow.bytes)
            bytes = bytes.value_or(0) + *flow.bytes;
    return bytes;
}

std::string flowDrawing(const verdict::MemoryFlow& flow, const std::optional<double>& all, double most,
                        const Lane& lane, bool second) {
    const bool down = flow.from < flow.to; // stations are in their order downwards
    const verdict::MemoryStation upper = down ? flow.from : flow.to, lower = down ? flow.to : flow.from;
    const double top = stationY(upper) + kBoxHeight + 2, bottom = stationY(lower) - 2;
    // Past L1 the words stand beside the lower half of the way, where shared memory has no flow.
    const double begin = flow.what == "atomics" ? bottom - kBand + 4 : top;
    const double textX = lane.x + kMostFlow / 2 + 8;
    std::string out = fmt::format("<g>{}", titled(flow.hint));
    if (!second) out += arrow(lane.x, top, bottom, down, all, most);
    const double y = begin + 12 + lane.line * 13;
    const std::string bytes = metrics::forPeople(flow.bytes, metrics::Unit::Bytes);
    if (second) // under the flow that shares its way
        return out + svgText(textX, y, flow.what + " " + bytes, {.pixels = 10.5, .cssClass = "muted"}) +
               "</g>";
    out += svgText(textX, y, flow.what, {.pixels = 10.5, .cssClass = "muted"});
    out += svgText(textX, y + 13, bytes, {.pixels = 11.5, .bold = true});
    constexpr std::string_view kDot = " · ", kLong = "requests";
    if (const std::size_t dot = flow.label.find(kDot); dot != std::string::npos) {
        std::string requests = flow.label.substr(dot + kDot.size());
        if (const std::size_t at = requests.find(kLong); at != std::string::npos)
            requests.replace(at, kLong.size(), "req."); // two stand side by side
        out += svgText(textX, y + 26, requests, {.pixels = 10.5, .cssClass = "muted"});
    }
    return out + "</g>";
}

} // namespace

std::string memoryPicture(const diagnosis::Diagnosis& diagnosis, session::LaunchIndex launch) {
    const verdict::MemoryDiagram diagram =
        verdict::memoryDiagram(diagnosis.metrics(), launch, diagnosis.verdict(launch));
    if (diagram.mostBytes <= 0) return {};
    const bool hasShared = std::ranges::any_of(diagram.flows, [](const verdict::MemoryFlow& flow) {
        return flow.from == Shared || flow.to == Shared;
    });
    std::string out = fmt::format(
        R"(<svg class="memory" viewBox="0 0 {} {}" role="img" aria-label="Bytes between SM, shared memory, L1, L2 and DRAM">)",
        px(kWidth + 1), px(stationY(Dram) + kBoxHeight + 1));
    for (const verdict::StationFacts& station : diagram.stations)
        if (station.station != Shared || hasShared) out += stationBox(station);
    double most = 0;
    for (const verdict::MemoryFlow& flow : diagram.flows)
        most = std::max(most, together(diagram, flow).value_or(0));
    for (const verdict::MemoryFlow& flow : diagram.flows) {
        const bool shared = flow.from == Shared || flow.to == Shared;
        const bool up = flow.to < flow.from;
        Lane lane{up ? 14.0 : 122.0, 0};
        if (shared) lane.x = kSharedLeft + (up ? 12 : 100);
        if (flow.what == "atomics") lane.x = kBypass;
        const bool second = flow.what == "local";
        if (second) lane.line = 3;
        out += flowDrawing(flow, together(diagram, flow), most, lane, second);
    }
    return out + "</svg>";
}

} // namespace dormer::report::page
