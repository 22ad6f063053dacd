// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"

#include "analysis/format.h"
#include "analysis/report/report_summary.h"
#include "analysis/report/text.h"
#include "analysis/report/verdict_mark.h"

#include <fmt/format.h>

#include <iterator>

namespace dormer::analysis {

namespace {

constexpr std::size_t kMostRows = 200;
constexpr std::size_t kMostNameColumns = 80;
constexpr std::size_t kMostTextColumns = 400;

std::string escaped(std::string_view text, std::size_t columns = kMostTextColumns) {
    return escapeMarkdown(truncateMiddle(text, columns));
}

void appendTable(std::string& out, const ReportRows& rows) {
    out += "| | kernel | calls | time | share | DRAM | L2 hit | sectors/req | conflicts | occ. | to gain |\n"
           "|:-:|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n";
    for (const ReportRow& row : rows.rows) {
        const VerdictMark& mark = markOf(row.verdict.bound);
        fmt::format_to(
            std::back_inserter(out), "| {} {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n",
            mark.symbol, mark.word, escaped(fullLabel(row), kMostNameColumns), row.launches.size(),
            forPeople(row.timeNs(), Unit::Nanoseconds), forPeople(row.shareOfTime(), Unit::Ratio),
            forPeople(row.dramUtilization, Unit::Ratio), forPeople(row.l2HitRate, Unit::Ratio),
            sectorsText(row), conflictsText(row), forPeople(row.occupancy, Unit::Ratio), gainText(row));
    }
    if (rows.groups > rows.rows.size())
        out += fmt::format("\nThe {} kernels with the most time, of {}.\n", rows.rows.size(), rows.groups);
}

} // namespace

std::string markdownText(const MetricEvaluator& metrics) {
    const Session& session = metrics.session();
    const ReportRows rows = reportRows(metrics, kMostRows);
    const ReportSummary summary = summarize(rows);

    std::string out =
        fmt::format("# Dormer: {}\n\n**{}** {} {}, {} {}.\n\n", escaped(provenance(session)),
                    escaped(summary.sentence), rows.launches, rows.launches == 1 ? "launch" : "launches",
                    forPeople(rows.totalNs, Unit::Nanoseconds), whereTimed(session));
    out += toDoMarkdownText(metrics);
    out += "## Kernels\n\n";
    appendTable(out, rows);

    out += sweepSectionsMarkdown(metrics) + transfersMarkdownText(metrics);

    out += "\n## How it was measured\n\n";
    for (const auto& [what, value] : reportFacts(metrics))
        out += fmt::format("- {}: {}\n", what, escaped(value));
    if (!session.notes().empty()) out += "\n## Notes\n\n";
    for (const Note& note : session.notes())
        out += fmt::format("- {}\n", escaped(note.text));
    return out;
}

} // namespace dormer::analysis
