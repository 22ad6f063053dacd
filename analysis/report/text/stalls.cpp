// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"
#include "analysis/view/details/stall_tables.h"
#include "analysis/view/text.h"
#include "analysis/view/text_table.h"

#include <fmt/format.h>

namespace dormer::report {

namespace {

/// More than anyone reads; JSON has all.
constexpr std::size_t kMostKernels = 20, kMostLines = 8;
constexpr std::size_t kMostColumns = 80;
constexpr std::size_t kBarColumns = 20;

view::TextCells textsOf(const view::Table& table) {
    return view::textCells(table, "", kMostColumns);
}

/// With a bar before the last column: solid where nothing issued.
view::TextCells stateTexts(const view::details::StallTables& kernel) {
    view::TextCells texts = textsOf(kernel.states);
    texts.columns.insert(texts.columns.end() - 1, view::TextColumn{});
    for (std::size_t row = 0; row < texts.rows.size(); ++row)
        texts.rows[row].insert(texts.rows[row].end() - 1,
                               view::details::barText(kernel.bars[row], kBarColumns));
    return texts;
}

} // namespace

std::string stallsTableText(const diagnosis::Diagnosis& diagnosis) {
    std::string out;
    for (const view::details::StallTables& kernel :
         view::details::allStallTables(diagnosis.session(), kMostKernels, kMostLines)) {
        const view::TextCells states = stateTexts(kernel), lines = textsOf(kernel.lines);
        out += view::cleanText(kernel.title) + '\n';
        if (!kernel.main.empty()) out += kernel.main + '\n';
        out += '\n' + view::alignedTable(states.columns, states.rows) + '\n' +
               view::alignedTable(lines.columns, lines.rows) + "\n\n";
    }
    return out + view::cleanText(session::provenance(diagnosis.session())) + '\n';
}

std::string stallsMarkdownText(const diagnosis::Diagnosis& diagnosis) {
    std::string out =
        fmt::format("# Stalls: {}\n", view::escapeMarkdown(session::provenance(diagnosis.session())));
    for (const view::details::StallTables& kernel :
         view::details::allStallTables(diagnosis.session(), kMostKernels, kMostLines)) {
        const view::TextCells states = textsOf(kernel.states), lines = textsOf(kernel.lines);
        out += fmt::format("\n## {}\n\n", view::escapeMarkdown(kernel.title));
        if (!kernel.main.empty()) out += view::escapeMarkdown(kernel.main) + "\n\n";
        out += view::markdownTable(states.columns, states.rows) + '\n' +
               view::markdownTable(lines.columns, lines.rows);
    }
    return out;
}

} // namespace dormer::report
