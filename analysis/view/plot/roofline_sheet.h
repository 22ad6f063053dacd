// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/view/chart_data.h"
#include "analysis/view/plot/level_line.h"
#include "analysis/view/plot/part_line.h"
#include "analysis/view/text_table.h"

/// The roofline for a page of text: what the chart shows, and the same as numbers.
namespace dormer::view::plot {

/// Kernels on it, most time first: as many as there are letters.
inline constexpr std::size_t kMostSheetKernels = 26;

struct RooflineSheet {
    ChartData chart; ///< of the work that most of the time is judged by, over DRAM; of the first device
    KernelRows rows;
    ChartRange range; ///< in decades; all points, levels and parts below lie inside
    /// By ChartData::points: the letter of a kernel. Its work that the chart is not about has the capital.
    std::vector<char> letters;
    std::vector<PartLine> parts; ///< by ChartData::points
    /// Of the only kernel, where the session has one alone: it is drawn at every level.
    LevelLine levels;
    std::vector<LevelRoof> levelRoofs;
    /// Letter, kernel, work/s, share of the roof at the kernel's intensity, intensity at each level.
    /// Work that the chart is not about follows its kernel, against its own roof. Kernels without a place
    /// have no letter.
    TextCells table;
    [[nodiscard]] bool empty() const { return chart.points.empty(); }
};

/// The kernels that took most time, at most kMostSheetKernels.
[[nodiscard]] RooflineSheet rooflineSheet(const diagnosis::Diagnosis& diagnosis);

} // namespace dormer::view::plot
