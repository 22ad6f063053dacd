// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

/// Text that came from outside (kernel names, paths, NVTX messages) on its way to a terminal or a page.
namespace dormer::view {

/// Valid UTF-8 without control characters: line breaks and tabs become spaces; escape sequences, direction
/// overrides and broken bytes become U+FFFD, so that a kernel's name can't steer a terminal.
[[nodiscard]] std::string cleanText(std::string_view text);

/// Columns a terminal gives to clean UTF-8: 2 for wide East Asian characters and emoji, 0 for combining
/// marks.
[[nodiscard]] std::size_t displayWidth(std::string_view text);

/// Clean text of at most `width` columns. What is too long loses its middle: both ends of a kernel name tell
/// it from its neighbours.
[[nodiscard]] std::string truncateMiddle(std::string_view text, std::size_t width);

/// Clean text that stays text in Markdown: characters that would start markup or HTML are escaped.
[[nodiscard]] std::string escapeMarkdown(std::string_view text);

/// Clean text for element content and quoted attributes of HTML and XML.
[[nodiscard]] std::string escapeMarkup(std::string_view text);

} // namespace dormer::view
