// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/diagnosis/diagnosis.h"
#include "analysis/stalls/kernel_stalls.h"
#include "analysis/view/table.h"

namespace dormer::view::details {

/// What the warps of a kernel were sampled doing.
struct StallTables {
    std::string title; ///< "gather: 46263 samples, 97 % of them stalled, mostly by long scoreboard"
    std::string main;  ///< what that means and what shortens it, in two sentences; empty when nothing stalls
    Table states;      ///< most samples first; those below half a percent are left out
    Table lines;       ///< most stalled samples first; instructions by their offset where there is no line
                       ///< information
};

[[nodiscard]] StallTables stallTables(const session::Session& session, const stalls::KernelStalls& kernel,
                                      std::size_t mostLines);
/// Of all kernels that were sampled, most samples first.
[[nodiscard]] std::vector<StallTables> allStallTables(const session::Session& session,
                                                      std::size_t mostKernels, std::size_t mostLines);

} // namespace dormer::view::details
