// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/exec/fragment.h"
#include "instrument/emulator/exec/instruction.h"
#include "instrument/emulator/exec/memory.h"

/// Loads and stores of matrix fragments.
namespace dormer::emulator {

/// What Inst::imm points at for the handlers below; owned by the program.
struct MatrixAccess {
    FragmentShape shape;       ///< wmma
    unsigned elementBytes = 2; ///< wmma
    std::int64_t offset = 0;   ///< bytes added to the address
    Window window = Window::Generic;
    unsigned matrices = 1;   ///< ldmatrix, stmatrix: .x1, .x2, .x4
    bool transposed = false; ///< .trans
};

/// wmma.load and wmma.store: `more` holds the registers, a the address, b the stride in elements (4 bytes a
/// lane; absent = as wide as the matrix).
void loadFragment(Warp& warp, const Inst& in);
void storeFragment(Warp& warp, const Inst& in);
/// ldmatrix and stmatrix: `more` holds the registers, a the addresses of rows.
void loadMatrices(Warp& warp, const Inst& in);
void storeMatrices(Warp& warp, const Inst& in);

} // namespace dormer::emulator
