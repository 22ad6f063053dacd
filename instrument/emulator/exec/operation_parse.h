// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/exec/operation_spec.h"
#include "instrument/emulator/exec/operations.h"

#include <optional>

namespace dormer::emulator {

/// Opcode and modifiers of a register-only instruction; nothing when one of them is unknown. mma and wmma are
/// read elsewhere (tensor_plan.h).
[[nodiscard]] std::optional<Spec> parseOperation(const ptx::Instruction& instruction);

/// The same with the operands' widths.
[[nodiscard]] std::optional<Spec> parseOperation(const ptx::Instruction& instruction,
                                                 std::span<const OperandShape> shapes);

/// Work, number of hardware instructions and latency.
void estimateCost(const Spec& spec, Operation& operation);

} // namespace dormer::emulator
