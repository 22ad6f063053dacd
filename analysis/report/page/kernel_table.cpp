// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/page/page.h"
#include "analysis/view/text.h"

#include <fmt/format.h>

namespace dormer::report::page {

namespace {

using view::KernelColumn;

/// A longer table scrolls by itself: what follows it should be found.
constexpr std::size_t kMostOpenRows = 40;
constexpr std::size_t kMostTipColumns = 400;

std::string headMarkup(const view::Column& column, KernelColumn which) {
    const std::string head = which == KernelColumn::Verdict ? "\n" : foldedHead(column);
    const std::size_t fold = head.find('\n');
    const std::string first = head.substr(0, fold), second = head.substr(fold + 1);
    return fmt::format(R"(<th scope="col"{}{} title="{}">{}{}</th>)",
                       which == KernelColumn::Name ? R"( class="left")" : "",
                       which == KernelColumn::Verdict ? ""
                       : column.numeric               ? R"( data-sort="number")"
                                                      : R"( data-sort="text")",
                       view::escapeMarkup(column.tooltip),
                       column.metric.empty() ? view::escapeMarkup(first) : metricLink(column.metric, first),
                       second.empty() ? "" : " <br/>" + view::escapeMarkup(second));
}

std::string nameMarkup(const view::KernelRow& row, std::size_t index) {
    const std::string full = fullLabel(row), shown = view::truncateMiddle(row.label, 120);
    return fmt::format(
        R"(<td class="left name"{}><a href="#k{}">{}</a>{}</td>)",
        full == row.label && shown == full
            ? ""
            : fmt::format(R"( title="{}")", view::escapeMarkup(view::truncateMiddle(full, kMostTipColumns))),
        index, view::escapeMarkup(shown),
        row.qualifier.empty() ? "" : fmt::format(R"( <span class="muted">({})</span>)", row.qualifier));
}

std::string cellMarkup(const view::Cell& cell) {
    std::string out = "<td";
    if (cell.emphasis == view::Emphasis::Bad) out += R"( class="gain")";
    out += cell.value ? fmt::format(R"( data-v="{:.9g}")", *cell.value) : std::string(R"( data-v="")");
    if (!cell.tooltip.empty()) out += fmt::format(R"( title="{}")", view::escapeMarkup(cell.tooltip));
    return out + ">" + view::escapeMarkup(cell.text) + "</td>";
}

void appendRow(std::string& out, const view::KernelRow& row, std::size_t index) {
    out += fmt::format(R"(<tr data-row="{}"><td>{}</td>)", index, inlineMark(row.verdict.bound));
    out += nameMarkup(row, index);
    for (std::size_t column = raw(KernelColumn::Calls); column < row.cells.size(); ++column)
        out += cellMarkup(row.cells[column]);
    out += "</tr>\n";
}

} // namespace

std::string metricLink(std::string_view name, std::string_view text) {
    const metrics::Metric* metric = metrics::findMetric(name);
    if (!metric) return view::escapeMarkup(text);
    return fmt::format(R"(<a class="def" href="#m-{}" title="{}">{}</a>)", metric->name,
                       view::escapeMarkup(metric->meaning), view::escapeMarkup(text));
}

std::string kernelTable(const view::KernelRows& rows) {
    std::string out = fmt::format(
        R"(<section class="panel" aria-label="Kernels"><div class="panel-head"><h2>Kernels</h2><span class="muted">grouped by kernel and launch configuration</span>)"
        R"(<input class="filter right" type="search" placeholder="filter kernels" aria-label="filter kernels"></div>)"
        R"(<div class="scroll{}"><table class="kernels"><thead><tr>)",
        rows.rows.size() > kMostOpenRows ? " long" : "");
    for (std::size_t i = 0; i < rows.columns.size(); ++i)
        out += headMarkup(rows.columns[i], static_cast<KernelColumn>(i));
    out += "</tr></thead><tbody>\n";
    for (std::size_t i = 0; i < rows.rows.size(); ++i)
        appendRow(out, rows.rows[i], i);
    out += "</tbody></table></div>";
    if (rows.groups > rows.rows.size())
        out += fmt::format(
            R"(<p class="muted">The {} kernels with the most time, of {}; the others are in the CSV and JSON exports.</p>)",
            rows.rows.size(), rows.groups);
    if (rows.rows.size() > kMostCards)
        out += fmt::format(R"(<p class="muted">Evidence is here for the {} kernels with the most time.</p>)",
                           kMostCards);
    return out + R"(<p class="muted screen"><a href="#definitions">What the columns mean</a></p></section>)";
}

} // namespace dormer::report::page
