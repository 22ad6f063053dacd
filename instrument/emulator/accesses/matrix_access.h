// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/accesses/memory.h"
#include "instrument/emulator/instructions/instruction.h"
#include "instrument/emulator/program/memory_operands.h"

/// Loads and stores of matrix fragments, and matrices that only move between registers.
namespace dormer::emulator::accesses {

/// wmma.load and wmma.store: `more` holds the registers, a the address, b the stride in elements (4 bytes a
/// lane; absent = as wide as the matrix).
void loadFragment(instructions::Warp& warp, const instructions::Inst& in);
void storeFragment(instructions::Warp& warp, const instructions::Inst& in);
/// ldmatrix and stmatrix: `more` holds the registers, a the addresses of rows.
void loadMatrices(instructions::Warp& warp, const instructions::Inst& in);
void storeMatrices(instructions::Warp& warp, const instructions::Inst& in);
/// movmatrix: the 8 x 8 matrix in a, transposed.
void transposeMatrix(instructions::Warp& warp, const instructions::Inst& in);

} // namespace dormer::emulator::accesses
