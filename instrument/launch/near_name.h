// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dormer::instrument::launch {

/// Least number of inserted, deleted, replaced or swapped neighbouring characters between two words (optimal
/// string alignment), ignoring case.
[[nodiscard]] std::size_t editDistance(std::string_view a, std::string_view b);

/// At most `count` of the names a person may have meant, nearest first: a few slips away, or holding what was
/// typed. Empty when nothing is near.
[[nodiscard]] std::vector<std::string>
nearNames(std::string_view typed, const std::vector<std::string>& names, std::size_t count = 3);

/// "; did you mean a, b or c?", or nothing when nothing is near: the end of an error message.
[[nodiscard]] std::string didYouMean(std::string_view typed, const std::vector<std::string>& names);

} // namespace dormer::instrument::launch
