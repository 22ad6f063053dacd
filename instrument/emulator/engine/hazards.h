// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/engine/engine.h"
#include "instrument/emulator/exec/shared_watch.h"
#include "instrument/emulator/program/program.h"

namespace dormer::emulator::engine {

/// Says of each hazard what happened, where and by whom; sorted. `shape`: of the blocks.
[[nodiscard]] std::vector<Undefined> describeHazards(const program::Program& program,
                                                     const std::vector<exec::Hazard>& hazards,
                                                     session::Dim3 shape);

} // namespace dormer::emulator::engine
