// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/recommendations.h"

#include "analysis/findings/finding_catalogue.h"

#include "analysis/findings/finding_places.h"
#include "analysis/metrics/format.h"
#include "analysis/view/number_column.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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
    const std::string scope = item.scope.empty() ? std::string() : "; " + item.scope;
    row.evidence += scope;
    if (finding.places.empty()) return row;
    // What the line shows and needs is more to the point than what the whole finding says.
    const FindingPlace& worst = finding.places.front();
    row.place = worst.place;
    if (!worst.what.empty()) row.evidence = worst.what + scope;
    if (!worst.change.empty())
        row.advice = sentence(worst.change) + std::string(lineInfoAdvice(finding.places));
    return row;
}

std::string countText(std::size_t count, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

Cell placeCell(const Finding& finding) {
    if (finding.places.empty())
        return missing("No line: the finding has none, or counts per line were not collected");
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

std::size_t openCount(const std::vector<Recommendation>& list) {
    const auto open = static_cast<std::size_t>(
        std::ranges::count_if(list, [](const Recommendation& each) { return each.item.gainNs.has_value(); }));
    return open > 0 ? open : list.size();
}

std::string foldedText(const std::vector<Recommendation>& list) {
    const std::size_t open = openCount(list);
    if (open == list.size()) return {};
    std::vector<std::pair<std::string, std::size_t>> titles;
    for (std::size_t i = open; i < list.size(); ++i) {
        auto known = std::ranges::find(titles, list[i].title, &std::pair<std::string, std::size_t>::first);
        if (known == titles.end()) known = titles.insert(known, {list[i].title, 0});
        ++known->second;
    }
    std::string text = countText(list.size() - open, "finding", "findings") + " without estimated savings";
    for (std::size_t i = 0; i < titles.size(); ++i)
        text +=
            fmt::format("{}{}{}", i == 0 ? ": " : ", ",
                        titles[i].second > 1 ? fmt::format("{} ", titles[i].second) : "", titles[i].first);
    return text;
}

std::string noRecommendations(const Session& session) {
    for (const session::Process& process : session.processes()) {
        if (process.signal)
            return fmt::format(
                "No recommendations: the program was ended by signal {}, and nothing stands out "
                "in what was collected before.",
                *process.signal);
        if (process.exitCode && *process.exitCode != 0)
            return fmt::format("No recommendations: the program failed with exit code {}, and nothing stands "
                               "out in what was collected before.",
                               *process.exitCode);
    }
    if (!session.launches().empty() && std::ranges::none_of(session.launches(), &session::Launch::counted))
        return "No recommendations: no launch has counters.";
    return std::string(kNoRecommendations);
}

std::string whyNoPlaces(const Session& session, const std::vector<Recommendation>& list) {
    static constexpr std::array kWithLines{std::string_view("uncoalesced-global-access"),
                                           std::string_view("misaligned-global-access"),
                                           std::string_view("shared-bank-conflicts"),
                                           std::string_view("local-memory-traffic"),
                                           std::string_view("register-spills"),
                                           std::string_view("broadcast-load"),
                                           std::string_view("redundant-lanes"),
                                           std::string_view("atomics-contention"),
                                           std::string_view("divergence")};
    const bool wanted = std::ranges::any_of(list, [](const Recommendation& each) {
        return each.item.finding.places.empty() &&
               std::ranges::find(kWithLines, each.item.finding.code) != kWithLines.end();
    });
    if (!wanted || session.hasLines()) return {};
    const bool imported = std::ranges::all_of(session.processes(), [](const session::Process& process) {
        return process.origin == session::Origin::Imported;
    });
    return imported ? std::string()
                    : "Collected without --lines: with it recommendations name their source lines.";
}

} // namespace dormer::view
