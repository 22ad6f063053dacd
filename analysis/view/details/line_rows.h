// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/diagnosis/diagnosis.h"
#include "analysis/lines/line_totals.h"

#include <array>

namespace dormer::view::details {

/// Columns of every table of lines for people.
inline constexpr std::array<std::string_view, 13> kLineColumns = {
    "line", "instruction", "access", "bytes", "executions", "sectors", "ideal",
    "×",    "wavefronts",  "ideal",  "×",     "divergent",  "pattern"};
/// The first ones and the last hold text, the others numbers.
[[nodiscard]] constexpr bool isTextColumn(std::size_t column) {
    return column < 3 || column + 1 == kLineColumns.size();
}

struct LineRow {
    std::array<std::string, kLineColumns.size()> cells;
    bool isTotal = false;  ///< of a source line; rows of its accesses follow
    bool isDetail = false; ///< one access of the line above
    bool wastes = false;   ///< much more than the ideal
};

/// What one kernel's lines did over all launches of a group.
struct KernelLines {
    std::string label;
    std::size_t launches = 0; ///< with lines; numbers are their sums
    struct Line {
        std::string chain; ///< "a.cuh:12 < b.cu:40"; empty when not inlined
        std::vector<LineRow> rows;
    };
    std::vector<Line> lines;     ///< most excess first
    std::size_t hiddenLines = 0; ///< with less excess, beyond the limit
    bool hasPlaces = false;      ///< any line has line information
};

/// Rows of the group these launches are; branches that never parted a warp are left out.
[[nodiscard]] KernelLines kernelLines(const session::Session& session, std::string label,
                                      std::span<const session::LaunchIndex> launches, std::size_t mostLines);
/// Of all groups with lines, longest time first.
[[nodiscard]] std::vector<KernelLines> allKernelLines(const diagnosis::Diagnosis& diagnosis,
                                                      std::size_t mostKernels, std::size_t mostLines);
/// Which kernels were compiled without line information and the flag to add; empty when all have it.
[[nodiscard]] std::string whyNoLines(const std::vector<KernelLines>& kernels);
/// "transpose/tiled, 4 launches added up"
[[nodiscard]] std::string linesTitle(const KernelLines& kernel);

} // namespace dormer::view::details
