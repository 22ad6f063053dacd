// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"

#include "analysis/view/report_summary.h"
#include "analysis/view/text.h"
#include "analysis/view/text_table.h"
#include "analysis/view/verdict_mark.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace dormer::report {

namespace {

using view::KernelColumn;
using view::TextColumn;
using view::TextRow;
using Widths = std::array<int, view::kKernelColumns>;

/// A table longer than a screen begins with what matters in it.
constexpr std::size_t kLongTable = 40;
/// Names may be as long where the width is not known, and keep at least the other before columns go for them.
constexpr int kMostNameWidth = 48, kLeastNameWidth = 24;
constexpr int kGap = 2;

/// How a table fits: numbers are never cut.
struct Layout {
    std::vector<TextColumn> columns;
    std::array<bool, view::kKernelColumns> shown{};
    int nameWidth = kMostNameWidth;
};

/// The widest of each column's cells and head, with the gap to the next.
Widths widthsOf(const std::vector<TextColumn>& columns, const std::vector<TextRow>& lines) {
    Widths widths{};
    for (std::size_t i = 0; i < columns.size(); ++i) {
        std::size_t widest = headWidth(columns[i]);
        for (const TextRow& line : lines)
            widest = std::max(widest, view::displayWidth(line[i]));
        widths[i] = static_cast<int>(widest) + kGap;
    }
    return widths;
}

/// Where the width is short heads fold first, then names give way, then columns.
Layout layOut(const view::KernelRows& rows, const std::vector<TextRow>& lines, int width) {
    Layout layout;
    layout.shown.fill(true);
    for (const view::Column& column : rows.columns)
        layout.columns.push_back({headText(column), column.numeric});
    if (width <= 0) return layout;
    Widths widths = widthsOf(layout.columns, lines);
    const int available = width + kGap; // the last column needs none
    if (std::accumulate(widths.begin(), widths.end(), 0) > available) {
        for (std::size_t i = 0; i < rows.columns.size(); ++i)
            layout.columns[i].title = foldedHead(rows.columns[i]);
        widths = widthsOf(layout.columns, lines);
    }
    int& name = widths[raw(KernelColumn::Name)];
    const int natural = name;
    name = std::min(natural, kLeastNameWidth + kGap);
    layout.shown = view::kernelColumnsWithin(widths, available);
    int left = available;
    for (std::size_t i = 0; i < widths.size(); ++i)
        if (layout.shown[i]) left -= widths[i];
    layout.nameWidth = std::min(natural, name + std::max(left, 0)) - kGap;
    return layout;
}

std::string kernelTableText(const view::KernelRows& rows, int width) {
    std::vector<TextRow> lines;
    for (const view::KernelRow& row : rows.rows) {
        TextRow& line = lines.emplace_back();
        for (const view::Cell& cell : row.cells)
            line.push_back(view::cleanText(cell.text));
        line.front() = fmt::format("{} {}", view::markOf(row.verdict.bound).symbol, line.front());
    }
    Layout layout = layOut(rows, lines, width);
    const auto keepShown = [&](auto& all) {
        std::size_t at = 0;
        std::erase_if(all, [&](const auto&) { return !layout.shown[at++]; });
    };
    for (TextRow& line : lines) {
        std::string& name = line[raw(KernelColumn::Name)];
        name = view::truncateMiddle(name, static_cast<std::size_t>(layout.nameWidth));
        keepShown(line);
    }
    std::string hidden;
    for (std::size_t i = 0; i < rows.columns.size(); ++i)
        if (!layout.shown[i]) hidden += (hidden.empty() ? "" : ", ") + rows.columns[i].title;
    keepShown(layout.columns);
    std::string out = view::alignedTable(layout.columns, lines);
    if (!hidden.empty()) out += fmt::format("\nnot shown in {} columns: {}\n", width, hidden);
    return out;
}

std::string launchesText(const diagnosis::Diagnosis& diagnosis, const TableLimits& limits) {
    const view::KernelRows rows = view::kernelRows(diagnosis, limits.rows);
    std::string out = rows.groups > kLongTable ? view::summarize(rows).sentence + "\n\n" : std::string();
    out += kernelTableText(rows, limits.width);
    out += fmt::format("\n{}, {}\n", view::launchTotals(diagnosis, rows.totalNs),
                       view::cleanText(session::provenance(diagnosis.session())));
    for (const view::KernelRow& row : rows.rows)
        if (!row.differ.empty())
            out += fmt::format("{}: {}\n", view::truncateMiddle(fullLabel(row), kMostNameWidth),
                               view::cleanText(row.differ));
    if (rows.groups > rows.rows.size())
        out += fmt::format("the {} kernels with the most time, of {}\n", rows.rows.size(), rows.groups);
    return out;
}

} // namespace

std::string tableText(const diagnosis::Diagnosis& diagnosis, const TableLimits& limits) {
    const session::Session& session = diagnosis.session();
    const std::string transfers = transfersTableText(diagnosis);
    if (session.launches().empty() && !transfers.empty())
        return transfers +
               fmt::format("\nno kernel launches, {}\n", view::cleanText(session::provenance(session)));
    const std::string launches = launchesText(diagnosis, limits);
    return transfers.empty() ? launches : launches + '\n' + transfers;
}

} // namespace dormer::report
