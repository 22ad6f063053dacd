// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/program/program.h"

namespace dormer::emulator::code {

/// Fills Program::chains: how long one warp takes through each block when nothing else runs. Each
/// instruction waits for the values it reads and for memory to be in order; what memory costs is not known
/// here, so the waits on the longest path are counted by kind instead.
void findChains(program::Program& program);

} // namespace dormer::emulator::code
