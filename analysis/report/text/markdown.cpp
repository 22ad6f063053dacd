// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"

#include "analysis/view/report_summary.h"
#include "analysis/view/text.h"
#include "analysis/view/text_table.h"
#include "analysis/view/verdict_mark.h"

#include <fmt/format.h>

namespace dormer::report {

namespace {

constexpr std::size_t kMostRows = 200;
constexpr std::size_t kMostNameColumns = 80;
constexpr std::size_t kMostTextColumns = 400;

std::string escaped(std::string_view text) {
    return view::escapeMarkdown(view::truncateMiddle(text, kMostTextColumns));
}

void appendTable(std::string& out, const view::KernelRows& rows) {
    std::vector<view::TextColumn> columns;
    for (const view::Column& column : rows.columns)
        columns.push_back({headText(column), column.numeric});
    std::vector<view::TextRow> lines;
    for (const view::KernelRow& row : rows.rows) {
        view::TextRow& line = lines.emplace_back();
        for (const view::Cell& cell : row.cells)
            line.push_back(view::truncateMiddle(cell.text, kMostNameColumns));
        line.front() = fmt::format("{} {}", view::markOf(row.verdict.bound).symbol, line.front());
    }
    out += view::markdownTable(columns, lines);
    if (rows.groups > rows.rows.size())
        out += fmt::format("\nThe {} kernels with the most time, of {}.\n", rows.rows.size(), rows.groups);
}

} // namespace

std::string markdownText(const diagnosis::Diagnosis& diagnosis) {
    const session::Session& session = diagnosis.session();
    const view::KernelRows rows = view::kernelRows(diagnosis, kMostRows);
    const view::ReportSummary summary = view::summarize(rows);

    std::string out = fmt::format("# Dormer: {}\n\n**{}** {}.\n\n", escaped(session::provenance(session)),
                                  escaped(summary.sentence), view::launchTotals(diagnosis, rows.totalNs));
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
