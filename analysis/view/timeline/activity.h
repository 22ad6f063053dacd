// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/view/timeline/timeline.h"

namespace dormer::view::timeline {

/// Rows of what a device did over time, by its index into Session::devices(): DRAM reads and writes and L2
/// sectors against the theoretical peak, active SMs, issue slots and the tensor pipe against all that there
/// are. Times are since the epoch. Rows of which nothing was sampled, and of a pipe that was idle throughout,
/// are left out.
[[nodiscard]] std::vector<TimelineRow> activityRows(const session::Session& session, std::size_t device);

} // namespace dormer::view::timeline
