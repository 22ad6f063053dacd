// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/recommendations.h"

#include "analysis/report/report.h"
#include "analysis/view/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace dormer::report {

using view::Recommendation;
using view::truncateMiddle;

namespace {

constexpr std::size_t kMostSubjectColumns = 60;
constexpr std::size_t kMostTextColumns = 400;
constexpr std::size_t kTextColumns = 104; ///< of explanations in the terminal

/// Broken at blanks into lines of `columns`.
void appendWrapped(std::string& out, std::string_view text, std::size_t indent, std::size_t columns) {
    while (!text.empty()) {
        std::size_t end = text.size();
        while (view::displayWidth(text.substr(0, end)) > columns) {
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

/// Whether anything ran that there could be recommendations for.
bool ranNothing(const session::Session& session) {
    return session.launches().empty() && session.transfers().empty();
}

std::string ended(std::string text) {
    return text.empty() || text.ends_with('.') ? text : text + '.';
}

} // namespace

std::string toDoTableText(const diagnosis::Diagnosis& diagnosis, std::size_t most) {
    if (ranNothing(diagnosis.session())) return {};
    const std::vector<Recommendation> list = view::recommendations(diagnosis);
    if (list.empty()) return view::noRecommendations(diagnosis.session()) + '\n';
    const std::size_t open = view::openCount(list);
    const auto rows = std::span(list).first(std::min(most, open));
    std::size_t savingsWidth = 0, shareWidth = 0;
    for (const Recommendation& row : rows) {
        savingsWidth = std::max(savingsWidth, view::displayWidth(row.savings));
        shareWidth = std::max(shareWidth, view::displayWidth(row.share));
    }
    const auto padded = [](const std::string& text, std::size_t width) {
        return std::string(width - view::displayWidth(text), ' ') + text;
    };
    std::string out = fmt::format("{}:\n", view::kRecommendationsTitle);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Recommendation& row = rows[i];
        out += fmt::format("{:>2}  {}  {}  {}: {}{}{}\n", i + 1, padded(row.savings, savingsWidth),
                           padded(row.share, shareWidth), truncateMiddle(row.kernel, kMostSubjectColumns),
                           view::cleanText(row.title), row.place.empty() ? "" : " at ",
                           truncateMiddle(row.place, kMostSubjectColumns));
        const std::size_t indent = savingsWidth + shareWidth + 8;
        appendWrapped(out, truncateMiddle(row.evidence, kMostTextColumns), indent, kTextColumns);
        // The same fault in the next kernel needs the same words only once.
        const auto before = rows.first(i);
        if (std::ranges::find(before, row.advice, &Recommendation::advice) == before.end())
            appendWrapped(out, truncateMiddle(row.advice, kMostTextColumns), indent, kTextColumns);
    }
    if (const std::string more = moreText(open - rows.size()); !more.empty()) out += "    " + more + '\n';
    if (const std::string folded = view::foldedText(list); !folded.empty())
        appendWrapped(out, folded, 0, kTextColumns);
    if (const std::string why = view::whyNoPlaces(diagnosis.session(), list); !why.empty()) out += why + '\n';
    return out;
}

std::string toDoMarkdownText(const diagnosis::Diagnosis& diagnosis, std::size_t most) {
    if (ranNothing(diagnosis.session())) return {};
    const std::vector<Recommendation> list = view::recommendations(diagnosis);
    std::string out = fmt::format("## {}\n\n", view::kRecommendationsTitle);
    if (list.empty()) return out + view::noRecommendations(diagnosis.session()) + "\n\n";
    const auto escaped = [](std::string_view text, std::size_t columns) {
        return view::escapeMarkdown(truncateMiddle(text, columns));
    };
    const std::size_t open = view::openCount(list);
    const auto rows = std::span(list).first(std::min(most, open));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Recommendation& row = rows[i];
        out += fmt::format("{}. **{}** in {}", i + 1, escaped(row.title, 120),
                           escaped(row.kernel, kMostSubjectColumns));
        if (!row.place.empty()) out += " at " + escaped(row.place, kMostSubjectColumns);
        if (!row.share.empty()) out += fmt::format(" ({}, {} of the time)", row.savings, row.share);
        const std::string evidence = ended(escaped(row.evidence, kMostTextColumns));
        const std::string advice = escaped(row.advice, kMostTextColumns);
        out += fmt::format(": {}{}{}\n", evidence, evidence.empty() || advice.empty() ? "" : " ", advice);
    }
    if (const std::string more = moreText(open - rows.size()); !more.empty())
        out += fmt::format("\n{}.\n", more);
    if (const std::string folded = view::foldedText(list); !folded.empty())
        out += fmt::format("\n{}.\n", view::escapeMarkdown(folded));
    if (const std::string why = view::whyNoPlaces(diagnosis.session(), list); !why.empty())
        out += '\n' + why + '\n';
    return out + '\n';
}

} // namespace dormer::report
