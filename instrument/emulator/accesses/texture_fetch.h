// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/program/memory_operands.h"

#include <cstdint>

/// tex.{1d,2d,3d,a1d,a2d}: reads through texture objects.
namespace dormer::emulator::accesses {

/// a is the handle (8 bytes per lane). `more` holds the four results, then the coordinates (4 bytes per lane
/// each).
void fetchTexture(instructions::Warp& warp, const instructions::Inst& in);

} // namespace dormer::emulator::accesses
