// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/instructions/instruction.h"

namespace dormer::emulator::accesses {

/// suld.b and sust.b: bytes of a surface object as they lie there. Inst::a is the object, Inst::more the
/// registers of the vector and then the coordinates, Inst::imm points at a program::SurfaceAccess.
void loadSurface(instructions::Warp& warp, const instructions::Inst& in);
void storeSurface(instructions::Warp& warp, const instructions::Inst& in);

} // namespace dormer::emulator::accesses
