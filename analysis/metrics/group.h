// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"

namespace dormer::metrics {

/// Launches of one signature: same kernel, grid, block, shared memory, device and workload.
struct LaunchGroup {
    std::string label; ///< launchLabel, with the kernel's name added where one workload runs several
    std::vector<session::LaunchIndex> launches; ///< in launch order
    double totalNs = 0;
    session::LaunchIndex representative{}; ///< the counted launch of median duration
};

/// Groups in order of first launch; linear in launches.
[[nodiscard]] std::vector<LaunchGroup> groupLaunches(const session::Session& session);

} // namespace dormer::metrics
