// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session.h"

namespace dormer::analysis {

/// Launches of one signature: same kernel, grid, block, shared memory, device and workload.
struct LaunchGroup {
    std::string label; ///< launchLabel, with the kernel's name added where one workload runs several
    std::vector<LaunchIndex> launches; ///< in launch order
    double totalNs = 0;
    LaunchIndex representative{}; ///< the counted launch of median duration
};

/// Groups in order of first launch; linear in launches.
[[nodiscard]] std::vector<LaunchGroup> groupLaunches(const Session& session);

} // namespace dormer::analysis
