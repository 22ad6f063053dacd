// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fnmatch.h>

#include <string>

namespace dormer::base {

/// Whether the whole text matches a pattern of fnmatch(3): '*' is any text, '/' in it too, '?' one character,
/// [...] one of those inside; a backslash takes the meaning from what follows it.
[[nodiscard]] inline bool globMatches(const std::string& pattern, const std::string& text) {
    return fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

} // namespace dormer::base
