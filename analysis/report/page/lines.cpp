// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/line_rows.h"
#include "analysis/report/page/page.h"
#include "analysis/report/text.h"

#include <fmt/format.h>

#include <iterator>

namespace dormer::analysis::page {

namespace {

/// The page of a long session stays small: CSV and JSON have all lines.
constexpr std::size_t kMostLines = 15;
constexpr std::size_t kMostChainColumns = 400;

void appendRow(std::string& out, const LineRow& row) {
    out += "<tr>";
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
        std::string cssClass = isTextColumn(i) ? "left" : "";
        const bool isRatio = kLineColumns[i] == "×";
        if (isRatio && row.wastes) cssClass = "gain";
        fmt::format_to(std::back_inserter(out), "<td{}>{}</td>",
                       cssClass.empty() ? "" : fmt::format(R"( class="{}")", cssClass),
                       escapeMarkup(row.cells[i]));
    }
    out += "</tr>\n";
}

} // namespace

std::string lineTable(const Session& session, const ReportRow& row) {
    const KernelLines kernel = kernelLines(session, row.label, row.launches, kMostLines);
    if (kernel.lines.empty()) return {};
    std::string out = "<details><summary>All counts by line</summary>";
    if (kernel.launches > 1)
        out += fmt::format(R"(<p class="muted">{} launches added up</p>)", kernel.launches);
    out += R"(<div class="scroll"><table class="lines"><thead><tr>)";
    for (std::size_t i = 0; i < kLineColumns.size(); ++i)
        fmt::format_to(std::back_inserter(out), R"(<th scope="col"{}>{}</th>)",
                       isTextColumn(i) ? R"( class="left")" : "", kLineColumns[i]);
    out += "</tr></thead><tbody>\n";
    for (const KernelLines::Line& line : kernel.lines) {
        for (const LineRow& each : line.rows)
            appendRow(out, each);
        if (!line.chain.empty())
            out +=
                fmt::format("<tr><td class=\"left muted\" colspan=\"{}\">inlined at {}</td></tr>\n",
                            kLineColumns.size(), escapeMarkup(truncateMiddle(line.chain, kMostChainColumns)));
    }
    out += "</tbody></table></div>";
    if (kernel.hiddenLines > 0)
        out += fmt::format(
            R"(<p class="muted">{} more with less excess; the CSV and JSON of --lines have all.</p>)",
            kernel.hiddenLines);
    return out + "</details>";
}

} // namespace dormer::analysis::page
