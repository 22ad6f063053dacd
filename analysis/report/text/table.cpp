// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"

#include "analysis/metrics/format.h"
#include "analysis/view/report_summary.h"
#include "analysis/view/text.h"
#include "analysis/view/verdict_mark.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace dormer::report {

namespace {

/// A table longer than a screen begins with what matters in it.
constexpr std::size_t kLongTable = 40;
constexpr std::size_t kMostKernelColumns = 48;

struct Column {
    std::string_view title;
    bool rightAligned;
};
constexpr std::array<Column, 11> kColumns{{{"verdict", false},
                                           {"kernel", false},
                                           {"calls", true},
                                           {"time, ms", true},
                                           {"share, %", true},
                                           {"DRAM, % of roof", true},
                                           {"L2 hit, %", true},
                                           {"sectors/req", true},
                                           {"conflicts", true},
                                           {"occ., %", true},
                                           {"to gain, ms", true}}};
using Cells = std::array<std::string, kColumns.size()>;

/// Units stand in the heads, so cells of a column share one scale.
std::string milliseconds(double ns) {
    const double ms = ns / 1e6;
    return fmt::format("{:.{}f}", ms, ms >= 100 ? 1 : ms >= 0.1 ? 2 : 4);
}

std::string percent(const std::optional<double>& ratio) {
    const std::string text = metrics::forPeople(ratio, metrics::Unit::Ratio);
    return ratio ? text.substr(0, text.find(' ')) : text;
}

Cells cellsOf(const view::ReportRow& row) {
    const view::VerdictMark& mark = view::markOf(row.verdict.bound);
    return {fmt::format("{} {}", mark.symbol, mark.word),
            view::truncateMiddle(view::fullLabel(row), kMostKernelColumns),
            std::to_string(row.launches.size()),
            row.timeNs() ? milliseconds(row.totalNs)
                         : metrics::forPeople(row.timeNs(), metrics::Unit::Nanoseconds),
            percent(row.shareOfTime()),
            percent(row.dramUtilization),
            percent(row.l2HitRate),
            view::sectorsText(row),
            view::conflictsText(row),
            percent(row.occupancy),
            row.gainNs ? "−" + milliseconds(*row.gainNs) : std::string()};
}

void appendLine(std::string& out, const Cells& cells,
                const std::array<std::size_t, kColumns.size()>& widths) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i > 0) line += "  ";
        const std::string pad(widths[i] - view::displayWidth(cells[i]), ' ');
        line += kColumns[i].rightAligned ? pad + cells[i] : cells[i] + pad;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
}

std::string launchesText(const diagnosis::Diagnosis& diagnosis, std::size_t mostRows) {
    const view::ReportRows rows = view::reportRows(diagnosis, mostRows);
    std::array<std::size_t, kColumns.size()> widths{};
    std::vector<Cells> lines(1);
    std::ranges::transform(kColumns, lines.front().begin(),
                           [](const Column& column) { return std::string(column.title); });
    for (const view::ReportRow& row : rows.rows)
        lines.push_back(cellsOf(row));
    for (const Cells& cells : lines)
        for (std::size_t i = 0; i < cells.size(); ++i)
            widths[i] = std::max(widths[i], view::displayWidth(cells[i]));

    std::string out = rows.groups > kLongTable ? view::summarize(rows).sentence + "\n\n" : std::string();
    for (const Cells& cells : lines)
        appendLine(out, cells, widths);
    out += fmt::format("\n{} {}, {} {}, {}\n", rows.launches, rows.launches == 1 ? "launch" : "launches",
                       metrics::forPeople(rows.totalNs, metrics::Unit::Nanoseconds),
                       session::whereTimed(diagnosis.session()),
                       view::cleanText(session::provenance(diagnosis.session())));
    if (rows.groups > rows.rows.size())
        out += fmt::format("the {} kernels with the most time, of {}\n", rows.rows.size(), rows.groups);
    return out;
}

} // namespace

std::string tableText(const diagnosis::Diagnosis& diagnosis, std::size_t mostRows) {
    const std::string transfers = transfersTableText(diagnosis);
    if (diagnosis.session().launches().empty() && !transfers.empty())
        return transfers + fmt::format("\nno kernel launches, {}\n",
                                       view::cleanText(session::provenance(diagnosis.session())));
    const std::string launches = launchesText(diagnosis, mostRows);
    return transfers.empty() ? launches : launches + '\n' + transfers;
}

} // namespace dormer::report
