// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/engine/engine.h"

#include <vector>

namespace dormer::emulator::runtime {

/// A launch's counts per instruction as the record stream has them: places as file, line and inlining chain,
/// and only the counts that mean something for the kind of instruction.
[[nodiscard]] std::vector<session::LineCounts> lineCounts(const engine::LaunchOutcome& outcome,
                                                          const ptx::Module& source);

} // namespace dormer::emulator::runtime
