// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/code/program.h"

namespace dormer::emulator {

/// Fills Program::chains: how long one warp takes through each block when nothing else runs. Instructions
/// issue in order, each waits for the values it reads; what memory costs is not known here, so the waits on
/// the longest path are counted by kind instead.
void findChains(Program& program);

} // namespace dormer::emulator
