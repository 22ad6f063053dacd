// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/ptx/name_table.h"
#include "instrument/emulator/ptx/parser/body.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace dormer::emulator::ptx::parser {

/// Names of one function body: its scopes, unique names for what they hide, and labels used before they
/// stand.
class BodyScopes {
public:
    BodyScopes(Function& function, const BodyContext& context);

    void open(const Cursor& cursor);
    /// Resolves the labels the scope declared.
    void close();
    [[nodiscard]] std::size_t depth() const { return m_table.depth(); }

    void declareRegister(Cursor& cursor, std::string_view name, Type type);
    /// `%r<count>`
    void declareRegisters(Cursor& cursor, std::string_view prefix, std::uint64_t count, Type type);
    /// A variable, label, target list or prototype. The name it has from now on.
    std::string declare(const Cursor& cursor, std::string_view name, Symbol::Kind kind, std::size_t index);

    [[nodiscard]] std::uint32_t findRegister(std::string_view name) const {
        return m_table.findRegister(name);
    }
    /// Unique name of a variable or parameter of the function; null when there is none in sight.
    [[nodiscard]] const std::string* findVariable(std::string_view name) const;

    /// The operand's name is a label that may follow; it is set when its scope closes.
    void useLabel(const Cursor& cursor, std::string_view name, std::size_t instruction, std::size_t operand);
    void useLabelInList(const Cursor& cursor, std::string_view name, std::size_t list, std::size_t item);

private:
    struct Use {
        std::string_view name;
        std::uint32_t line = 0;
        bool inList = false;
        std::uint32_t outer = 0, inner = 0; ///< instruction and operand, or list and item
    };
    [[nodiscard]] std::string uniqueName(std::string_view name);
    [[nodiscard]] const std::string& nameOf(const Symbol& symbol) const;

    Function& m_function;
    BodyContext m_context;
    NameTable& m_table;
    std::unordered_map<std::string_view, std::uint32_t> m_uses; ///< of each name so far
    std::vector<Use> m_pending;
    std::vector<std::size_t> m_pendingAtOpen;
};

} // namespace dormer::emulator::ptx::parser
