// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/page/page.h"
#include "analysis/view/text.h"
#include "analysis/view/transfer_rows.h"

#include <fmt/format.h>

namespace dormer::report::page {

namespace {

std::string table(std::string_view title, const std::vector<view::TextColumn>& columns,
                  const std::vector<view::TextRow>& rows, std::size_t leftOut) {
    if (rows.empty()) return {};
    std::string out = fmt::format("<h4>{}</h4>{}", title, view::htmlTable(columns, rows, "transfers"));
    if (leftOut > 0)
        out += fmt::format(R"(<p class="muted">{} more rows are in the CSV and JSON exports.</p>)", leftOut);
    return out;
}

} // namespace

std::string transfers(const session::Session& session) {
    const view::TransferTables tables = view::transferTables(session);
    if (tables.transfers.empty() && tables.calls.empty()) return {};
    std::string out =
        R"(<section class="panel" aria-label="Transfers and memory"><h2>Transfers and memory</h2>)";
    out += table("Transfers", tables.transferColumns, tables.transfers, tables.transfersLeftOut);
    out += table("Calls for memory", tables.callColumns, tables.calls, tables.callsLeftOut);
    for (const std::string& line : {tables.dashes, tables.outside})
        if (!line.empty()) out += fmt::format(R"(<p class="muted">{}</p>)", view::escapeMarkup(line));
    return out + "</section>";
}

} // namespace dormer::report::page
