// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace dormer::emulator::ptx {

/// What a name of a function body stands for.
struct Symbol {
    enum class Kind : std::uint8_t {
        Register,      ///< `index` into Function::registers
        RegisterRange, ///< `%r<count>`: registers from `index` on
        Variable,      ///< of the body: `index` into Function::variables
        Parameter,     ///< `index` into Function::parameters
        Result,        ///< `index` into Function::results
        Label,         ///< `index` into Function::labels
        TargetList,    ///< `index` into Function::targetLists
        Prototype,     ///< `index` into Function::prototypes
    };
    Kind kind = Kind::Register;
    std::uint32_t index = 0;
    std::uint32_t count = 0;
};

/// Names of nested scopes: the innermost declaration hides the outer ones. Keeps views into the text.
class NameTable {
public:
    NameTable() { clear(); }
    void clear();
    void open();
    void close();
    [[nodiscard]] std::size_t depth() const { return m_scopes.size(); }

    /// False when this scope has the name already. `%r` as a register and as the prefix of a range are two
    /// names.
    bool declare(std::string_view name, const Symbol& symbol);
    /// Null for an unknown name.
    [[nodiscard]] const Symbol* find(std::string_view name) const;
    /// Like find, but only what the innermost scope declared itself.
    [[nodiscard]] const Symbol* findHere(std::string_view name) const;
    /// Index of the register, declared by its name or as one of a range; kNone when there is none.
    [[nodiscard]] std::uint32_t findRegister(std::string_view name) const;

private:
    struct Key {
        std::string_view name;
        std::uint64_t hash = 0;
        bool isRange = false;
        std::uint32_t top = 0; ///< innermost declaration
    };
    struct Declaration {
        std::uint32_t key = 0, hidden = 0; ///< hidden: the outer declaration of the same name
        std::uint32_t depth = 0;
        Symbol symbol;
    };
    static std::uint64_t hashOf(std::string_view name, bool isRange);
    [[nodiscard]] const Declaration* top(std::string_view name, bool isRange) const;
    std::uint32_t keyOf(std::string_view name, bool isRange);
    void grow();

    std::vector<std::uint32_t> m_slots; ///< open addressing: index into m_keys + 1, 0 for a free one
    std::vector<Key> m_keys;
    std::vector<Declaration> m_declarations;
    std::vector<std::size_t> m_scopes; ///< declarations there were when the scope was opened
    std::size_t m_percentNames = 0;    ///< living declarations of single registers that begin with %
};

} // namespace dormer::emulator::ptx
