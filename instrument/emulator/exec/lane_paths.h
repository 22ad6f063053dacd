// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/exec/warp.h"

/// How lanes of one warp that are at different places take turns: every lane that has not exited goes on some
/// time, as independent thread scheduling promises. All within the running function's frame.
namespace dormer::emulator::exec {

/// Lanes of the path number `index` that no path above it has: they are at its pc.
[[nodiscard]] std::uint32_t lanesAt(const WarpState& warp, std::size_t index);
/// Lanes that wait at barriers.
[[nodiscard]] std::uint32_t lanesAtBarriers(const WarpState& warp);

/// Whether lanes besides those of the top path could do anything but wait for these at a barrier.
[[nodiscard]] bool othersCanGoOn(const WarpState& warp);

enum class Bring {
    Branches,     ///< another arm of a branch
    AnyPreferred, ///< another arm; without one, lanes that wait where the others are to arrive, without them
    InTurn,       ///< either, so that all have their turn
};
/// Puts another path that can run on top. False when there is none with any of `lanes`.
bool bringAnother(WarpState& warp, Bring which, std::uint32_t lanes = instructions::kAllLanes);

/// Lanes that wait in vain for members that are at a barrier go on without them. False when there are none.
bool bringWaiting(WarpState& warp);

/// All these lanes are where nothing is left to do but to exit.
[[nodiscard]] bool onlyExit(const WarpState& warp, std::uint32_t lanes);

/// Makes one path of those that wait, for the same, where the top one does. False when there is no other.
bool joinTop(WarpState& warp);

} // namespace dormer::emulator::exec
