// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace dormer::instrument::launch::process {

/// "PID (name)" of the processes of a group that still run, its leader excepted. Costs a look at every
/// process of the machine.
[[nodiscard]] std::vector<std::string> runningInGroup(pid_t group);

} // namespace dormer::instrument::launch::process
