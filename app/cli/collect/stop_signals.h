// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace dormer::cli {

/// What signals ask of a run, the first to stop, the second to kill; a third ends dormer itself.
struct StopSignals {
    std::atomic<bool>& stop;
    std::atomic<bool>& kill;
};

/// From now on SIGINT, SIGTERM and SIGHUP set these. A reader that went away and a file that must not grow
/// any more are no reason to die: writing tells.
[[nodiscard]] StopSignals watchStopSignals();

} // namespace dormer::cli
