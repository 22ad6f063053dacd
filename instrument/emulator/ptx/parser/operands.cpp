// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/ptx/parser/operands.h"

#include "instrument/emulator/ptx/constant.h"
#include "instrument/emulator/ptx/types.h"

#include <fmt/format.h>

#include <limits>

namespace dormer::emulator::ptx::parser {
namespace {

Operand fromConstant(const Constant& constant) {
    Operand out;
    out.bits = constant.bits;
    switch (constant.kind) {
    case Constant::Kind::Integer:
        out.kind = Operand::Kind::Integer;
        break;
    case Constant::Kind::Float32:
        out.kind = Operand::Kind::Float32;
        break;
    case Constant::Kind::Float64:
        out.kind = Operand::Kind::Float64;
        break;
    }
    return out;
}

std::int64_t parseOffset(Cursor& cursor) {
    return static_cast<std::int64_t>(
        parseCount(cursor, std::numeric_limits<std::uint64_t>::max(), "an offset"));
}

bool beginsOffset(Cursor& cursor) {
    return cursor.peek() == '+' || cursor.peek() == '-';
}

} // namespace

bool OperandReader::resolve(std::string_view name, Operand& out) const {
    if (out.reg = m_scopes.findRegister(name); out.reg != kNone) {
        out.kind = Operand::Kind::Register;
        return true;
    }
    if (const std::string* variable = m_scopes.findVariable(name)) {
        out.kind = Operand::Kind::Symbol;
        out.name = *variable;
        return true;
    }
    if (m_names.contains(name)) {
        out.kind = Operand::Kind::Symbol;
        out.name = name;
        return true;
    }
    return false;
}

/// A word, a constant or a sink: what stands alone or inside of brackets.
Operand OperandReader::single(bool mayBeLabel, bool isBranch) {
    Operand out;
    const Cursor begin = m_cursor;
    out.negated = m_cursor.accept('!');
    if (beginsConstant(m_cursor.peek())) {
        m_cursor = begin; // the negation is an operator of the constant
        return fromConstant(parseConstant(m_cursor));
    }

    std::string_view name = m_cursor.name("an operand");
    if (name == "_" && !out.negated) return out;
    if (name[0] == '%' && m_cursor.tightPeek() == '.') {
        const char component = m_cursor.tightPeek(1);
        if (component >= 'w' && component <= 'z' && !isWordCharacter(m_cursor.tightPeek(2))) {
            name = {name.data(), name.size() + 2};
            m_cursor.advanceTo(name.data() + name.size());
        }
    }
    if (isBranch && m_scopes.findRegister(name) == kNone) {
        out.kind = Operand::Kind::Symbol;
        unresolved.push_back({name, m_operands.size()});
        return out;
    }
    if (!resolve(name, out)) {
        out.kind = isSpecialRegister(name) ? Operand::Kind::Special : Operand::Kind::Symbol;
        if (out.kind == Operand::Kind::Special) {
            out.name = name;
        } else {
            if (!mayBeLabel || out.negated || name[0] == '%')
                m_cursor.fail(fmt::format("'{}' is not declared", name.substr(0, 200)));
            unresolved.push_back({name, m_operands.size()});
        }
    } else if (out.kind == Operand::Kind::Symbol && beginsOffset(m_cursor)) {
        out.offset = parseOffset(m_cursor);
    } else if (out.kind == Operand::Kind::Register && m_cursor.tightPeek() == '.') {
        // Bytes or halves of it, as video instructions take them: "%r1.b0".
        std::size_t length = 1;
        while (isWordCharacter(m_cursor.tightPeek(length)))
            ++length;
        const char* const end = name.data() + name.size();
        out.name.assign(end, length);
        m_cursor.advanceTo(end + length);
    }
    if (out.negated && out.kind != Operand::Kind::Register)
        m_cursor.fail(fmt::format("'!{}' is not the negation of a predicate", name.substr(0, 200)));
    return out;
}

/// Behind `[`: a base with an offset, or a texture with coordinates.
Operand OperandReader::address() {
    Operand out = single(false, false);
    switch (out.kind) {
    case Operand::Kind::Register:
        if (out.negated) m_cursor.fail("an address can't be negated");
        if (beginsOffset(m_cursor)) out.offset = parseOffset(m_cursor);
        break;
    case Operand::Kind::Symbol:
        break;
    case Operand::Kind::Integer:
        out.offset = static_cast<std::int64_t>(out.bits);
        out.bits = 0;
        break;
    default:
        m_cursor.fail("an address has to begin with a register, a name or an integer");
    }
    out.kind = Operand::Kind::Address;
    if (m_cursor.accept(',')) {
        if (m_cursor.peek() != '{') m_cursor.fail("textures with a sampler of their own are not supported");
        m_cursor.advance();
        out.parts = std::move(vector().parts);
    }
    m_cursor.expect(']');
    return out;
}

/// Behind `{`.
Operand OperandReader::vector() {
    Operand out;
    out.kind = Operand::Kind::Vector;
    do
        out.parts.push_back(single(false, false));
    while (m_cursor.accept(','));
    m_cursor.expect('}');
    return out;
}

/// Behind `(`: the arguments or results of a call.
Operand OperandReader::list() {
    Operand out;
    out.kind = Operand::Kind::List;
    if (m_cursor.accept(')')) return out;
    do
        out.parts.push_back(single(false, false));
    while (m_cursor.accept(','));
    m_cursor.expect(')');
    return out;
}

Operand OperandReader::operand(bool isCall, bool isBranch) {
    switch (m_cursor.peek()) {
    case '[':
        m_cursor.advance();
        return address();
    case '{':
        m_cursor.advance();
        return vector();
    case '(':
        if (!isCall) break;
        m_cursor.advance();
        return list();
    default:
        break;
    }
    Operand first = single(true, isBranch);
    const bool canPair = first.kind == Operand::Kind::Register || first.kind == Operand::Kind::Sink;
    if (!canPair || !m_cursor.accept('|')) return first;
    Operand out;
    out.kind = Operand::Kind::Pair;
    out.parts.push_back(std::move(first));
    out.parts.push_back(single(false, false));
    const Operand::Kind second = out.parts[1].kind;
    if (second != Operand::Kind::Register && second != Operand::Kind::Sink)
        m_cursor.fail("the second of two destinations has to be a register");
    return out;
}

std::vector<Operand>& OperandReader::read(bool isCall, bool isBranch) {
    m_operands.clear();
    unresolved.clear();
    if (m_cursor.accept(';')) return m_operands;
    do
        m_operands.push_back(operand(isCall, isBranch));
    while (m_cursor.accept(','));
    m_cursor.expect(';');
    return m_operands;
}

} // namespace dormer::emulator::ptx::parser
