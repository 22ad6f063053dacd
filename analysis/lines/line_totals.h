// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"

namespace dormer::lines {

/// Instructions of one kind at one place, added up: four unrolled loads of a line are one of these.
struct AccessCounts {
    session::LineCounts counts; ///< sums; pc is that of the first
    std::size_t instructions = 0;
};

/// What one source line did, in one inlining of it.
struct SourceLine {
    session::LineCounts
        total; ///< place and sums of all its instructions; space and op only where all have the same
    std::vector<AccessCounts> accesses; ///< by first pc
};

/// Adds counts; what neither has stays absent, what one lacks counts as nothing.
void addCounts(session::LineCounts& sum, const session::LineCounts& more);

/// Counts per instruction of several launches of one kernel, added up by pc, in program order.
[[nodiscard]] std::vector<session::LineCounts>
sumByInstruction(const session::Session& session, std::span<const session::LaunchIndex> launches);
/// The same by file, line and call chain; most excess first, then in program order. Instructions without line
/// information stand for themselves.
[[nodiscard]] std::vector<SourceLine> sumByLine(const session::Session& session,
                                                std::span<const session::LaunchIndex> launches);

/// Sectors and wavefronts beyond the ideal ones: what a better pattern of addresses would save.
[[nodiscard]] std::uint64_t excessOf(const session::LineCounts& counts);

/// "shared load", "branch".
[[nodiscard]] std::string accessText(const session::LineCounts& counts);
/// "transpose.cu:54", or "pc 0x110" without line information; folders are left out.
[[nodiscard]] std::string placeText(const session::LineCounts& line);
/// "a.cuh:12 < b.cu:40" without folders; empty when not inlined.
[[nodiscard]] std::string chainText(const session::LineCounts& line);

} // namespace dormer::lines
