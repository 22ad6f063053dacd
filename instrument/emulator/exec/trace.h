// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/exec/warp.h"

namespace dormer::emulator::exec {

/// Writes to the warp's trace that it comes to a block of code. A full trace stays as it is.
void traceVisit(WarpState& warp, std::uint32_t block);
/// Runs an instruction and writes to the trace what it did to memory, if it did.
void traceRun(WarpState& warp, const instructions::Inst& inst);

} // namespace dormer::emulator::exec
