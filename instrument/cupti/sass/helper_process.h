// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"

#include <chrono>
#include <string>
#include <vector>

namespace dormer::instrument::cupti::sass {

/// Runs a helper from inside a foreign program and returns what it printed, at most 64 MB. It gets PATH and
/// nothing else of the environment (what makes programs be profiled must not reach it), no descriptor of the
/// program's, and a process group of its own. It is killed after `timeout`. Works whatever the program does
/// about SIGCHLD, even if its handler takes the helper's status away.
///
/// ErrorKind::Target when it can't be started, fails, or takes too long.
[[nodiscard]] Result<std::string> runHelper(const std::string& program,
                                            const std::vector<std::string>& arguments,
                                            std::chrono::milliseconds timeout);

} // namespace dormer::instrument::cupti::sass
