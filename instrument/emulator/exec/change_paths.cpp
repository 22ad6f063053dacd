// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/exec/calls.h"
#include "instrument/emulator/exec/lane_paths.h"
#include "instrument/emulator/exec/run_warp.h"

namespace dormer::emulator::exec {

bool waitsToTake(const WarpState& warp) {
    const program::CodeBlock& at = warp.program->blocks[warp.paths.back().pc];
    return at.ending == program::Ending::LookAgain && warp.program->polls[at.operands].atomic;
}

namespace {

/// Lanes outside of the running function go on, whose lanes come back to their call.
bool bringOuter(WarpState& warp) {
    std::uint32_t inside = 0;
    const std::size_t base = warp.calls.empty() ? 0 : warp.calls.back().pathBase;
    for (std::size_t i = base; i < warp.paths.size(); ++i)
        inside |= warp.paths[i].mask & warp.alive;
    while (!warp.calls.empty() && inside != warp.alive) {
        if (!takeBackCall(warp)) return false;
        if (bringAnother(warp, Bring::InTurn)) return true;
    }
    return false;
}

} // namespace

void changePaths(WarpState& warp) {
    const bool outFirst = warp.changes % 4 == 3;
    if (outFirst && bringOuter(warp)) return;
    if (!bringAnother(warp, Bring::InTurn) && !outFirst) bringOuter(warp);
}

} // namespace dormer::emulator::exec
