// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/page/page.h"

#include "analysis/format.h"
#include "analysis/report/svg_elements.h"
#include "analysis/report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace dormer::analysis::page {

namespace {

constexpr double kBoxWidth = 62, kBoxHeight = 48, kGap = 50, kTop = 12;
constexpr double kWidth = 4 * kBoxWidth + 3 * kGap;
constexpr double kMostFlow = 14; ///< thickness of the widest flow

void box(std::string& out, double x, std::string_view name, std::string_view below) {
    fmt::format_to(
        std::back_inserter(out),
        R"(<rect class="box" x="{}" y="{}" width="{}" height="{}" rx="6" fill="#f6f8fa" stroke="#e1e5ea"/>)",
        px(x), px(kTop), px(kBoxWidth), px(kBoxHeight));
    out += svgText(x + kBoxWidth / 2, kTop + 20, name, {.pixels = 12, .anchor = "middle", .bold = true});
    out +=
        svgText(x + kBoxWidth / 2, kTop + 37, below, {.pixels = 10, .cssClass = "muted", .anchor = "middle"});
}

std::string share(const std::optional<double>& hitRate) {
    return hitRate ? forPeople(*hitRate, Unit::Ratio) + " hit" : forPeople(hitRate, Unit::Ratio);
}

} // namespace

std::string bytesPicture(const MetricEvaluator& metrics, LaunchIndex launch) {
    const auto value = [&](std::string_view metric) { return metrics.value(launch, metric); };
    const std::array<std::optional<double>, 3> flows{value("l1_bytes"), value("l2_bytes"),
                                                     value("dram_bytes")};
    const auto shared = value("shared_bytes");
    const bool hasShared = shared && *shared > 0;
    const double most =
        std::max({flows[0].value_or(0), flows[1].value_or(0), flows[2].value_or(0), shared.value_or(0)});
    if (most <= 0) return {};
    const double height = kTop + kBoxHeight + (hasShared ? 40 : 4);
    std::string out = fmt::format(
        R"(<svg class="bytes" viewBox="-1 0 {} {}" role="img" aria-label="Bytes between SM, L1, L2 and DRAM">)",
        px(kWidth + 2), px(height));
    // Thickness is proportional to bytes, so that a waist shows where traffic was absorbed.
    for (std::size_t i = 0; i < flows.size(); ++i) {
        const double x = kBoxWidth + static_cast<double>(i) * (kBoxWidth + kGap);
        const double y = kTop + kBoxHeight / 2 + 6;
        const double thickness = flows[i] ? std::max(1.5, *flows[i] / most * kMostFlow) : 0;
        if (flows[i])
            fmt::format_to(std::back_inserter(out),
                           R"(<rect class="flow" fill="#0068a6" x="{}" y="{}" width="{}" height="{}"/>)",
                           px(x), px(y - thickness / 2), px(kGap), px(thickness));
        out += svgText(x + kGap / 2, kTop + 12, forPeople(flows[i], Unit::Bytes),
                       {.pixels = 10, .cssClass = "text", .anchor = "middle"});
    }
    const auto loads = value("global_load_requests"), stores = value("global_store_requests");
    std::optional<double> requests;
    if (loads || stores) requests = loads.value_or(0) + stores.value_or(0);
    box(out, 0, "SM",
        requests ? forPeople(*requests, Unit::Count) + " req." : forPeople(requests, Unit::Count));
    box(out, kBoxWidth + kGap, "L1", share(value("l1_hit_rate")));
    box(out, 2 * (kBoxWidth + kGap), "L2", share(value("l2_hit_rate")));
    const auto rate = value("dram_bytes_per_second");
    box(out, 3 * (kBoxWidth + kGap), "DRAM", forPeople(rate, Unit::BytesPerSecond));
    if (hasShared) {
        const double thickness = std::max(*shared / most * kMostFlow, 1.5);
        const double y = kTop + kBoxHeight;
        fmt::format_to(std::back_inserter(out),
                       R"(<rect class="flow" fill="#0068a6" x="{}" y="{}" width="{}" height="14"/>)",
                       px(kBoxWidth / 2 - thickness / 2), px(y), px(thickness));
        out += svgText(0, y + 30, "shared memory " + forPeople(*shared, Unit::Bytes),
                       {.pixels = 11, .cssClass = "text"});
    }
    return out + "</svg>";
}

std::string unitsPicture(double actual, double ideal, std::string_view caption) {
    constexpr double kMost = 64; // a request has 32 lanes, each at most two sectors wide
    constexpr int kPerRow = 32;
    const auto count = static_cast<int>(std::min(std::round(actual), kMost));
    const auto needed = static_cast<int>(std::min(std::max(std::round(ideal), 1.0), kMost));
    if (count < 1) return {};
    const int lines = (count + kPerRow - 1) / kPerRow;
    std::string out = fmt::format(
        R"(<p class="muted">{}</p><svg class="units" viewBox="0 0 418 {}" role="img" aria-label="{}">)",
        escapeMarkup(caption), lines * 15, escapeMarkup(caption));
    for (int i = 0; i < count; ++i)
        fmt::format_to(
            std::back_inserter(out), R"(<rect class="{}" x="{}" y="{}" width="10" height="11" rx="2"/>)",
            i < needed ? "unit-used" : "unit-waste", px(1 + i % kPerRow * 13), 1 + i / kPerRow * 15);
    return out + "</svg>";
}

} // namespace dormer::analysis::page
