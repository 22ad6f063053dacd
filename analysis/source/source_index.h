// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/access/access_pattern.h"
#include "analysis/access/index_expression.h"
#include "analysis/session/model.h"
#include "analysis/source/source_text.h"

#include <array>
#include <map>
#include <set>

namespace dormer::source {

/// Where an index of a source text is evaluated: a function of it, in a launch.
struct IndexScope {
    const SourceText& source;
    const SourceText::Function& function;
    std::uint32_t line = 0; ///< of the access: what is declared later does not count
    std::map<std::string, std::string> templateArguments; ///< "kTile" -> "32"
};

/// An index with its names replaced by what they stand for, down to thread and block indices and numbers.
struct ResolvedIndex {
    access::IndexExpression expression;
    std::set<std::string> unknown; ///< parameters: the same for all threads, with values nobody knows
    std::set<std::string> loops;   ///< loop variables, at their first values
    std::uint32_t threadLine = 0;  ///< of the declaration where threadIdx comes in; 0: in the index itself
};
/// The value that stands for unknown parameters: odd, and larger than any block, so that a distance of
/// neighbours that has it in it can't be taken for a small one.
inline constexpr std::int64_t kUnknownValue = 1'000'003;

/// Absent for what is not plain: calls, indices read from memory, names without a value, floating point.
/// `unknownValue` stands for each parameter, `loopStep` is added to the first value of loop variables.
[[nodiscard]] std::optional<ResolvedIndex> resolveIndex(const IndexScope& scope, const std::string& text,
                                                        std::int64_t unknownValue = kUnknownValue,
                                                        std::int64_t loopStep = 0);
/// The value of an index that is the same for all threads and known: an array's dimension.
[[nodiscard]] std::optional<std::int64_t> constantValue(const IndexScope& scope, const std::string& text);

/// Template arguments of a kernel by the names that its definition gives them: those that are numbers.
[[nodiscard]] std::map<std::string, std::string> templateArgumentsOf(std::string_view kernelName,
                                                                     const SourceText::Function& function);

/// Elements that the lanes of a warp access. Absent when the index can't be evaluated.
struct LaneElements {
    std::uint32_t mask = 0;
    std::array<std::int64_t, access::kWarpLanes> element{};
};
[[nodiscard]] std::optional<LaneElements> elementsOf(const access::IndexExpression& index,
                                                     session::Dim3 block, session::Dim3 grid, unsigned warp,
                                                     session::Dim3 blockIndex = {0, 0, 0});

} // namespace dormer::source
