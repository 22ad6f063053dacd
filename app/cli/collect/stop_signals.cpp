// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/collect/stop_signals.h"

#include <csignal>

namespace dormer::cli {

namespace {

std::atomic<bool> stopRequested{false}, killRequested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

/// The first signal gives the target time to end, the second none; a third ends dormer itself.
void onStopSignal(int signal) {
    if (!stopRequested.exchange(true, std::memory_order_relaxed)) return;
    if (killRequested.exchange(true, std::memory_order_relaxed)) {
        std::signal(signal, SIG_DFL);
        std::raise(signal);
    }
}

} // namespace

StopSignals watchStopSignals() {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        std::signal(signal, onStopSignal);
    std::signal(SIGPIPE, SIG_IGN); // a reader that went away ends the run in order
    std::signal(SIGXFSZ, SIG_IGN); // so does a file that must not grow any more
    return {stopRequested, killRequested};
}

} // namespace dormer::cli
