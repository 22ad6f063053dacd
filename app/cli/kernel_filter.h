// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"
#include "analysis/session/session.h"

#include <regex>

namespace dormer::cli {

/// ErrorKind::Usage for a pattern that is no ECMAScript regular expression; `option` names where it came
/// from.
[[nodiscard]] Result<std::regex> compileRegex(const std::string& pattern, std::string_view option);

/// True when the pattern is found in a launch's workload, its kernel's short name or its full name.
[[nodiscard]] bool matches(const session::Session& session, session::LaunchIndex launch,
                           const std::regex& pattern);

/// The session with only the launches that match; everything else stays.
[[nodiscard]] session::Session keepKernels(const session::Session& session, const std::regex& pattern);

} // namespace dormer::cli
