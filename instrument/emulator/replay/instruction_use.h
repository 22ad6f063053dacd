// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/replay/timed_code.h"

#include <string>

/// What an instruction of PTX occupies on an SM, and what warps wait for because of it.
namespace dormer::emulator::replay {

struct PipeUse {
    Pipe pipe = Pipe::None;
    double lanes = 0; ///< of an SM
};
[[nodiscard]] PipeUse pipeOf(instructions::Work work, const device::Architecture& a);

/// Kinds of instructions of which the machine does two at once; 0: none.
[[nodiscard]] int threeWay(const std::string& text);
/// Its registers are sums, read and written; others have a plan that tells which are which.
[[nodiscard]] bool isOfWarpGroup(const program::InstructionFacts& facts);
/// One that waits until what was written is visible beyond the block.
[[nodiscard]] bool isFence(const std::string& text);

/// What warps are seen to wait for: results of fixed latency are "wait", those of memory behind L1 long, of
/// the other units behind the memory queue short.
[[nodiscard]] counts::Stall waitOf(const program::InstructionFacts& facts,
                                   const device::Architecture& architecture);
/// What they wait for where the unit itself is busy.
[[nodiscard]] counts::Stall throttleOf(const program::InstructionFacts& facts, Pipe pipe);

} // namespace dormer::emulator::replay
