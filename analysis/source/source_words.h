// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Words, blanks and brackets of C++ text; none of it knows what they mean.
namespace dormer::source {

/// Where something was looked for and is not.
inline constexpr auto kNone = std::string_view::npos;

[[nodiscard]] bool isWord(char c);
[[nodiscard]] bool isBlank(char c);
[[nodiscard]] std::string trimmed(std::string_view text);
/// Place of the bracket that closes the one at `open`, at most at `limit`.
[[nodiscard]] std::size_t closing(std::string_view text, std::size_t open, std::size_t limit);
[[nodiscard]] std::size_t nextVisible(std::string_view text, std::size_t at, std::size_t limit);
/// Place of a whole word in [begin, end).
[[nodiscard]] std::size_t findWord(std::string_view text, std::string_view word, std::size_t begin,
                                   std::size_t end);
/// Splits at commas outside of brackets.
[[nodiscard]] std::vector<std::string> splitAtCommas(std::string_view text);
/// The last word of a text: the name in "unsigned kTile" and "int kRows".
[[nodiscard]] std::string lastWord(std::string_view text);
[[nodiscard]] std::size_t lastVisibleBefore(std::string_view text, std::size_t at);
/// End of a value that begins at `at`: a semicolon, or a comma or bracket that belongs to what is around it.
[[nodiscard]] std::size_t endOfValue(std::string_view text, std::size_t at, std::size_t limit);

} // namespace dormer::source
