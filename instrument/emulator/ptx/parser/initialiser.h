// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/ptx/cursor.h"
#include "instrument/emulator/ptx/module.h"
#include "instrument/emulator/ptx/parser/declaration.h"

#include <vector>

namespace dormer::emulator::ptx::parser {

/// Extent of an array: {2, 3} for a[2][3], with the vector's width as the last one. A first extent of 0 is
/// taken from the initialiser.
using Extents = std::vector<std::size_t>;

/// From behind the `=`. Sets `initial`, `relocations`, and `bytes` where the first extent was open.
void parseInitialiser(Cursor& cursor, Variable& variable, Extents extents, InitialBudget& budget);

} // namespace dormer::emulator::ptx::parser
