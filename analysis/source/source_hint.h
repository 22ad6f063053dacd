// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"

/// What to change in the source text of an access that wastes something. Everything is derived from the text
/// that the session holds and checked against the counts: a change is named only if the index as written
/// reproduces them. Empty otherwise, or without text.
namespace dormer::source {

/// Of an access of shared memory with bank conflicts: padding or swizzling of the array, where the arithmetic
/// of all its accesses says that it helps; else which lanes conflict.
[[nodiscard]] std::string bankConflictChange(const session::Session& session, session::LaunchIndex launch,
                                             const session::LineCounts& access);
/// Of a misaligned or uncoalesced access of global memory.
[[nodiscard]] std::string globalAccessChange(const session::Session& session, session::LaunchIndex launch,
                                             const session::LineCounts& access);
/// Floating-point literals of a line of C++ that are doubles: "0.3", "1e-3", ".5"; not "0.3f".
[[nodiscard]] std::vector<std::string> doubleLiterals(std::string_view line);
/// Of a line that turns floats into doubles: the suffixes that are missing.
[[nodiscard]] std::string doubleLiteralChange(const session::Session& session, const std::string& file,
                                              std::uint32_t line);

} // namespace dormer::source
