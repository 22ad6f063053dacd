// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"

#include <span>

/// What to change in the source text of an access that wastes something. Everything is derived from the text
/// that the session holds and checked against the counts: a change is named only if the index as written
/// reproduces them. Empty otherwise, or without text.
namespace dormer::source {

/// Of an access of shared memory with bank conflicts: padding or swizzling of the array, where the arithmetic
/// of all its accesses says that it helps; else which lanes conflict.
[[nodiscard]] std::string bankConflictChange(const session::Session& session, session::LaunchIndex launch,
                                             const session::LineCounts& access);
/// Of a misaligned or uncoalesced access of global memory. `lines`: all accesses of the launch, which say
/// what of a structure the whole kernel uses; empty when they were not collected.
[[nodiscard]] std::string globalAccessChange(const session::Session& session, session::LaunchIndex launch,
                                             const session::LineCounts& access,
                                             std::span<const session::LineCounts> lines);
/// Of a load of one address for all lanes: where to keep such values, by what its index depends on.
[[nodiscard]] std::string broadcastChange(const session::Session& session, session::LaunchIndex launch,
                                          const session::LineCounts& access);
/// Of a load: that all warps of a block load the same addresses, whatever their lanes do. Empty where they
/// don't, where it is one address, or where a block has one warp.
[[nodiscard]] std::string sameForAllWarps(const session::Session& session, session::LaunchIndex launch,
                                          const session::LineCounts& access);
/// Of a branch that splits warps: a condition that picks threads by their remainder, `threadIdx.x % n == 0`.
[[nodiscard]] std::string moduloChange(const session::Session& session, session::LaunchIndex launch,
                                       const session::LineCounts& branch);
/// Floating-point literals of a line of C++ that are doubles: "0.3", "1e-3", ".5"; not "0.3f".
[[nodiscard]] std::vector<std::string> doubleLiterals(std::string_view line);
/// Of a line that turns floats into doubles: the suffixes that are missing.
[[nodiscard]] std::string doubleLiteralChange(const session::Session& session, const std::string& file,
                                              std::uint32_t line);

} // namespace dormer::source
