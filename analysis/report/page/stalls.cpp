// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/page/page.h"
#include "analysis/view/details/stall_tables.h"
#include "analysis/view/text.h"
#include "analysis/view/text_table.h"

#include <fmt/format.h>

namespace dormer::report::page {

namespace {
constexpr std::size_t kMostLines = 12;
}

std::string stallTables(const session::Session& session, std::size_t kernel) {
    if (session.warpSamples(kernel).empty()) return {};
    const view::details::StallTables tables =
        view::details::stallTables(session, stalls::kernelStalls(session, kernel), kMostLines);
    std::string out = fmt::format("<h4>Warp states</h4><p>{}</p>", view::escapeMarkup(tables.title));
    if (!tables.main.empty())
        out += fmt::format(R"(<p class="muted">{}</p>)", view::escapeMarkup(tables.main));
    return out + view::htmlTable(tables.states, "") + "<h4>Stalls by line</h4>" +
           view::htmlTable(tables.lines, "");
}

} // namespace dormer::report::page
