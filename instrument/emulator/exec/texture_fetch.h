// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/exec/instruction.h"

#include <cstdint>

/// tex.{1d,2d,3d,a1d,a2d}: reads through texture objects.
namespace dormer::emulator {

/// What Inst::imm points at; owned by the program.
struct TextureFetch {
    unsigned dimensions = 1;
    bool layered = false;            ///< the first coordinate is a layer
    bool integerCoordinates = false; ///< .s32: texels by number
    std::int64_t offset = 0;
};
/// a is the handle (8 bytes a lane). `more` holds the four results, then the coordinates (4 bytes a lane
/// each).
void fetchTexture(Warp& warp, const Inst& in);

} // namespace dormer::emulator
