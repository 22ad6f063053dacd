// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/painted_cells.h"

#include <regex>
#include <sstream>

namespace dormer::tests {

namespace {

/// Lines between the one that starts with `head` and the next blank one.
std::vector<std::string> linesBelow(const std::string& text, std::string_view head) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    bool inside = false;
    for (std::string line; std::getline(in, line);) {
        if (inside && line.empty()) break;
        if (inside) lines.push_back(line);
        inside = inside || line.starts_with(head);
    }
    return lines;
}

std::vector<std::string> split(std::string line, const std::string& separator) {
    std::vector<std::string> parts;
    const std::regex pattern(separator);
    for (std::sregex_token_iterator at(line.begin(), line.end(), pattern, -1), end; at != end; ++at)
        parts.push_back(*at);
    return parts;
}

std::string wordOfMark(const std::string& cell) { // "● memory"
    return cell.substr(cell.find(' ') + 1);
}

std::string unescaped(std::string text) {
    for (const auto& [from, to] :
         {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}, {"&amp;", "&"}})
        text = std::regex_replace(text, std::regex(from), to);
    return text;
}

} // namespace

CellTexts decidedCells(const view::KernelRows& rows) {
    CellTexts texts;
    for (const view::KernelRow& row : rows.rows) {
        texts.emplace_back();
        for (const view::Cell& cell : row.cells)
            texts.back().push_back(cell.text);
    }
    return texts;
}

CellTexts terminalCells(const std::string& table) {
    CellTexts texts;
    for (const std::string& line : linesBelow(table, "verdict ")) {
        texts.push_back(split(line, " {2,}"));
        texts.back().resize(view::kKernelColumns); // blank cells at the end are not printed
        texts.back().front() = wordOfMark(texts.back().front());
    }
    return texts;
}

CellTexts markdownCells(const std::string& markdown) {
    CellTexts texts;
    for (const std::string& line : linesBelow(markdown, "| verdict |")) {
        if (line.starts_with("|:")) continue;
        std::vector<std::string> cells = split(line.substr(2, line.size() - 4), " \\| ");
        for (std::string& cell : cells)
            cell = std::regex_replace(cell, std::regex(R"(\\(.))"), "$1");
        cells.resize(view::kKernelColumns);
        cells.front() = wordOfMark(cells.front());
        texts.push_back(std::move(cells));
    }
    return texts;
}

CellTexts pageCells(const std::string& html) {
    CellTexts texts;
    std::istringstream table(html.substr(html.find("<table class=\"kernels\">")));
    const std::regex cellPattern("<td[^>]*>(.*?)</td>"), tag("<[^>]*>");
    for (std::string line; std::getline(table, line) && line.find("</table>") == std::string::npos;) {
        const std::size_t row = line.find("<tr data-row=");
        if (row == std::string::npos) continue;
        texts.emplace_back();
        line.erase(0, row);
        for (std::sregex_iterator at(line.begin(), line.end(), cellPattern), end; at != end; ++at)
            texts.back().push_back(unescaped(std::regex_replace((*at)[1].str(), tag, "")));
    }
    return texts;
}

} // namespace dormer::tests
