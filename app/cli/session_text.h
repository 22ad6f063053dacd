// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/metrics/sweep.h"
#include "analysis/report/report.h"
#include "analysis/session/launch_scope.h"

namespace dormer::cli {

/// Which view of a session is requested, and how.
struct SessionView {
    std::string format = "table"; ///< table, json, csv or markdown
    bool wide = false;            ///< of CSV: a row per launch
    bool lines = false;           ///< what each source line did
    bool stalls = false;          ///< what the warps of each kernel waited for
    bool sweep = false;           ///< sweeps instead of launches
    bool roofline = false;        ///< the roofline in characters
    bool timeline = false;        ///< what ran when, and what the GPU waited for
    bool transfers = false;       ///< transfers and calls for memory instead of launches
    /// A table or Markdown for each process, NVTX range or stream.
    std::optional<session::Scope> by{};
    std::size_t mostRows = 200; ///< of the table
    bool toDoLast = false;      ///< below the table, where a terminal shows it after a run
};

/// Writes the text to print, ending with a line break. What lists launches is made launch by launch.
void writeSession(const diagnosis::Diagnosis& diagnosis, const SessionView& view, const base::TextSink& sink);

} // namespace dormer::cli
