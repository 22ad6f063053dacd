// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/code/registers.h"
#include "instrument/emulator/flow/control_flow.h"
#include "instrument/emulator/program/program.h"

namespace dormer::emulator::code {

/// Loads that must see what other SMs wrote do not use L1.
[[nodiscard]] bool bypassesL1(const ptx::Instruction& instruction);

/// Other threads see the access in an order: volatile, relaxed or stronger.
[[nodiscard]] bool ordersThreads(const ptx::Instruction& instruction);

/// Finds the loops of a function that only look whether something has changed, and leads every way into,
/// round and out of them through blocks that say so (program::Ending::LookBegins and its like). `firstBlock`:
/// the function's in the program, whose last blocks are the function's.
void markPollLoops(program::Program& program, std::uint32_t firstBlock, const ptx::Function& function,
                   const std::vector<flow::BasicBlock>& blocks, const RegisterFrame& frame);

} // namespace dormer::emulator::code
