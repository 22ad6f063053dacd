// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"

#include <string>

namespace dormer::tests {

/// Runs bin/cases/PROGRAM with the argument, if any, on the emulator and counts per line. `chip` is what
/// --on emulator:CHIP takes; empty is the default.
[[nodiscard]] session::Session collectEmulated(const std::string& program, const std::string& argument,
                                               const std::string& chip = {},
                                               const std::string& counterSet = "memory");
/// The same on this machine's GPU. Ends the tests as skipped where there is none to count on, unless one is
/// required (DORMER_REQUIRE_GPU=1).
[[nodiscard]] session::Session collectMeasured(const std::string& program, const std::string& argument,
                                               const std::string& counterSet = "memory");

} // namespace dormer::tests
