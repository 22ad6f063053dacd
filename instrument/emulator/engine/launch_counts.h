// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/engine/engine.h"
#include "instrument/emulator/exec/warp.h"
#include "instrument/emulator/program/program.h"

namespace dormer::emulator::engine {

/// Totals of a launch from what its workers counted: per block of code and, where that is not enough, per
/// instruction.
[[nodiscard]] counts::LaunchCounts sumCounts(const program::Program& program,
                                             const exec::WorkerCounts& counts, session::Dim3 grid,
                                             session::Dim3 block);
/// Adds what a launch reads besides its data: with cold caches its code and constants come from DRAM. Without
/// them a kernel that computes on registers alone would move nothing, and have no place on a roofline.
void addCodeFetch(const program::Program& program, counts::Traffic& traffic);
/// Memory accesses and branches that were executed, in program order.
[[nodiscard]] std::vector<CountedInstruction> countedInstructions(const program::Program& program,
                                                                  const exec::WorkerCounts& counts);

} // namespace dormer::emulator::engine
