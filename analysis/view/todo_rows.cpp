// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/todo_rows.h"

#include "analysis/findings/finding_catalogue.h"
#include "analysis/metrics/format.h"
#include "analysis/report/report.h"
#include "analysis/view/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace dormer::view {

namespace {

constexpr std::size_t kMostSubjectColumns = 60;
constexpr std::size_t kMostTextColumns = 400;
constexpr std::size_t kTextColumns = 104; ///< of explanations in the terminal

/// As a sentence: begins with a capital, ends with a stop. Findings end theirs either way.
std::string sentence(std::string text) {
    if (text.empty()) return text;
    if (text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    if (!text.ends_with('.')) text += '.';
    return text;
}

/// Broken at blanks into lines of `columns`.
void appendWrapped(std::string& out, std::string_view text, std::size_t indent, std::size_t columns) {
    while (!text.empty()) {
        std::size_t end = text.size();
        while (displayWidth(text.substr(0, end)) > columns) {
            const std::size_t blank = text.rfind(' ', end - 1);
            if (blank == std::string_view::npos || blank == 0) break;
            end = blank;
        }
        out += std::string(indent, ' ') + std::string(text.substr(0, end)) + '\n';
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

std::string moreText(std::size_t hidden) {
    return hidden == 0 ? std::string() : fmt::format("{} more in the JSON", hidden);
}

} // namespace

ToDoRow toDoRow(const diagnosis::ToDo& item) {
    const findings::Finding& finding = item.finding;
    ToDoRow row{finding.title, item.subject, {}, {}, {}, finding.evidence, sentence(finding.advice)};
    row.gain = item.gainNs ? "−" + metrics::forPeople(*item.gainNs, metrics::Unit::Nanoseconds)
                           : metrics::forPeople(item.gainNs, metrics::Unit::Nanoseconds);
    if (item.gainNs) row.share = metrics::forPeople(item.share, metrics::Unit::Ratio);
    if (finding.places.empty()) return row;
    const findings::FindingPlace& worst = finding.places.front();
    row.place = worst.place;
    if (!worst.what.empty()) row.what = worst.what;
    if (!worst.change.empty())
        row.change = sentence(worst.change) + std::string(findings::lineInfoAdvice(finding.places));
    return row;
}

std::string whyNoPlaces(const session::Session& session) {
    if (session.hasLines() || session.launches().empty()) return {};
    const bool imported = std::ranges::all_of(session.processes(), [](const session::Process& process) {
        return process.origin == session::Origin::Imported;
    });
    return imported ? std::string() : "Collected without --lines: with it the items name their source lines.";
}

} // namespace dormer::view

namespace dormer::report {

using namespace view;

std::string toDoTableText(const diagnosis::Diagnosis& diagnosis, std::size_t most) {
    if (diagnosis.session().launches().empty() && diagnosis.session().transfers().empty()) return {};
    const std::vector<diagnosis::ToDo>& list = diagnosis.toDoList();
    if (list.empty()) return std::string(kNothingToDo) + '\n';
    std::vector<ToDoRow> rows;
    for (const diagnosis::ToDo& item : std::span(list).first(std::min(most, list.size())))
        rows.push_back(toDoRow(item));
    std::size_t gainWidth = 0, shareWidth = 0;
    for (const ToDoRow& row : rows) {
        gainWidth = std::max(gainWidth, displayWidth(row.gain));
        shareWidth = std::max(shareWidth, displayWidth(row.share));
    }
    std::string out = "What to do, and what it would win of the time:\n";
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const ToDoRow& row = rows[i];
        out += fmt::format("{:>2}  {}{}  {}{}  {}: {}{}{}\n", i + 1,
                           std::string(gainWidth - displayWidth(row.gain), ' '), row.gain,
                           std::string(shareWidth - displayWidth(row.share), ' '), row.share,
                           truncateMiddle(row.subject, kMostSubjectColumns), cleanText(row.title),
                           row.place.empty() ? "" : " at ", truncateMiddle(row.place, kMostSubjectColumns));
        const std::size_t indent = gainWidth + shareWidth + 8;
        appendWrapped(out, truncateMiddle(row.what, kMostTextColumns), indent, kTextColumns);
        // The same fault in the next kernel needs the same words only once.
        const auto before = std::span(rows).first(i);
        if (std::ranges::find(before, row.change, &ToDoRow::change) == before.end())
            appendWrapped(out, truncateMiddle(row.change, kMostTextColumns), indent, kTextColumns);
    }
    if (const std::string more = moreText(list.size() - rows.size()); !more.empty())
        out += "    " + more + '\n';
    if (const std::string why = whyNoPlaces(diagnosis.session()); !why.empty()) out += why + '\n';
    return out;
}

std::string toDoMarkdownText(const diagnosis::Diagnosis& diagnosis, std::size_t most) {
    if (diagnosis.session().launches().empty() && diagnosis.session().transfers().empty()) return {};
    const std::vector<diagnosis::ToDo>& list = diagnosis.toDoList();
    std::string out = "## What to do\n\n";
    if (list.empty()) return out + std::string(kNothingToDo) + "\n\n";
    for (std::size_t i = 0; i < std::min(most, list.size()); ++i) {
        const ToDoRow row = toDoRow(list[i]);
        out += fmt::format("{}. **{}** in {}", i + 1, escapeMarkdown(truncateMiddle(row.title, 120)),
                           escapeMarkdown(truncateMiddle(row.subject, kMostSubjectColumns)));
        if (!row.place.empty())
            out += " at " + escapeMarkdown(truncateMiddle(row.place, kMostSubjectColumns));
        if (!row.share.empty()) out += fmt::format(" ({}, {} of the time)", row.gain, row.share);
        const std::string what = sentence(escapeMarkdown(truncateMiddle(row.what, kMostTextColumns)));
        const std::string change = escapeMarkdown(truncateMiddle(row.change, kMostTextColumns));
        out += fmt::format(": {}{}{}\n", what, what.empty() || change.empty() ? "" : " ", change);
    }
    if (const std::string more = moreText(list.size() - std::min(most, list.size())); !more.empty())
        out += fmt::format("\n{}.\n", more);
    if (const std::string why = whyNoPlaces(diagnosis.session()); !why.empty()) out += '\n' + why + '\n';
    return out + '\n';
}

} // namespace dormer::report
