// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/ptx/cursor.h"
#include "instrument/emulator/ptx/module.h"
#include "instrument/emulator/ptx/module_names.h"
#include "instrument/emulator/ptx/name_table.h"
#include "instrument/emulator/ptx/parser/declaration.h"
#include "instrument/emulator/ptx/positions.h"

#include <cstddef>

namespace dormer::emulator::ptx::parser {

/// What bodies share while a module is parsed.
struct BodyContext {
    Module& module;
    const ModuleNames& names;
    PositionReader& positions;
    NameTable& table; ///< kept for its memory
    InitialBudget& initialBudget;
    std::size_t& registerBudget; ///< registers the module may still declare
};

/// Parses the text between a function's braces into `function`, whose head is there already.
void parseBody(const Cursor& cursor, Function& function, const BodyContext& context);

} // namespace dormer::emulator::ptx::parser
