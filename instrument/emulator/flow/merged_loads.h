// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/flow/control_flow.h"

#include <functional>
#include <string>

namespace dormer::emulator::flow {

/// Joins loads of neighbouring words of shared memory as the assembler does: within a block, with nothing
/// between them that may write there, from addresses that are known to be multiples of 8 or 16 bytes. The
/// first of them becomes a vector load (LDS.64, LDS.128); of the others a copy of a register onto itself is
/// left, so that instructions keep their places. `alignmentOf`: bytes, of a variable in shared memory by its
/// name.
void mergeSharedLoads(ptx::Function& function, const std::vector<BasicBlock>& blocks,
                      const std::function<std::size_t(const std::string&)>& alignmentOf);

} // namespace dormer::emulator::flow
