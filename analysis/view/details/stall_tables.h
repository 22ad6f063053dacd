// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/diagnosis/diagnosis.h"
#include "analysis/stalls/kernel_stalls.h"
#include "analysis/view/details/utilization.h"
#include "analysis/view/table.h"

namespace dormer::view::details {

/// Where a row of stalls is: its line, or where that is not known the instruction.
struct StallPlace {
    stalls::Place place;
    std::uint64_t pc = 0;
};

/// What the warps of a kernel were sampled doing.
struct StallTables {
    std::string title;   ///< "gather: 46263 samples, 97 % of them stalled, mostly by long scoreboard"
    std::string summary; ///< the title without the kernel: "46263 samples of warps, ..."
    std::string main; ///< what that means and what shortens it, in two sentences; empty when nothing stalls
    Table states;     ///< most samples first; those below half a percent are left out
    /// The same states as bars: the whole is the share of the samples, solid those in which nothing issued.
    std::vector<UtilizationBar> bars;
    std::vector<StallPlace> places; ///< of each row of `lines`
    Table lines; ///< most stalled samples first; instructions by their offset where there is no line
                 ///< information
};

[[nodiscard]] StallTables stallTables(const session::Session& session, const stalls::KernelStalls& kernel,
                                      std::size_t mostLines);
/// "████▓▓░", a bar for a terminal of `columns` columns at most, without trailing blanks.
[[nodiscard]] std::string barText(const UtilizationBar& bar, std::size_t columns);
/// Of all kernels that were sampled, most samples first.
[[nodiscard]] std::vector<StallTables> allStallTables(const session::Session& session,
                                                      std::size_t mostKernels, std::size_t mostLines);

} // namespace dormer::view::details
