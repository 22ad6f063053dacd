// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/page/page.h"

#include "analysis/metrics/format.h"
#include "analysis/view/text.h"

#include <fmt/format.h>

#include <array>
#include <iterator>

namespace dormer::report::page {

namespace {

/// A longer table scrolls by itself: what follows it should be found.
constexpr std::size_t kMostOpenRows = 40;

struct Column {
    std::string_view title;
    std::string_view metric; ///< whose definition explains it; empty for counts of our own
    std::string_view hint;
    std::string_view sort; ///< "number", "text", or not at all
};

constexpr std::array<Column, 11> kColumns{{
    {"", "", "", ""},
    {"kernel", "", "Workload or kernel; one row for launches of one signature", "text"},
    {"calls", "", "Launches of this signature", "number"},
    {"time", "duration_ns", "Time of all launches", "number"},
    {"share", "", "Share of all GPU time", "number"},
    {"DRAM", "dram_bytes_per_second", "DRAM bytes per second, as a share of the DRAM roof", "number"},
    {"L2 hit", "l2_hit_rate", "", "number"},
    {"sectors/req", "global_load_sectors_per_request",
     "Sectors a global request touches / the fewest its bytes need; loads or stores, whichever is worse",
     "number"},
    {"conflicts", "shared_load_ways",
     "Shared-memory wavefronts against the fewest possible, the worse of loads and stores", "number"},
    {"occ.", "achieved_occupancy", "", "number"},
    {"to gain", "", "Time the largest finding would win over all launches of the row", "number"},
}};

/// A cell with its sort key. A dash says why on hover.
std::string cell(const std::optional<double>& key, std::string_view text, std::string_view cssClass = "",
                 std::string_view why = "") {
    std::string out = "<td";
    if (!cssClass.empty()) out += fmt::format(R"( class="{}")", cssClass);
    out += key ? fmt::format(R"( data-v="{}")", *key) : std::string(R"( data-v="")");
    if (!key && !why.empty()) out += fmt::format(R"( title="{}")", view::escapeMarkup(why));
    return out + ">" + view::escapeMarkup(text) + "</td>";
}

std::string whyMissing(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch,
                       std::string_view metric) {
    const std::string& reason = metrics.session().launch(launch).notCounted;
    if (!reason.empty()) return reason;
    const std::string input = metrics.missingInput(launch, metric);
    return input.empty() ? std::string() : input + " was not collected";
}

void appendRow(std::string& out, const metrics::MetricEvaluator& metrics, const view::ReportRow& row,
               std::size_t index) {
    const auto why = [&](std::string_view metric) { return whyMissing(metrics, row.launch, metric); };
    fmt::format_to(
        std::back_inserter(out),
        R"(<tr data-row="{0}"><td>{1}</td><td class="left name" title="{2}"><a href="#k{0}">{3}</a>{4}</td>)",
        index, inlineMark(row.verdict.bound),
        view::escapeMarkup(view::truncateMiddle(view::fullLabel(row), 400)),
        view::escapeMarkup(view::truncateMiddle(row.label, 120)),
        row.qualifier.empty() ? "" : fmt::format(R"( <span class="muted">{}</span>)", row.qualifier));
    out += cell(static_cast<double>(row.launches.size()), std::to_string(row.launches.size()));
    out += cell(row.timeNs(), metrics::forPeople(row.timeNs(), metrics::Unit::Nanoseconds), "",
                why("duration_ns"));
    out += cell(row.shareOfTime(), metrics::forPeople(row.shareOfTime(), metrics::Unit::Ratio));
    out += cell(row.dramUtilization, metrics::forPeople(row.dramUtilization, metrics::Unit::Ratio), "",
                why("dram_bytes_per_second"));
    out +=
        cell(row.l2HitRate, metrics::forPeople(row.l2HitRate, metrics::Unit::Ratio), "", why("l2_hit_rate"));
    out += cell(row.sectorsPerRequest, view::sectorsText(row), view::wastesSectors(row) ? "gain" : "",
                why("global_load_sectors_per_request"));
    out += cell(row.conflictWays, view::conflictsText(row), view::hasConflicts(row) ? "gain" : "",
                row.conflictWays ? "" : "no shared-memory traffic counted");
    out += cell(row.occupancy, metrics::forPeople(row.occupancy, metrics::Unit::Ratio), "",
                why("achieved_occupancy"));
    out += cell(row.gainNs, view::gainText(row), "gain") + "</tr>\n";
}

} // namespace

std::string metricLink(std::string_view name, std::string_view text) {
    const metrics::Metric* metric = metrics::findMetric(name);
    if (!metric) return view::escapeMarkup(text);
    return fmt::format(R"(<a class="def" href="#m-{}" title="{}">{}</a>)", metric->name,
                       view::escapeMarkup(metric->meaning), view::escapeMarkup(text));
}

std::string kernelTable(const diagnosis::Diagnosis& diagnosis, const view::ReportRows& rows) {
    std::string out = fmt::format(
        R"(<section class="panel" aria-label="Kernels"><div class="panel-head"><h2>Kernels</h2><span class="muted">grouped by kernel and launch configuration</span>)"
        R"(<input class="filter right" type="search" placeholder="filter kernels" aria-label="filter kernels"></div>)"
        R"(<div class="scroll{}"><table class="kernels"><thead><tr>)",
        rows.rows.size() > kMostOpenRows ? " long" : "");
    for (const Column& column : kColumns) {
        const metrics::Metric* metric = metrics::findMetric(column.metric);
        const std::string_view hint = column.hint.empty() && metric ? metric->meaning : column.hint;
        fmt::format_to(std::back_inserter(out), R"(<th scope="col"{}{}{}>{}</th>)",
                       column.title == "kernel" ? R"( class="left")" : "",
                       column.sort.empty() ? "" : fmt::format(R"( data-sort="{}")", column.sort),
                       hint.empty() ? "" : fmt::format(R"( title="{}")", view::escapeMarkup(hint)),
                       metric ? metricLink(column.metric, column.title) : std::string(column.title));
    }
    out += "</tr></thead><tbody>\n";
    for (std::size_t i = 0; i < rows.rows.size(); ++i)
        appendRow(out, diagnosis.metrics(), rows.rows[i], i);
    out += "</tbody></table></div>";
    if (rows.groups > rows.rows.size())
        out += fmt::format(
            R"(<p class="muted">The {} kernels with the most time, of {}. All are in the CSV and JSON exports.</p>)",
            rows.rows.size(), rows.groups);
    return out + R"(<p class="muted screen"><a href="#definitions">What the columns mean</a></p></section>)";
}

} // namespace dormer::report::page
