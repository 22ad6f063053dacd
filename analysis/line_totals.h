// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session.h"

namespace dormer::analysis {

/// Instructions of one kind at one place, added up: four unrolled loads of a line are one of these.
struct AccessCounts {
    LineCounts counts; ///< sums; pc is that of the first
    std::size_t instructions = 0;
};

/// What one source line did, in one inlining of it.
struct SourceLine {
    LineCounts total; ///< place and sums of all its instructions; space and op only where all have the same
    std::vector<AccessCounts> accesses; ///< by first pc
};

/// Adds counts; what neither has stays absent, what one lacks counts as nothing.
void addCounts(LineCounts& sum, const LineCounts& more);

/// Counts per instruction of several launches of one kernel, added up by pc, in program order.
[[nodiscard]] std::vector<LineCounts> sumByInstruction(const Session& session,
                                                       std::span<const LaunchIndex> launches);
/// The same by file, line and call chain; most excess first, then in program order. Instructions without line
/// information stand for themselves.
[[nodiscard]] std::vector<SourceLine> sumByLine(const Session& session,
                                                std::span<const LaunchIndex> launches);

/// Sectors and wavefronts beyond the ideal ones: what a better pattern of addresses would save.
[[nodiscard]] std::uint64_t excessOf(const LineCounts& counts);

/// "transpose.cu:54", or "pc 0x110" without line information; folders are left out.
[[nodiscard]] std::string placeText(const LineCounts& line);
/// "a.cuh:12 < b.cu:40" without folders; empty when not inlined.
[[nodiscard]] std::string chainText(const LineCounts& line);

} // namespace dormer::analysis
