// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/view/kernel_rows.h"

namespace dormer::tests {

/// Rows of the kernel table as texts, by view::KernelColumn; the verdict by its word.
using CellTexts = std::vector<std::vector<std::string>>;

[[nodiscard]] CellTexts decidedCells(const view::KernelRows& rows);
/// As a terminal, wide enough for all columns, Markdown and the HTML report paint them; the page draws the
/// verdict, its text is empty. Names must not hold two blanks in a row.
[[nodiscard]] CellTexts terminalCells(const std::string& table);
[[nodiscard]] CellTexts markdownCells(const std::string& markdown);
[[nodiscard]] CellTexts pageCells(const std::string& html);

} // namespace dormer::tests
