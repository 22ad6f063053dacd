// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/ptx/parser/body_scopes.h"

#include <fmt/format.h>

namespace dormer::emulator::ptx::parser {
namespace {

constexpr std::size_t kMaxScopes = 64;

} // namespace

BodyScopes::BodyScopes(Function& function, const BodyContext& context)
    : m_function(function), m_context(context), m_table(context.table) {
    m_table.clear();
}

void BodyScopes::open(const Cursor& cursor) {
    if (m_table.depth() == kMaxScopes) cursor.fail("blocks are nested too deeply");
    m_table.open();
    m_pendingAtOpen.push_back(m_pending.size());
}

const std::string& BodyScopes::nameOf(const Symbol& symbol) const {
    switch (symbol.kind) {
    case Symbol::Kind::Register:
    case Symbol::Kind::RegisterRange:
        return m_function.registers[symbol.index].name;
    case Symbol::Kind::Variable:
        return m_function.variables[symbol.index].name;
    case Symbol::Kind::Parameter:
        return m_function.parameters[symbol.index].name;
    case Symbol::Kind::Result:
        return m_function.results[symbol.index].name;
    case Symbol::Kind::Label:
        return m_function.labels[symbol.index].first;
    case Symbol::Kind::TargetList:
        return m_function.targetLists[symbol.index].first;
    case Symbol::Kind::Prototype:
        return m_function.prototypes[symbol.index].name;
    }
    return m_function.name;
}

void BodyScopes::close() {
    const std::size_t begin = m_pendingAtOpen.back();
    m_pendingAtOpen.pop_back();
    std::size_t kept = begin;
    for (std::size_t i = begin; i < m_pending.size(); ++i) {
        const Use use = m_pending[i];
        const Symbol* symbol = m_table.findHere(use.name);
        if (symbol == nullptr) {
            if (m_table.depth() == 1)
                throw ParseFailure{use.line, fmt::format("'{}' is not declared", use.name.substr(0, 200))};
            m_pending[kept++] = use;
            continue;
        }
        const bool isLabel = symbol->kind == Symbol::Kind::Label;
        if (!isLabel && (use.inList || (symbol->kind != Symbol::Kind::TargetList &&
                                        symbol->kind != Symbol::Kind::Prototype)))
            throw ParseFailure{use.line, fmt::format("'{}' is not a label", use.name.substr(0, 200))};
        const std::string& name = nameOf(*symbol);
        if (use.inList)
            m_function.targetLists[use.outer].second[use.inner] = name;
        else
            m_function.body[use.outer].operands[use.inner].name = name;
    }
    m_pending.resize(kept);
    m_table.close();
}

// The name itself where it is new in function and module; '#', which no name of the text has, makes others.
std::string BodyScopes::uniqueName(std::string_view name) {
    std::uint32_t& uses = m_uses[name];
    if (++uses == 1 && !m_context.names.contains(name)) return std::string(name);
    if (uses == 1) ++uses;
    return fmt::format("{}#{}", name, uses);
}

void BodyScopes::declareRegister(Cursor& cursor, std::string_view name, Type type) {
    if (m_context.registerBudget == 0) cursor.fail("the module has too many registers");
    --m_context.registerBudget;
    const auto index = static_cast<std::uint32_t>(m_function.registers.size());
    if (!m_table.declare(name, {Symbol::Kind::Register, index, 1}))
        cursor.fail(fmt::format("'{}' is declared twice", name.substr(0, 200)));
    m_function.registers.push_back({std::string(name), type});
}

void BodyScopes::declareRegisters(Cursor& cursor, std::string_view prefix, std::uint64_t count, Type type) {
    if (m_context.registerBudget < count) cursor.fail("the module has too many registers");
    m_context.registerBudget -= count;
    const auto index = static_cast<std::uint32_t>(m_function.registers.size());
    if (!m_table.declare(prefix, {Symbol::Kind::RegisterRange, index, static_cast<std::uint32_t>(count)}))
        cursor.fail(fmt::format("'{}<…>' is declared twice", prefix.substr(0, 200)));
    m_function.registers.reserve(m_function.registers.size() + count);
    for (std::uint64_t i = 0; i < count; ++i)
        m_function.registers.push_back({std::string(prefix).append(std::to_string(i)), type});
}

std::string BodyScopes::declare(const Cursor& cursor, std::string_view name, Symbol::Kind kind,
                                std::size_t index) {
    if (!m_table.declare(name, {kind, static_cast<std::uint32_t>(index), 1}))
        cursor.fail(fmt::format("'{}' is declared twice", name.substr(0, 200)));
    return uniqueName(name);
}

const std::string* BodyScopes::findVariable(std::string_view name) const {
    const Symbol* symbol = m_table.find(name);
    if (symbol == nullptr) return nullptr;
    const bool isVariable = symbol->kind == Symbol::Kind::Variable ||
                            symbol->kind == Symbol::Kind::Parameter || symbol->kind == Symbol::Kind::Result;
    return isVariable ? &nameOf(*symbol) : nullptr;
}

void BodyScopes::useLabel(const Cursor& cursor, std::string_view name, std::size_t instruction,
                          std::size_t operand) {
    m_pending.push_back({name, cursor.line(), false, static_cast<std::uint32_t>(instruction),
                         static_cast<std::uint32_t>(operand)});
}

void BodyScopes::useLabelInList(const Cursor& cursor, std::string_view name, std::size_t list,
                                std::size_t item) {
    m_pending.push_back(
        {name, cursor.line(), true, static_cast<std::uint32_t>(list), static_cast<std::uint32_t>(item)});
}

} // namespace dormer::emulator::ptx::parser
