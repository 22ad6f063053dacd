// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/transfers.h"
#include "analysis/report/page/page.h"
#include "analysis/view/text.h"
#include "analysis/view/text_table.h"

#include <fmt/format.h>

namespace dormer::report::page {

namespace {

std::string section(std::string_view title, const view::Table& table) {
    if (table.rows.empty()) return {};
    std::string out = fmt::format("<h4>{}</h4>{}", title, htmlTable(table, "transfers"));
    if (const std::size_t rows = table.rows.size(); rows > view::kMostTextRows)
        out += fmt::format(R"(<p class="muted">{} more rows are in the CSV and JSON exports.</p>)",
                           rows - view::kMostTextRows);
    return out;
}

} // namespace

std::string transfers(const session::Session& session) {
    const view::TransferTables tables = view::transferTables(session);
    if (tables.transfers.rows.empty() && tables.calls.rows.empty()) return {};
    std::string out =
        R"(<section class="panel" aria-label="Transfers and memory"><h2>Transfers and memory</h2>)";
    out += section(view::kTransfersTitle, tables.transfers) + section(view::kMemoryCallsTitle, tables.calls);
    for (const std::string& line : {tables.noTimes, tables.outside})
        if (!line.empty()) out += fmt::format(R"(<p class="muted">{}</p>)", view::escapeMarkup(line));
    return out + "</section>";
}

} // namespace dormer::report::page
