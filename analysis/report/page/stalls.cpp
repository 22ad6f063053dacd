// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/page/page.h"
#include "analysis/view/details/stall_tables.h"
#include "analysis/view/text.h"

#include <fmt/format.h>

#include <initializer_list>

namespace dormer::report::page {

namespace {

constexpr std::size_t kMostLines = 12;

/// Some columns of a table: a card is narrow. Texts of the column `hint` show when the pointer rests on a
/// row.
std::string narrowTable(const view::Table& table, std::initializer_list<std::size_t> columns,
                        std::size_t hint) {
    std::string out = "<table><thead><tr>";
    for (const std::size_t i : columns)
        out += fmt::format(R"(<th scope="col"{}>{}</th>)", table.columns[i].numeric ? "" : R"( class="left")",
                           view::escapeMarkup(view::headText(table.columns[i])));
    out += "</tr></thead><tbody>";
    for (const view::Row& row : table.rows) {
        out += fmt::format(R"(<tr title="{}">)", view::escapeMarkup(row.cells[hint].text));
        for (const std::size_t i : columns)
            out += fmt::format(R"(<td class="nowrap{}">{}</td>)", table.columns[i].numeric ? "" : " left",
                               view::escapeMarkup(view::truncateMiddle(row.cells[i].text, 32)));
        out += "</tr>";
    }
    return out + "</tbody></table>";
}

} // namespace

std::string stallTables(const session::Session& session, std::size_t kernel) {
    const stalls::KernelStalls sampled = stalls::kernelStalls(session, kernel);
    if (sampled.states.samples() == 0) return {};
    const view::details::StallTables tables = view::details::stallTables(session, sampled, kMostLines);
    std::string out = fmt::format("<h4>Warp states</h4><p>{}</p>{}", view::escapeMarkup(tables.summary),
                                  shareBars(tables.bars));
    if (!tables.main.empty())
        out += fmt::format(R"(<p class="muted">{}</p>)", view::escapeMarkup(tables.main));
    return out + "<h4>Stalls by line</h4>" + narrowTable(tables.lines, {0, 1, 2}, 5);
}

} // namespace dormer::report::page
