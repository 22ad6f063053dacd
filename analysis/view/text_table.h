// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/view/table.h"

#include <string>
#include <string_view>
#include <vector>

namespace dormer::view {

struct TextColumn {
    std::string title; ///< of one line, or of two where alignedTable sets it
    bool rightAligned = false;
};
using TextRow = std::vector<std::string>;

struct TextCells {
    std::vector<TextColumn> columns;
    std::vector<TextRow> rows;
};
/// Cleaned texts of a table, none wider than `most` columns. Strong rows end with `mark`, in a column of its
/// own.
[[nodiscard]] TextCells textCells(const Table& table, std::string_view mark, std::size_t most = 40);

/// Of the wider line of its title.
[[nodiscard]] std::size_t headWidth(const TextColumn& column);

/// Columns two blanks apart, a head first; no trailing blanks. Cells are clean text; a short row ends early.
[[nodiscard]] std::string alignedTable(const std::vector<TextColumn>& columns,
                                       const std::vector<TextRow>& rows);
/// The same as a Markdown table; cells are escaped here.
[[nodiscard]] std::string markdownTable(const std::vector<TextColumn>& columns,
                                        const std::vector<TextRow>& rows);
/// The same for the HTML report; cells are escaped here. `cssClass` of the table may be empty.
[[nodiscard]] std::string htmlTable(const std::vector<TextColumn>& columns, const std::vector<TextRow>& rows,
                                    std::string_view cssClass);

/// Rows that a text shows of a long table.
inline constexpr std::size_t kMostTextRows = 80;
/// The first rows of a table; long cells lose their middle.
[[nodiscard]] std::string alignedTable(const Table& table);
[[nodiscard]] std::string markdownTable(const Table& table);
[[nodiscard]] std::string htmlTable(const Table& table, std::string_view cssClass);

} // namespace dormer::view
