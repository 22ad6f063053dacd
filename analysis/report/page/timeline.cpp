// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/timeline/timeline.h"
#include "analysis/report/page/page.h"
#include "analysis/report/svg/timeline_drawing.h"
#include "analysis/view/text_table.h"
#include "analysis/view/timeline/words.h"

#include <fmt/format.h>

#include <unordered_map>

namespace dormer::report::page {

std::string timeline(const diagnosis::Diagnosis& diagnosis, const view::KernelRows& rows) {
    const view::timeline::Timeline timeline = view::timeline::timelineOf(diagnosis.session());
    if (timeline.empty()) return {};
    std::unordered_map<std::size_t, std::size_t> places; // by group
    for (std::size_t i = 0; i < rows.rows.size(); ++i)
        places.try_emplace(diagnosis.groupOf(rows.rows[i].launch), i);
    TimelineDrawing drawing;
    drawing.rowOf = [&](session::LaunchIndex launch) -> std::optional<std::size_t> {
        const auto place = places.find(diagnosis.groupOf(launch));
        return place == places.end() ? std::nullopt : std::optional(place->second);
    };
    std::string out =
        R"(<section class="panel" aria-label="Timeline"><div class="panel-head"><h2>Timeline</h2></div>)";
    out += fmt::format("<figure>{}</figure>", drawTimeline(diagnosis, timeline, drawing));
    if (timeline.rows.size() > drawing.mostRows)
        out += fmt::format(R"(<p class="muted">{} more rows are in the app and in the trace export.</p>)",
                           timeline.rows.size() - drawing.mostRows);
    out += "<h4>Where the GPU's time went</h4>" +
           htmlTable(view::timeline::gpuTimeTable(diagnosis.session(), timeline), "gpu-time");
    return out + "</section>";
}

} // namespace dormer::report::page
