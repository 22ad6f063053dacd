// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/instructions/operation_spec.h"
#include "instrument/emulator/operations/operations.h"

#include <optional>

namespace dormer::emulator::operations {

/// Opcode and modifiers of a register-only instruction; nothing when one of them is unknown. mma and wmma are
/// read elsewhere (tensor_plan.h).
[[nodiscard]] std::optional<instructions::Spec> parseOperation(const ptx::Instruction& instruction);

/// The same with the operands' widths.
[[nodiscard]] std::optional<instructions::Spec> parseOperation(const ptx::Instruction& instruction,
                                                               std::span<const OperandShape> shapes);

/// Work, number of hardware instructions and latency.
void estimateCost(const instructions::Spec& spec, instructions::Operation& operation);

} // namespace dormer::emulator::operations
