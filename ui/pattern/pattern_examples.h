// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/access/lane_pattern.h"

#include <optional>
#include <span>
#include <string_view>

/// What the pattern panel offers to begin with, and what its fields say. Plain C++.
namespace dormer::ui::pattern {

struct PatternExample {
    std::string_view title;   ///< "one address for all"
    std::string_view teaches; ///< "1 sector, 12.5 % used"
    access::PatternQuestion question;
};
/// The textbook accesses of a warp: the rows of the table in docs/metrics.md, then shared memory.
[[nodiscard]] std::span<const PatternExample> patternExamples();

struct ElementType {
    std::string_view name; ///< "float4", as analysis::widthOfType knows it
    unsigned bytes = 0;
};
/// One of each width that an access may have.
[[nodiscard]] std::span<const ElementType> elementTypes();

/// "256", "32x8", "8 x 8 x 4"; absent for other text and for sizes of 0.
[[nodiscard]] std::optional<session::Dim3> blockFromText(std::string_view text);
/// What blockFromText reads: "256", "32x8".
[[nodiscard]] std::string blockText(session::Dim3 block);

} // namespace dormer::ui::pattern
