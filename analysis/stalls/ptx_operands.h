// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/stalls/sass_operands.h"

#include <string_view>
#include <vector>

namespace dormer::stalls {

/// What one instruction of a PTX listing ("@%p1 ld.global.f32 %f1, [%rd2];") reads and writes: names of
/// registers, of special ones too.
struct PtxOperands {
    std::string_view opcode; ///< "ld.global.f32"; empty for a label, directive or brace
    std::vector<std::string_view> reads, writes;
};
[[nodiscard]] PtxOperands ptxOperands(std::string_view instruction);

/// What a reader of its result waits for, as latencyOf() of SASS has it (PTX ISA, by state space and unit).
[[nodiscard]] Latency ptxLatencyOf(std::string_view opcode);

/// True for instructions that are often no instruction of the machine: their readers wait for what they read.
[[nodiscard]] bool isPassedThrough(std::string_view opcode);

} // namespace dormer::stalls
