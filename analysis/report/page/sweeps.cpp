// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/page/page.h"
#include "analysis/report/svg/sweep_drawing.h"
#include "analysis/view/plot/sweep_words.h"
#include "analysis/view/text.h"
#include "analysis/view/text_table.h"

#include <fmt/format.h>

#include <iterator>
#include <unordered_map>

namespace dormer::report::page {

namespace {

/// A longer table is folded: the plot says the most of it.
constexpr std::size_t kMostOpenRows = 12;

std::string section(const metrics::SweepTable& table, const SweepDrawing& drawing) {
    std::string out = fmt::format(
        R"(<section class="panel" aria-label="Sweep {0}"><div class="panel-head"><h2>{0}</h2><span class="muted">{1}</span></div>)",
        view::escapeMarkup(view::truncateMiddle(table.sweep.name, 120)),
        view::escapeMarkup(view::truncateMiddle(table.sweep.title, 240)));
    if (const std::string best = view::plot::bestText(table); !best.empty())
        out += fmt::format(R"(<p class="best">{}</p>)", view::escapeMarkup(best));
    const std::string why = view::plot::whyNoPlot(table);
    out += why.empty() ? fmt::format("<figure>{}</figure>", drawSweep(table, drawing))
                       : fmt::format(R"(<p class="muted">{}</p>)", view::escapeMarkup(why));
    if (const auto effects = view::plot::effectTexts(table); !effects.empty()) {
        out += R"(<p class="muted">The best that each choice allows:</p><ul class="why">)";
        for (const std::string& effect : effects)
            out += fmt::format("<li>{}</li>", view::escapeMarkup(effect));
        out += "</ul>";
    }
    const view::TextCells cells = view::textCells(view::plot::sweepTable(table), "◀ best");
    out += fmt::format(R"(<details class="print-open"{}><summary>{} points</summary>{}</details></section>)",
                       cells.rows.size() <= kMostOpenRows ? R"( open="")" : "", cells.rows.size(),
                       view::htmlTable(cells.columns, cells.rows, "points"));
    return out;
}

} // namespace

std::string sweeps(const diagnosis::Diagnosis& diagnosis, const view::ReportRows& rows) {
    std::unordered_map<std::string, std::size_t> places; // a workload's first row has its longest kernel
    for (std::size_t i = 0; i < rows.rows.size(); ++i)
        places.try_emplace(diagnosis.session().launch(rows.rows[i].launch).workload, i);
    SweepDrawing drawing;
    drawing.rowOf = [&](const std::string& workload) -> std::optional<std::size_t> {
        const auto place = places.find(workload);
        return place == places.end() ? std::nullopt : std::optional(place->second);
    };
    std::string out;
    for (const metrics::SweepTable& table : metrics::sweepTables(diagnosis.metrics()))
        out += section(table, drawing);
    return out;
}

} // namespace dormer::report::page
