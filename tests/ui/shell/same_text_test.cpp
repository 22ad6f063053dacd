// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Terminal, Markdown, page and app say the same of one session: each is read back from what it painted.
#include "analysis/report/report.h"
#include "tests/support/catch.h"
#include "tests/support/sample_session.h"
#include "tests/support/source_session.h"
#include "tests/support/suite_session.h"
#include "tests/ui/app_support.h"
#include "ui/sessions/session_hub.h"
#include "ui/tables/fact_table.h"
#include "ui/todo/todo_feed.h"
#include "ui/todo/todo_view.h"

#include "ui/transfers/transfers_view.h"
#include <QCheckBox>

#include <regex>
#include <sstream>

using namespace dormer;

namespace {

using Line = std::vector<std::string>;
using Lines = std::vector<Line>;

std::string replaced(std::string text, const char* pattern, const char* by) {
    return std::regex_replace(text, std::regex(pattern), by);
}

std::string trimmed(const std::string& text) {
    return replaced(text, "^\\s+|\\s+$", "");
}

/// Markup's text: without tags, entities as characters.
std::string plain(std::string markup) {
    markup = replaced(std::move(markup), "<[^>]*>", "");
    for (const auto& [entity, character] :
         {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}, {"&amp;", "&"}})
        markup = replaced(std::move(markup), entity, character);
    return trimmed(markup);
}

Line split(const std::string& text, const char* separator) {
    const std::regex pattern(separator);
    return {std::sregex_token_iterator(text.begin(), text.end(), pattern, -1), {}};
}

Lines inApp(const ui::tables::FactTable& table) {
    Lines lines;
    for (const QString& line : table.asText().split('\n', Qt::SkipEmptyParts)) {
        Line& cells = lines.emplace_back();
        for (const QString& cell : line.split('\t'))
            cells.push_back(cell.toStdString());
    }
    return lines;
}

/// The blocks of lines that empty ones part, their cells parted by two blanks or more.
std::vector<Lines> inTerminal(const std::string& text) {
    std::vector<Lines> blocks(1);
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        if (line.empty())
            blocks.emplace_back();
        else
            blocks.back().push_back(split(line, "  +"));
    }
    return blocks;
}

std::vector<Lines> inMarkdown(const std::string& text) {
    std::vector<Lines> tables;
    bool inside = false;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        const bool row = line.starts_with("| ");
        if (row && !inside) tables.emplace_back();
        if (row) {
            Line& cells = tables.back().emplace_back();
            for (const std::string& cell : split(line.substr(1), "\\|"))
                cells.push_back(trimmed(replaced(cell, "\\\\", "")));
        }
        inside = line.starts_with('|');
    }
    return tables;
}

std::vector<Lines> onPage(const std::string& html) {
    std::vector<Lines> tables;
    const std::string opening = "<table class=\"transfers\">";
    for (std::size_t at = html.find(opening); at != std::string::npos; at = html.find(opening, at + 1)) {
        const std::string table = html.substr(at, html.find("</table>", at) - at);
        Lines& lines = tables.emplace_back();
        for (const std::string& row : split(table, "</tr>")) {
            Line cells;
            for (const std::string& cell : split(row, "</t[hd]>"))
                if (cell.find("<t") != std::string::npos) cells.push_back(plain(cell));
            if (cells.size() > 1) lines.push_back(std::move(cells));
        }
    }
    return tables;
}

/// What every painter says of a recommendation.
struct Said {
    std::string title, kernel, place, savings, share;
    bool operator==(const Said&) const = default;
};

[[maybe_unused]] std::ostream& operator<<(std::ostream& out, const Said& said) {
    return out << said.kernel << ": " << said.title << " at '" << said.place << "' " << said.savings << ' '
               << said.share;
}

std::vector<Said> recommendedInApp(const ui::tables::FactTable& table) {
    std::vector<Said> all;
    Lines lines = inApp(table);
    lines.erase(lines.begin()); // heads
    for (const Line& cells : lines) {
        const auto known = [&](std::size_t i) { return cells[i] == "–" ? std::string() : cells[i]; };
        all.push_back({cells[1], cells[2], known(3), known(4), known(5)});
    }
    return all;
}

std::vector<Said> recommendedInTerminal(const std::string& text) {
    std::vector<Said> all;
    const std::regex item("^ *\\d+  +(–|−\\S+ \\S+)  +(\\S+ %)? *(.*?): (.*?)(?: at (\\S+:\\d+))?$");
    std::istringstream in(text);
    std::smatch found;
    for (std::string line; std::getline(in, line);)
        if (std::regex_match(line, found, item))
            all.push_back({found[4], found[3], found[5], found[1] == "–" ? "" : found[1].str(), found[2]});
    return all;
}

std::vector<Said> recommendedOnPage(const std::string& html) {
    std::vector<Said> all;
    const std::size_t begin = html.find("<ol class=\"todo\"");
    const std::string list = html.substr(begin, html.find("</section>", begin) - begin);
    const std::regex item("<li><span><strong>(.*?)</strong> in (.*?)</span>(<span class=\"(?:gain|muted).*?)"
                          "</span><span class=\"muted\">.*?</span><span class=\"muted nowrap share\">(.*?)"
                          "</span><span class=\"change\">.*?</span></li>");
    for (std::sregex_iterator at(list.begin(), list.end(), item), end; at != end; ++at) {
        const Line where = split(replaced((*at)[2], " at <(?:a|span) class=\"place\"", "\x1f<a"), "\x1f");
        const std::string savings = plain((*at)[3]);
        all.push_back({plain((*at)[1]), plain(where[0]), where.size() > 1 ? plain(where[1]) : "",
                       savings == "–" ? "" : savings, plain((*at)[4])});
    }
    return all;
}

} // namespace

TEST_CASE("transfers read the same in terminal, Markdown, page and app", "[same_text]") {
    const bool emulated = GENERATE(false, true);
    const session::Session session = emulated ? tests::emulatedTransfers() : tests::suiteSession();
    ui::sessions::SessionHub hub;
    ui::transfers::TransfersView view(hub);
    hub.setSession(session);
    const Lines transfers = inApp(view.transfers()), calls = inApp(view.memoryCalls());
    REQUIRE(transfers.size() > 1);
    REQUIRE(calls.size() > 1);

    const diagnosis::Diagnosis diagnosis(session);
    const auto terminal = inTerminal(report::transfersTableText(diagnosis));
    REQUIRE(terminal.size() >= 2);
    CHECK(terminal[0] == transfers);
    CHECK(terminal[1] == calls);
    const auto markdown = inMarkdown(report::transfersMarkdownText(diagnosis));
    REQUIRE(markdown.size() == 2);
    CHECK(markdown[0] == transfers);
    CHECK(markdown[1] == calls);
    const auto page = onPage(report::htmlReport(diagnosis, "same"));
    REQUIRE(page.size() == 2);
    CHECK(page[0] == transfers);
    CHECK(page[1] == calls);
}

TEST_CASE("recommendations read the same in terminal, page and app", "[same_text]") {
    const bool withLines = GENERATE(false, true);
    const session::Session session = withLines ? tests::sourceSession() : tests::sampleSession();
    ui::sessions::SessionHub hub;
    ui::todo::ToDoFeed feed(hub);
    ui::todo::ToDoView view(hub, feed);
    hub.setSession(session);
    feed.flush();
    const std::vector<Said> open = recommendedInApp(view.table());
    view.findChild<QCheckBox*>("folded")->setChecked(true);
    const std::vector<Said> app = recommendedInApp(view.table());
    REQUIRE_FALSE(open.empty());

    const diagnosis::Diagnosis diagnosis(session);
    CHECK(recommendedInTerminal(report::toDoTableText(diagnosis, app.size())) == open);
    CHECK(recommendedOnPage(report::htmlReport(diagnosis, "same")) == app);
}
