// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/text_table.h"

#include "analysis/view/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace dormer::view {

namespace {

/// "time\nms" is two lines of a head.
std::pair<std::string_view, std::string_view> linesOf(std::string_view title) {
    const std::size_t fold = title.find('\n');
    if (fold == std::string_view::npos) return {title, {}};
    return {title.substr(0, fold), title.substr(fold + 1)};
}

} // namespace

TextCells textCells(const Table& table, std::string_view mark, std::size_t most) {
    TextCells cells;
    for (const Column& column : table.columns)
        cells.columns.push_back({truncateMiddle(headText(column), most), column.numeric});
    for (const Row& row : table.rows) {
        TextRow& texts = cells.rows.emplace_back();
        for (const Cell& cell : row.cells)
            texts.push_back(truncateMiddle(cell.text, most));
        if (row.strong) texts.emplace_back(mark);
    }
    if (std::ranges::any_of(table.rows, &Row::strong)) cells.columns.push_back({"", false});
    return cells;
}

std::size_t headWidth(const TextColumn& column) {
    const auto [first, second] = linesOf(column.title);
    return std::max(displayWidth(first), displayWidth(second));
}

namespace {

constexpr std::size_t kMostCellColumns = 48;

std::vector<TextColumn> headsOf(const Table& table) {
    std::vector<TextColumn> heads;
    for (const Column& column : table.columns)
        heads.push_back({headText(column), column.numeric});
    return heads;
}

std::vector<TextRow> firstRows(const Table& table) {
    std::vector<TextRow> texts;
    for (const Row& row : table.rows) {
        if (texts.size() == kMostTextRows) break;
        TextRow& cells = texts.emplace_back();
        for (const Cell& cell : row.cells)
            cells.push_back(truncateMiddle(cell.text, kMostCellColumns));
    }
    return texts;
}

} // namespace

std::string alignedTable(const Table& table) {
    return alignedTable(headsOf(table), firstRows(table));
}

std::string markdownTable(const Table& table) {
    return markdownTable(headsOf(table), firstRows(table));
}

std::string htmlTable(const Table& table, std::string_view cssClass) {
    return htmlTable(headsOf(table), firstRows(table), cssClass);
}

std::string alignedTable(const std::vector<TextColumn>& columns, const std::vector<TextRow>& rows) {
    std::vector<std::size_t> widths;
    for (const TextColumn& column : columns)
        widths.push_back(headWidth(column));
    for (const TextRow& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], displayWidth(row[i]));

    std::string out;
    const auto append = [&](std::size_t cells, const auto& cellAt) {
        std::string line;
        for (std::size_t i = 0; i < cells; ++i) {
            if (i > 0) line += "  ";
            const std::string_view cell = cellAt(i);
            const std::string pad(widths[i] - displayWidth(cell), ' ');
            if (columns[i].rightAligned) line += pad;
            line += cell;
            if (!columns[i].rightAligned) line += pad;
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + '\n';
    };
    append(columns.size(), [&](std::size_t i) { return linesOf(columns[i].title).first; });
    if (std::ranges::any_of(columns,
                            [](const TextColumn& each) { return !linesOf(each.title).second.empty(); }))
        append(columns.size(), [&](std::size_t i) { return linesOf(columns[i].title).second; });
    for (const TextRow& row : rows)
        append(row.size(), [&](std::size_t i) { return std::string_view(row[i]); });
    return out;
}

std::string markdownTable(const std::vector<TextColumn>& columns, const std::vector<TextRow>& rows) {
    std::string head = "|", rule = "|";
    for (const TextColumn& column : columns) {
        head += fmt::format(" {} |", escapeMarkdown(column.title));
        rule += column.rightAligned ? "--:|" : ":--|";
    }
    std::string out = head + '\n' + rule + '\n';
    for (const TextRow& row : rows) {
        out += '|';
        for (std::size_t i = 0; i < columns.size(); ++i)
            out += fmt::format(" {} |", i < row.size() ? escapeMarkdown(row[i]) : std::string());
        out += '\n';
    }
    return out;
}

std::string htmlTable(const std::vector<TextColumn>& columns, const std::vector<TextRow>& rows,
                      std::string_view cssClass) {
    const auto left = [&](std::size_t i) { return columns[i].rightAligned ? "" : R"( class="left")"; };
    std::string out = fmt::format(R"(<div class="scroll"><table{}><thead><tr>)",
                                  cssClass.empty() ? "" : fmt::format(R"( class="{}")", cssClass));
    for (std::size_t i = 0; i < columns.size(); ++i)
        out += fmt::format(R"(<th scope="col"{}>{}</th>)", left(i), escapeMarkup(columns[i].title));
    out += "</tr></thead><tbody>\n";
    for (const TextRow& row : rows) {
        out += "<tr>";
        for (std::size_t i = 0; i < columns.size(); ++i)
            out += fmt::format("<td{}>{}</td>", left(i), i < row.size() ? escapeMarkup(row[i]) : "");
        out += "</tr>\n";
    }
    return out + "</tbody></table></div>";
}

} // namespace dormer::view
