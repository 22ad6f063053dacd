// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace dormer::instrument::request {

/// Splits a line into words as a POSIX shell does (XCU 2.2): blanks separate, '...' keeps all, "..." and a
/// backslash keep what they keep there. No shell runs: patterns stay as they are, and what only a shell can
/// do (pipes, redirections, variables, ~) is ErrorKind::Usage, as is a quote that never ends.
[[nodiscard]] Result<std::vector<std::string>> shellWords(std::string_view line);

/// The word quoted so that shellWords() and a shell read it as it is.
[[nodiscard]] std::string shellQuoted(const std::string& word);

} // namespace dormer::instrument::request
