// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/exec/warp.h"

namespace dormer::emulator::exec {

/// Executes an instruction that failed without the lanes that it fails for, each of which is noted. False,
/// and nothing is done, where faults end the launch, or one is of a kind that can't be left out. Throws
/// FaultSignal when such a one follows.
[[nodiscard]] bool leaveFaultsOut(WarpState& warp, const instructions::Inst& inst, FaultSignal signal);

} // namespace dormer::emulator::exec
