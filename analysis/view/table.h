// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/verdict/verdict.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What a screen or a page shows, as plain values: terminal, Markdown, page and app only paint it.
namespace dormer::view {

/// Bad: excess, or what fixing it saves. Missing: a dash.
enum class Emphasis { None, Bad, Missing };

/// Texts are UTF-8 and may hold names from outside: painters clean and escape them.
struct Cell {
    std::string text;
    std::optional<double> value{}; ///< sort key in base SI units; absent sorts last
    std::string tooltip{};         ///< plain text: why there is a dash, or more than fits; may be empty
    std::optional<double> bar{};   ///< 0..1, drawn under the text
    Emphasis emphasis = Emphasis::None;
    bool operator==(const Cell&) const = default;
};

struct Column {
    std::string title;         ///< "est. savings"
    std::string unit{};        ///< of every cell: "ms", "%", "% of roof"; may be empty
    std::string tooltip{};     ///< plain text: what the column means
    bool numeric = false;      ///< right-aligned, sorted by value
    std::string_view metric{}; ///< of the catalogue, whose definition explains the column; may be empty
    std::string widest{};      ///< no cell has a wider text: for tables whose cells are made on demand
    bool operator==(const Column&) const = default;
};

struct Row {
    std::vector<Cell> cells;
    std::string key{};                     ///< what a choice of this row means; several rows may share one
    std::optional<verdict::Bound> bound{}; ///< marker before the first cell
    bool strong = false;
    bool operator==(const Row&) const = default;
};

struct Table {
    std::vector<Column> columns;
    std::vector<Row> rows;
    bool operator==(const Table&) const = default;
};

/// What stands where a number is not known.
inline constexpr std::string_view kDash = "–";

/// "est. savings, ms"
[[nodiscard]] std::string headText(const Column& column);
/// The same in two lines of about one length, "est.\nsavings, ms"; the second is empty where there is one
/// word.
[[nodiscard]] std::string foldedHead(const Column& column);

} // namespace dormer::view
