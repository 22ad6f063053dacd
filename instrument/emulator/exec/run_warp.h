// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/exec/warp.h"
#include "instrument/emulator/program/program.h"

#include <chrono>
#include <optional>

namespace dormer::emulator::exec {

/// A FaultSignal with its place.
struct LocatedFault {
    FaultSignal signal;
    std::uint32_t instruction = ptx::kNone; ///< Inst::index
    std::uint32_t warp = 0;                 ///< in its block
    session::Dim3 block;
};

/// When a kernel that never ends is given up.
using Deadline = std::optional<std::chrono::steady_clock::time_point>;

enum class Stop {
    Barrier,
    Done,
    Pause,       ///< the kernel lets others go first (nanosleep)
    OutOfBudget, ///< may be spinning: changePaths() before it runs again
    Waits,       ///< looked in vain for what others are to write
    StillWaits,  ///< the same, and did nothing else
};

/// Runs a warp until it reaches a barrier, exits, pauses or has executed `budget` code blocks. Throws
/// LocatedFault.
[[nodiscard]] Stop runWarp(WarpState& warp, std::uint64_t budget);

/// Whether a warp that waits tries to take what it waits for, as a lock: others of its lanes may have it.
[[nodiscard]] bool waitsToTake(const WarpState& warp);

/// Lets lanes that wait for the running ones go on: the running ones may be spinning on what the waiting ones
/// are to write. Called when a warp used its budget up.
void changePaths(WarpState& warp);

} // namespace dormer::emulator::exec
