// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/ptx/cursor.h"
#include "instrument/emulator/ptx/module.h"

#include <optional>
#include <string_view>

namespace dormer::emulator::ptx::parser {

/// Bytes that initialisers of one module may still take: a few characters can ask for any size.
struct InitialBudget {
    std::size_t bytes = std::size_t{256} << 20;
};

/// State space of ".global" and the like; nothing for other directives. Register stands for .reg.
[[nodiscard]] std::optional<Space> spaceOf(std::string_view directive);

/// What precedes the name: `.align 4 .v2 .f32`, `.attribute(.managed)`, `.ptr .global .align 8`.
[[nodiscard]] Variable parseVariableHead(Cursor& cursor, Space space);
/// The name with its dimensions, and the initialiser if one follows. `head` says the rest.
[[nodiscard]] Variable parseDeclarator(Cursor& cursor, const Variable& head, InitialBudget& budget);
/// `(.param .b32 a, .reg .f32 b)` behind the parenthesis; consumes the closing one.
[[nodiscard]] std::vector<Variable> parseParameters(Cursor& cursor, InitialBudget& budget);
/// Behind a state space, up to the semicolon: every variable declared there. `take(Variable)` gets each.
template <typename Take>
void parseVariables(Cursor& cursor, Space space, InitialBudget& budget, const Take& take) {
    const Variable head = parseVariableHead(cursor, space);
    do
        take(parseDeclarator(cursor, head, budget));
    while (cursor.accept(','));
    cursor.expect(';');
}

} // namespace dormer::emulator::ptx::parser
