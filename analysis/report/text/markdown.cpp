// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"

#include "analysis/metrics/format.h"
#include "analysis/view/report_summary.h"
#include "analysis/view/text.h"
#include "analysis/view/verdict_mark.h"

#include <fmt/format.h>

#include <iterator>

namespace dormer::report {

namespace {

constexpr std::size_t kMostRows = 200;
constexpr std::size_t kMostNameColumns = 80;
constexpr std::size_t kMostTextColumns = 400;

std::string escaped(std::string_view text, std::size_t columns = kMostTextColumns) {
    return view::escapeMarkdown(view::truncateMiddle(text, columns));
}

void appendTable(std::string& out, const view::ReportRows& rows) {
    out += "| | kernel | calls | time | share | DRAM | L2 hit | sectors/req | conflicts | occ. | to gain |\n"
           "|:-:|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n";
    for (const view::ReportRow& row : rows.rows) {
        const view::VerdictMark& mark = view::markOf(row.verdict.bound);
        fmt::format_to(std::back_inserter(out),
                       "| {} {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", mark.symbol,
                       mark.word, escaped(view::fullLabel(row), kMostNameColumns), row.launches.size(),
                       metrics::forPeople(row.timeNs(), metrics::Unit::Nanoseconds),
                       metrics::forPeople(row.shareOfTime(), metrics::Unit::Ratio),
                       metrics::forPeople(row.dramUtilization, metrics::Unit::Ratio),
                       metrics::forPeople(row.l2HitRate, metrics::Unit::Ratio), view::sectorsText(row),
                       view::conflictsText(row), metrics::forPeople(row.occupancy, metrics::Unit::Ratio),
                       view::gainText(row));
    }
    if (rows.groups > rows.rows.size())
        out += fmt::format("\nThe {} kernels with the most time, of {}.\n", rows.rows.size(), rows.groups);
}

} // namespace

std::string markdownText(const diagnosis::Diagnosis& diagnosis) {
    const session::Session& session = diagnosis.session();
    const view::ReportRows rows = view::reportRows(diagnosis, kMostRows);
    const view::ReportSummary summary = view::summarize(rows);

    std::string out = fmt::format(
        "# Dormer: {}\n\n**{}** {} {}, {} {}.\n\n", escaped(session::provenance(session)),
        escaped(summary.sentence), rows.launches, rows.launches == 1 ? "launch" : "launches",
        metrics::forPeople(rows.totalNs, metrics::Unit::Nanoseconds), session::whereTimed(session));
    out += toDoMarkdownText(diagnosis);
    out += "## Kernels\n\n";
    appendTable(out, rows);

    out += sweepSectionsMarkdown(diagnosis) + transfersMarkdownText(diagnosis);

    out += "\n## How it was measured\n\n";
    for (const auto& [what, value] : view::reportFacts(diagnosis.metrics()))
        out += fmt::format("- {}: {}\n", what, escaped(value));
    if (!session.notes().empty()) out += "\n## Notes\n\n";
    for (const session::Note& note : session.notes())
        out += fmt::format("- {}\n", escaped(note.text));
    return out;
}

} // namespace dormer::report
