// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/ptx/module.h"

#include <vector>

namespace dormer::emulator::flow {

/// Whether the instruction's first operand is written.
[[nodiscard]] bool hasDestination(const ptx::Instruction& instruction);
[[nodiscard]] bool hasModifier(const ptx::Instruction& instruction, std::string_view modifier);

/// atom.v2 and wider, which count as reading what they write.
[[nodiscard]] bool isVectorAtomic(const ptx::Instruction& instruction);

/// Registers an instruction reads (its guard too) and writes, in no particular order.
struct DefUse {
    std::vector<std::uint32_t> uses, defs;
};
void findDefUse(const ptx::Instruction& instruction, DefUse& out);

} // namespace dormer::emulator::flow
