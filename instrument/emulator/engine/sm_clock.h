// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/chip.h"
#include "instrument/emulator/exec/warp.h"
#include "instrument/emulator/program/program.h"

#include <vector>

namespace dormer::emulator::engine {

/// What each block of a kernel's code takes on the SM's clock, in cycles, for the clocks that it reads: as
/// long as the chain of its dependent instructions, or as its instructions need to issue for the
/// `warpsPerScheduler` that are there, whichever is longer. Loads count as L1 hits, and as L2's where they
/// miss.
[[nodiscard]] std::vector<exec::CodeCycles> cyclesOfCode(const program::Program& program,
                                                         const device::Chip& chip, double warpsPerScheduler);

} // namespace dormer::emulator::engine
