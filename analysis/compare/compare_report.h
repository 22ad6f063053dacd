// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/compare/comparison.h"
#include "analysis/view/text_table.h"

#include <nlohmann/json_fwd.hpp>

namespace dormer::compare {

/// What a comparison says in words, the same in all formats.
struct ComparisonText {
    std::string headline;              ///< "3 kernels faster, 1 slower, 4 same, 2 unsure"
    std::string totals;                ///< time of the kernels of both sides
    std::vector<std::string> warnings; ///< why times may not be comparable
    std::vector<view::TextColumn> columns;
    std::vector<view::TextRow> rows;              ///< one per matched kernel
    std::vector<std::string> counters;            ///< a line per kernel whose counters changed
    std::vector<std::string> onlyBase, onlyFresh; ///< labels
};
[[nodiscard]] ComparisonText textOf(const Comparison& comparison);

[[nodiscard]] std::string compareTableText(const Comparison& comparison);
/// For pull requests: kernels that changed in the open, others folded.
[[nodiscard]] std::string compareMarkdownText(const Comparison& comparison);
/// Everything, counters included (docs/compare.md).
[[nodiscard]] nlohmann::json compareJson(const Comparison& comparison);

} // namespace dormer::compare
