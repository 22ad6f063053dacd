// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/ptx/parser/body_scopes.h"

#include <optional>
#include <string_view>
#include <vector>

namespace dormer::emulator::ptx::parser {

/// Reads the operands of instructions.
class OperandReader {
public:
    OperandReader(Cursor& cursor, const BodyScopes& scopes, const ModuleNames& names)
        : m_cursor(cursor), m_scopes(scopes), m_names(names) {}

    /// What an operand's word may be when nothing in sight has that name.
    struct Unresolved {
        std::string_view name;
        std::size_t operand = 0;
    };
    /// Up to the semicolon. `isCall`: parentheses hold arguments, not constant expressions. `isBranch`: names
    /// are labels. The result, and `unresolved`, are good until the next call.
    std::vector<Operand>& read(bool isCall, bool isBranch);
    std::vector<Unresolved> unresolved; ///< names of labels, of lists of them, and of prototypes

private:
    Operand operand(bool isCall, bool isBranch);
    Operand single(bool mayBeLabel, bool isBranch);
    Operand address();
    Operand vector();
    Operand list();
    [[nodiscard]] bool resolve(std::string_view name, Operand& out) const;

    Cursor& m_cursor;
    const BodyScopes& m_scopes;
    const ModuleNames& m_names;
    std::vector<Operand> m_operands;
};

} // namespace dormer::emulator::ptx::parser
