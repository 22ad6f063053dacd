// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/code/program.h"
#include "instrument/emulator/exec/warp.h"

namespace dormer::emulator {

/// Totals of a launch from what its workers counted: per block of code and, where that is not enough, per
/// instruction.
[[nodiscard]] LaunchCounts sumCounts(const Program& program, const WorkerCounts& counts, analysis::Dim3 grid,
                                     analysis::Dim3 block);
/// Adds what a launch reads besides its data: with cold caches its code and constants come from DRAM. Without
/// them a kernel that computes on registers alone would move nothing, and have no place on a roofline.
void addCodeFetch(const Program& program, Traffic& traffic);
/// Memory accesses and branches that were executed, in program order.
[[nodiscard]] std::vector<CountedInstruction> countedInstructions(const Program& program,
                                                                  const WorkerCounts& counts);

} // namespace dormer::emulator
