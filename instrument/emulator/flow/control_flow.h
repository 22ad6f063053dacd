// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/ptx/module.h"

#include <cstdint>
#include <vector>

namespace dormer::emulator::flow {

/// A run of instructions of a function that is entered at its begin and left at its end.
struct BasicBlock {
    std::uint32_t begin = 0, end = 0; ///< instruction indices, end exclusive
    bool hasEnding = false;           ///< the last instruction ends the block (branch, barrier, call …)
    std::vector<std::uint32_t> successors;
    bool leaves = false;                      ///< the function may end here
    std::uint32_t postDominator = ptx::kNone; ///< nearest; kNone when no block is common to all ways onwards
};

/// Instructions after which another block begins: jumps, calls, and where a warp may have to wait.
[[nodiscard]] bool endsBlock(const ptx::Instruction& instruction);
/// Blocks in program order, with successors and immediate post-dominators (Cooper, Harvey and Kennedy's
/// algorithm on the reversed graph).
[[nodiscard]] std::vector<BasicBlock> findBlocks(const ptx::Function& function);

} // namespace dormer::emulator::flow
