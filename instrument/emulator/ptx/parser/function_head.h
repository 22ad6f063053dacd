// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/ptx/cursor.h"
#include "instrument/emulator/ptx/module.h"
#include "instrument/emulator/ptx/parser/declaration.h"

namespace dormer::emulator::ptx::parser {

/// From behind `.entry` or `.func` up to the `{` or behind the `;` that follows. `isExtern` of the result
/// says that it was the semicolon.
[[nodiscard]] Function parseFunctionHead(Cursor& cursor, bool isEntry, InitialBudget& budget);

} // namespace dormer::emulator::ptx::parser
