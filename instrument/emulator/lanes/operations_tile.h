// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/instructions/instruction.h"
#include "instrument/emulator/instructions/tensor_plan.h"

// Private to the sources compiled per vector width.
namespace dormer::emulator::lanes::DORMER_ISA {

/// Handler of a product of tiles of 16 x 16 and 16 x 8 with sums of 32 bits; null for others.
[[nodiscard]] instructions::Handler findTile(const instructions::TensorPlan& plan);

} // namespace dormer::emulator::lanes::DORMER_ISA
