// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/flow/control_flow.h"
#include "instrument/emulator/instructions/instruction.h"

#include <vector>

namespace dormer::emulator::flow {

/// What an instruction is to the pair that the assembler makes one machine instruction of.
enum class Fused : std::uint8_t {
    No,
    First, ///< its result goes into the other one only: no instruction of its own
    Fma,   ///< FFMA or DFMA: adds a product
    Mad,   ///< IMAD or IMAD.WIDE: adds a product
    Other, ///< LEA, IADD3 or LOP3: takes the other one's work along
};

/// Pairs within blocks, by instruction of the function: products that are added, where rounding twice is not
/// asked for (ptxas' --fmad, on by default); shifts that are added; sums of three; two steps of logic on
/// three values. By register: `uses`, how often it is read, and `constants`, present where it stands for one.
[[nodiscard]] std::vector<Fused> fusedPairs(const ptx::Function& function,
                                            const std::vector<BasicBlock>& blocks,
                                            const std::vector<std::uint32_t>& uses,
                                            const std::vector<instructions::Ref>& constants);

} // namespace dormer::emulator::flow
