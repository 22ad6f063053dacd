// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/recommendations.h"

#include "analysis/findings/finding_places.h"
#include "analysis/metrics/format.h"
#include "analysis/view/number_column.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace dormer::view {

using diagnosis::Diagnosis;
using diagnosis::ToDo;
using findings::Finding;
using findings::FindingPlace;
using metrics::Unit;
using session::Session;

namespace {

/// As a sentence: begins with a capital, ends with a stop. Findings end theirs either way.
std::string sentence(std::string text) {
    if (text.empty()) return text;
    if (text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    if (!text.ends_with('.')) text += '.';
    return text;
}

Recommendation inWords(const ToDo& item, const NumberScale& scale) {
    const Finding& finding = item.finding;
    Recommendation row{.title = finding.title,
                       .kernel = item.subject,
                       .savings = std::string(kDash),
                       .evidence = finding.evidence,
                       .advice = sentence(finding.advice),
                       .key = finding.code + '|' + item.subject,
                       .item = item};
    if (item.gainNs) {
        row.savings = savingsText(scale, *item.gainNs);
        row.share = metrics::forPeople(item.share, Unit::Ratio);
    }
    if (finding.places.empty()) return row;
    // What the line shows and needs is more to the point than what the whole finding says.
    const FindingPlace& worst = finding.places.front();
    row.place = worst.place;
    if (!worst.what.empty()) row.evidence = worst.what;
    if (!worst.change.empty())
        row.advice = sentence(worst.change) + std::string(lineInfoAdvice(finding.places));
    return row;
}

std::string countText(std::size_t count, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

Cell placeCell(const Finding& finding) {
    if (finding.places.empty())
        return missing("No line: the finding has none, or counts per line were not collected (--lines)");
    const FindingPlace& first = finding.places.front();
    std::string tooltip = fmt::format("{}: {}", first.place, first.what);
    if (!first.chain.empty()) tooltip += '\n' + first.chain;
    if (finding.places.size() > 1)
        tooltip += "\nand " + countText(finding.places.size() - 1, "more line", "more lines");
    return {.text = first.place, .tooltip = std::move(tooltip)};
}

} // namespace

std::vector<Recommendation> recommendations(const Diagnosis& diagnosis) {
    const std::vector<ToDo>& items = diagnosis.toDoList();
    std::vector<double> gains;
    for (const ToDo& item : items)
        if (item.gainNs) gains.push_back(*item.gainNs);
    const NumberScale scale = scaleFor(Unit::Nanoseconds, gains);
    std::unordered_map<std::string, std::size_t> keys;
    std::vector<Recommendation> list;
    for (const ToDo& item : items) {
        Recommendation& row = list.emplace_back(inWords(item, scale));
        if (const std::size_t again = keys[row.key]++; again > 0) row.key += fmt::format("|{}", again);
    }
    return list;
}

Table recommendationTable(const std::vector<Recommendation>& list) {
    double most = 0;
    for (const Recommendation& each : list)
        most = std::max(most, each.item.share);
    Table table;
    table.columns = {
        {.title = "#", .tooltip = "By the estimated time saved over the whole session", .numeric = true},
        {.title = "finding", .tooltip = "What was found"},
        {.title = "kernel",
         .tooltip = "Launches of one kernel and configuration, or the workload of a transfer"},
        {.title = "line", .tooltip = "The line that wastes most: a click shows it"},
        {.title = "est. savings",
         .tooltip = "Estimated time saved over all launches of the kernel",
         .numeric = true},
        {.title = "share",
         .tooltip = "The same as a share of the time of all kernels and transfers",
         .numeric = true}};
    for (const Recommendation& each : list) {
        const ToDo& item = each.item;
        const double rank = static_cast<double>(table.rows.size() + 1);
        Cell savings = missing("No reliable estimate"), share = savings;
        if (item.gainNs) {
            savings = {.text = each.savings, .value = item.gainNs, .emphasis = Emphasis::Bad};
            share = {.text = each.share,
                     .value = item.share,
                     .bar = most > 0 ? std::optional(item.share / most) : std::nullopt};
        }
        table.rows.push_back(
            {.cells = {{.text = fmt::format("{:.0f}", rank), .value = rank},
                       {.text = each.title, .tooltip = each.evidence + '\n' + each.advice},
                       {.text = each.kernel,
                        .tooltip =
                            item.launches > 0 ? countText(item.launches, "launch", "launches") : each.kernel},
                       placeCell(item.finding),
                       std::move(savings),
                       std::move(share)},
             .key = each.key});
    }
    return table;
}

std::string whyNoPlaces(const Session& session) {
    if (session.hasLines() || session.launches().empty()) return {};
    const bool imported = std::ranges::all_of(session.processes(), [](const session::Process& process) {
        return process.origin == session::Origin::Imported;
    });
    return imported ? std::string()
                    : "Collected without --lines: with it recommendations name their source lines.";
}

} // namespace dormer::view
