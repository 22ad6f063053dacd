// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/compare/page/compare_html.h"

#include "analysis/compare/compare_report.h"
#include "analysis/report/page/assets.h"
#include "analysis/view/text.h"

#include <fmt/format.h>

namespace dormer::compare {

namespace {

constexpr std::string_view kPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

void appendList(std::string& out, std::string_view title, const std::vector<std::string>& items, bool open) {
    if (items.empty()) return;
    out += fmt::format("<details class=\"panel\"{}><summary>{} ({})</summary><ul>", open ? " open" : "",
                       title, items.size());
    for (const std::string& item : items)
        out += fmt::format("<li>{}</li>", view::escapeMarkup(item));
    out += "</ul></details>\n";
}

} // namespace

std::string compareHtml(const Comparison& comparison, std::string_view title) {
    const ComparisonText text = textOf(comparison);
    const std::string name = view::escapeMarkup(view::truncateMiddle(title, 120));
    std::string out = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">";
    out += fmt::format(R"(<meta http-equiv="Content-Security-Policy" content="{}">)", kPolicy);
    out +=
        R"(<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="generator" content="Dormer">)";
    out += fmt::format("<title>{} · Dormer</title>", name);
    out.append("<style>\n")
        .append(report::page::kReportStyle)
        .append(report::page::kReportPrintStyle)
        .append("</style></head>\n");
    out += fmt::format(R"(<body><header class="bar"><span class="brand">Dormer</span><h1>{}</h1></header>)",
                       name);
    out += fmt::format("<main>\n<section class=\"panel\"><h2>{}</h2>", view::escapeMarkup(text.headline));
    if (!text.totals.empty()) out += fmt::format("<p>{}</p>", view::escapeMarkup(text.totals));
    for (const std::string& warning : text.warnings)
        out += fmt::format("<p class=\"bad\">Warning: {}</p>", view::escapeMarkup(warning));
    out += view::htmlTable(text.columns, text.rows, "transfers") + "</section>\n";
    appendList(out, "Counters that changed", text.counters, true);
    appendList(out, "Only in the base", text.onlyBase, false);
    appendList(out, "Only in the new session", text.onlyFresh, false);
    out += "</main></body></html>\n";
    return out;
}

} // namespace dormer::compare
