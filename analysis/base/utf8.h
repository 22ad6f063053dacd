// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

/// The one reader and writer of UTF-8, for text that may hold broken bytes.
namespace dormer::base {

/// Stands for a byte that is not part of UTF-8.
inline constexpr char32_t kReplacement = 0xFFFD;

/// Takes one character off the front of `text`, which is not empty. Of overlong forms, surrogates and values
/// past U+10FFFF one byte goes, and kReplacement comes back.
[[nodiscard]] char32_t takeCharacter(std::string_view& text);
/// Precondition: a Unicode scalar value.
void appendCharacter(std::string& text, char32_t character);

/// Length of the well-formed UTF-8 at the start of `text` (Unicode, table 3-7): all of it when it is valid.
[[nodiscard]] std::size_t validUtf8Prefix(std::string_view text);
/// `text` with each byte that is not part of UTF-8 replaced by U+FFFD: files are untrusted, and JSON must be
/// UTF-8.
[[nodiscard]] std::string withValidUtf8(std::string_view text);

/// Columns a terminal gives to a character: 2 for wide East Asian characters and emoji, 0 for combining
/// marks and controls.
[[nodiscard]] std::size_t displayWidth(char32_t character);
[[nodiscard]] std::size_t displayWidth(std::string_view text);

} // namespace dormer::base
