// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/launch/target.h"

namespace dormer::instrument::launch {

/// runTarget() for a run on another machine: hands over each record as it comes. Setting `stop` tells the
/// dormer there, which ends the run and sends what there is; who does not answer is left, at once when
/// `killNow` is set: the end of the connection ends the run there, too. What the program there prints goes to
/// our stderr.
[[nodiscard]] Result<TargetEnd> runRemote(const RemoteCommand& command, const process::OnRecord& onRecord,
                                          const std::atomic<bool>& stop, const std::atomic<bool>* killNow);

} // namespace dormer::instrument::launch
