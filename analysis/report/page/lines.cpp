// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/page/page.h"
#include "analysis/view/details/line_rows.h"
#include "analysis/view/text.h"

#include <fmt/format.h>

#include <iterator>

namespace dormer::report::page {

namespace {

/// The page of a long session stays small: CSV and JSON have all lines.
constexpr std::size_t kMostLines = 15;
constexpr std::size_t kMostChainColumns = 400;

void appendRow(std::string& out, const view::details::LineRow& row) {
    out += "<tr>";
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
        std::string cssClass = view::details::isTextColumn(i) ? "left" : "";
        const bool isRatio = view::details::kLineColumns[i] == "×";
        if (isRatio && row.wastes) cssClass = "gain";
        fmt::format_to(std::back_inserter(out), "<td{}>{}</td>",
                       cssClass.empty() ? "" : fmt::format(R"( class="{}")", cssClass),
                       view::escapeMarkup(row.cells[i]));
    }
    out += "</tr>\n";
}

} // namespace

std::string lineTable(const session::Session& session, const view::KernelRow& row) {
    const view::details::KernelLines kernel =
        view::details::kernelLines(session, row.label, row.launches, kMostLines);
    if (kernel.lines.empty()) return {};
    std::string out = "<details><summary>All counts by line</summary>";
    if (kernel.launches > 1)
        out += fmt::format(R"(<p class="muted">{} launches added up</p>)", kernel.launches);
    out += R"(<div class="scroll"><table class="lines"><thead><tr>)";
    for (std::size_t i = 0; i < view::details::kLineColumns.size(); ++i)
        fmt::format_to(std::back_inserter(out), R"(<th scope="col"{}>{}</th>)",
                       view::details::isTextColumn(i) ? R"( class="left")" : "",
                       view::details::kLineColumns[i]);
    out += "</tr></thead><tbody>\n";
    for (const view::details::KernelLines::Line& line : kernel.lines) {
        for (const view::details::LineRow& each : line.rows)
            appendRow(out, each);
        if (!line.chain.empty())
            out += fmt::format("<tr><td class=\"left muted\" colspan=\"{}\">inlined at {}</td></tr>\n",
                               view::details::kLineColumns.size(),
                               view::escapeMarkup(view::truncateMiddle(line.chain, kMostChainColumns)));
    }
    out += "</tbody></table></div>";
    if (kernel.hiddenLines > 0)
        out += fmt::format(
            R"(<p class="muted">{} more with less excess; the CSV and JSON of --lines have all.</p>)",
            kernel.hiddenLines);
    return out + "</details>";
}

} // namespace dormer::report::page
