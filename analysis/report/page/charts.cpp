// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/page/page.h"

#include "analysis/report/report.h"
#include "analysis/report/svg/roofline_drawing.h"
#include "analysis/view/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

namespace dormer::report::page {

namespace {

constexpr std::array kLevels{verdict::MemoryLevel::Dram, verdict::MemoryLevel::L2, verdict::MemoryLevel::L1,
                             verdict::MemoryLevel::Shared};

struct Figure {
    std::size_t device;
    verdict::Work work;
    verdict::MemoryLevel level;
    std::string markup;
};

std::string caption(const view::ChartData& data) {
    std::string text = "Marker area ∝ GPU time.";
    if (!data.dots.empty())
        text +=
            data.dots.size() < data.launches
                ? fmt::format(
                      " A point is a kernel's median launch; faint dots are single launches, {} of {} drawn.",
                      data.dots.size(), data.launches)
                : " A point is a kernel's median launch; faint dots are its single launches.";
    return text;
}

std::string buttons(std::string_view key, const std::vector<std::pair<std::string, std::string>>& choices,
                    std::string_view label) {
    if (choices.size() < 2) return {};
    std::string out = fmt::format(R"(<span class="chips" role="group" aria-label="{}">)", label);
    for (const auto& [value, text] : choices)
        out += fmt::format(R"(<button type="button" data-key="{}" data-value="{}">{}</button>)", key, value,
                           view::escapeMarkup(text));
    return out + "</span>";
}

std::string chooser(const metrics::MetricEvaluator& metrics, const std::vector<Figure>& figures) {
    std::vector<std::pair<std::string, std::string>> devices, levels, works;
    const auto add = [](auto& list, std::string value, std::string text) {
        std::pair entry{std::move(value), std::move(text)};
        if (std::ranges::find(list, entry) == list.end()) list.push_back(std::move(entry));
    };
    for (const Figure& figure : figures) {
        const auto& known = metrics.session().devices();
        add(devices, std::to_string(figure.device),
            fmt::format("GPU {}{}", figure.device,
                        figure.device < known.size() ? " · " + known[figure.device].name : std::string()));
    }
    for (const verdict::MemoryLevel level : kLevels)
        if (std::ranges::find(figures, level, &Figure::level) != figures.end())
            add(levels, std::string(verdict::toString(level)), std::string(verdict::title(level)));
    for (const verdict::Work work : verdict::kWorks)
        if (std::ranges::find(figures, work, &Figure::work) != figures.end())
            add(works, std::string(verdict::toString(work)), std::string(verdict::title(work)));
    return buttons("device", devices, "device") + buttons("level", levels, "memory level") +
           buttons("work", works, "work");
}

} // namespace

std::string charts(const diagnosis::Diagnosis& diagnosis, const view::KernelRows& rows) {
    const session::Session& session = diagnosis.session();
    std::set<std::size_t> devices;
    for (const view::KernelRow& row : rows.rows)
        devices.insert(view::deviceIndexOf(session, row.launch).value_or(0));
    if (devices.empty()) devices.insert(0);
    const verdict::Work prevailing = view::prevailingWork(diagnosis);

    DrawingOptions options;
    options.width = 900;
    options.height = 500;
    options.standalone = false;
    std::vector<Figure> figures;
    for (const std::size_t device : devices)
        for (const verdict::MemoryLevel level : kLevels)
            for (const verdict::Work work : verdict::kWorks) {
                const bool first =
                    device == *devices.begin() && level == verdict::MemoryLevel::Dram && work == prevailing;
                const view::ChartData data = view::chartData(diagnosis.metrics(), rows, work, level, device);
                if (data.points.empty() && !first) continue;
                options.levels.clear();
                options.parts.clear();
                for (const view::ChartData::Point& point : data.points) {
                    const session::LaunchIndex launch = rows.rows[point.row].launch;
                    options.levels.push_back(view::plot::levelLine(diagnosis.metrics(), launch, work));
                    options.parts.push_back(view::plot::partLine(diagnosis.metrics(), launch, work, level));
                }
                options.levelRoofs = view::plot::levelRoofs(session, work, level, device);
                std::string drawn = fmt::format("{}<figcaption>{}</figcaption>",
                                                drawRoofline(data, rows, options), caption(data));
                if (isPacked(rows) && !first) drawn = packed(drawn, "");
                figures.push_back(
                    {device, work, level,
                     fmt::format(R"(<figure class="chart" data-device="{}" data-level="{}" data-work="{}"{}>)"
                                 "{}</figure>\n",
                                 device, verdict::toString(level), verdict::toString(work),
                                 first ? " data-first" : "", drawn)});
            }
    std::string out = fmt::format(
        R"(<section class="panel" aria-label="Roofline"><div class="panel-head"><h2>Roofline</h2>{}</div>)",
        chooser(diagnosis.metrics(), figures));
    out += R"(<div class="charts">)";
    for (const Figure& figure : figures)
        out += figure.markup;
    return out + "</div></section>";
}

} // namespace dormer::report::page
