// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/ptx/parser/initialiser.h"

#include "instrument/emulator/ptx/constant.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

namespace dormer::emulator::ptx::parser {
namespace {

constexpr std::size_t kAddressBytes = 8;

class Initialiser {
public:
    Initialiser(Cursor& cursor, Variable& variable, Extents extents, InitialBudget& budget)
        : m_cursor(cursor)
        , m_variable(variable)
        , m_extents(std::move(extents))
        , m_budget(budget)
        , m_elementBytes(bytesOf(variable.type)) {
        std::size_t stride = m_elementBytes;
        m_strides.resize(m_extents.size());
        for (std::size_t level = m_extents.size(); level-- > 0;) {
            m_strides[level] = stride;
            stride *= m_extents[level];
        }
        m_isOpen = !m_extents.empty() && m_extents[0] == 0;
    }

    void run() {
        if (m_elementBytes == 0) m_cursor.fail("a variable of this type can't be initialised");
        if (!m_isOpen) reserve(m_variable.bytes);
        if (m_extents.empty())
            value(0);
        else
            list(0, 0);
        m_variable.bytes = m_variable.initial.size();
        if (m_maskedBytes != 0 && m_maskedBytes != kAddressBytes) failIncomplete();
    }

private:
    [[noreturn]] void failIncomplete() const {
        m_cursor.fail("an address is given by some of its bytes only");
    }

    void reserve(std::size_t bytes) {
        const std::size_t more = bytes - m_variable.initial.size();
        if (more > m_budget.bytes) m_cursor.fail("the initialised variables are too large");
        m_budget.bytes -= more;
        m_variable.initial.resize(bytes);
    }

    /// Elements of `{…}` at this level of the array; a nested list fills one row, values fill on. What is
    /// left out stays zero.
    void list(std::size_t level, std::size_t begin) {
        m_cursor.expect('{');
        const bool grows = level == 0 && m_isOpen;
        const std::size_t limit = begin + m_strides[level] * m_extents[level];
        std::size_t at = begin;
        if (m_cursor.accept('}')) return;
        do {
            const bool nested = m_cursor.peek() == '{';
            if (nested && (level + 1 == m_extents.size() || (at - begin) % m_strides[level] != 0))
                m_cursor.fail("an initialiser has more braces than the array has dimensions");
            const std::size_t bytes = nested ? m_strides[level] : m_elementBytes;
            if (grows) {
                // Whole rows, so that values within a row have their place.
                if (at + bytes > m_variable.initial.size())
                    reserve(m_variable.initial.size() + m_strides[level]);
            } else if (at + bytes > limit) {
                m_cursor.fail("an initialiser has more elements than the array");
            }
            if (nested)
                list(level + 1, at);
            else
                value(at);
            at += bytes;
        } while (m_cursor.accept(','));
        m_cursor.expect('}');
    }

    void value(std::size_t at) {
        const char c = m_cursor.peek();
        if (!beginsConstant(c)) {
            if (m_elementBytes != kAddressBytes)
                m_cursor.fail("an address fits elements of eight bytes only");
            m_variable.relocations.push_back(address(at));
            return;
        }
        const Constant constant = parseConstant(m_cursor);
        if (constant.kind == Constant::Kind::Integer && m_cursor.accept('(')) {
            masked(constant.bits, at);
            return;
        }
        const std::size_t floatBytes = constant.kind == Constant::Kind::Float32   ? 4
                                       : constant.kind == Constant::Kind::Float64 ? 8
                                                                                  : 0;
        const bool isFloat = m_variable.type == Type::F32 || m_variable.type == Type::F64;
        if (floatBytes != 0 && !isFloat && floatBytes != m_elementBytes)
            m_cursor.fail("a floating-point number does not fit the variable's type");
        const std::uint64_t bits = convertConstant(constant, m_variable.type);
        std::memcpy(m_variable.initial.data() + at, &bits,
                    std::min<std::size_t>(m_elementBytes, sizeof bits));
    }

    /// `symbol`, `generic(symbol)`, each with `+ addend`.
    Variable::Relocation address(std::size_t at) {
        Variable::Relocation out;
        out.at = at;
        std::string_view name = m_cursor.name("a constant or the name of a variable or function");
        if (name == "generic" && m_cursor.accept('(')) {
            out.generic = true;
            name = m_cursor.name("the name of a variable or function");
            m_cursor.expect(')');
        }
        out.symbol = name;
        if (m_cursor.peek() == '+' || m_cursor.peek() == '-')
            out.addend = static_cast<std::int64_t>(parseCount(m_cursor, ~0ull, "an offset"));
        return out;
    }

    /// `0xFF00(address)` gives one byte of the address; eight in a row make it up, which is how addresses get
    /// into packed structures.
    void masked(std::uint64_t mask, std::size_t at) {
        const Variable::Relocation target = address(at);
        m_cursor.expect(')');
        const auto byte = static_cast<std::size_t>(std::countr_zero(mask)) / 8;
        if (m_elementBytes != 1 || byte >= kAddressBytes || mask != 0xFFull << (8 * byte))
            m_cursor.fail("a mask has to take one byte of an address into one byte");
        if (byte == 0) {
            if (m_maskedBytes != 0 && m_maskedBytes != kAddressBytes) failIncomplete();
            m_variable.relocations.push_back(target);
        } else {
            if (m_maskedBytes != byte || m_variable.relocations.empty()) failIncomplete();
            const Variable::Relocation& first = m_variable.relocations.back();
            if (first.at + byte != at || first.symbol != target.symbol || first.addend != target.addend ||
                first.generic != target.generic)
                failIncomplete();
        }
        m_maskedBytes = byte + 1;
    }

    Cursor& m_cursor;
    Variable& m_variable;
    Extents m_extents, m_strides; ///< m_strides: bytes of one element of each level
    InitialBudget& m_budget;
    std::size_t m_elementBytes;
    bool m_isOpen = false;
    std::size_t m_maskedBytes = 0; ///< of the address the masks are giving
};

} // namespace

void parseInitialiser(Cursor& cursor, Variable& variable, Extents extents, InitialBudget& budget) {
    Initialiser(cursor, variable, std::move(extents), budget).run();
}

} // namespace dormer::emulator::ptx::parser
