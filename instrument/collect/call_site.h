// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace dormer::instrument::collect {

/// Where in the program work was requested.
struct CallSite {
    std::string workload; ///< innermost "family/variant" that is open; empty outside the suite
    std::string nvtx;     ///< path of the open NVTX ranges; empty when none is
};

/// Whose the work of a graph's node is: the ranges around the code that put the node there tell most of it,
/// and the workload that replays the graph has it done. Each falls back on the other where it is empty.
[[nodiscard]] inline CallSite attributed(const CallSite& created, const CallSite& replayed) {
    return {replayed.workload.empty() ? created.workload : replayed.workload,
            created.nvtx.empty() ? replayed.nvtx : created.nvtx};
}

} // namespace dormer::instrument::collect
