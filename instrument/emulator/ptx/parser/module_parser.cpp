// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/ptx/parser/module_parser.h"

#include "instrument/emulator/ptx/constant.h"
#include "instrument/emulator/ptx/debug_strings.h"
#include "instrument/emulator/ptx/parser/function_head.h"

#include <fmt/format.h>

#include <array>
#include <limits>

namespace dormer::emulator::ptx::parser {
namespace {

/// Registers a module may declare beyond one for each of its bytes, which compilers stay far below.
constexpr std::size_t kSpareRegisters = 1'000'000;

std::uint32_t small(Cursor& cursor, const char* what) {
    const Constant c = parseLiteral(cursor);
    if (c.kind != Constant::Kind::Integer || c.bits > std::numeric_limits<std::int32_t>::max())
        cursor.fail(fmt::format("{} has to be a small integer", what));
    return static_cast<std::uint32_t>(c.bits);
}

} // namespace

ModuleParser::ModuleParser(std::string_view text, ParsedModule& out)
    : m_cursor(text), m_out(out), m_module(out.module) {
    m_out.registerBudget = kSpareRegisters + text.size();
}

void ModuleParser::run() {
    while (!m_cursor.atEnd()) {
        if (m_cursor.peek() == '@' && m_cursor.tightPeek(1) == '@') {
            m_cursor.skipPast('\n'); // @@DWARF of old compilers
            continue;
        }
        m_directive = {m_cursor.rest(), m_cursor.line()};
        Linking linking;
        std::string_view word = m_cursor.directive();
        while (word == "visible" || word == "weak" || word == "extern" || word == "common") {
            linking.isExtern |= word == "extern";
            word = m_cursor.directive();
        }
        if (word.empty()) m_cursor.failUnexpected("a directive");
        directive(word, linking);
    }
    if (m_module.target.empty()) m_cursor.fail("there is no .target");
    checkRelocations();
    checkAliases();
}

void ModuleParser::directive(std::string_view word, Linking linking) {
    if (word == "version") return version();
    if (word == "target") return target();
    if (word == "file") return file();
    if (word == "section") return section();
    if (word == "entry" || word == "func") return function(word == "entry", linking);
    if (word == "alias") return alias();
    if (word == "address_size") {
        if (small(m_cursor, ".address_size") != 64) m_cursor.fail("only 64-bit addresses are supported");
    } else if (word == "loc") {
        (void)m_out.positions.read(m_cursor, m_module); // of no instruction
    } else if (word == "pragma") {
        m_cursor.quoted();
        m_cursor.expect(';');
    } else if (const auto space = spaceOf(word); space && space != Space::Register && space != Space::Param) {
        parseVariables(m_cursor, *space, m_out.initialBudget,
                       [&](Variable v) { variable(std::move(v), linking); });
    } else {
        m_cursor.fail(fmt::format("the directive '.{}' is not known here", word.substr(0, 100)));
    }
}

void ModuleParser::version() {
    // "9.0" as two numbers: it is no decimal fraction.
    m_cursor.skipSpace();
    const std::string_view rest = m_cursor.rest();
    std::size_t at = 0;
    std::array<std::uint32_t, 2> numbers{};
    for (std::size_t i = 0; i < 2; ++i) {
        const std::size_t begin = at;
        for (; at < rest.size() && rest[at] >= '0' && rest[at] <= '9' && at - begin < 4; ++at)
            numbers[i] = numbers[i] * 10 + static_cast<std::uint32_t>(rest[at] - '0');
        if (at == begin || (i == 0 && (at == rest.size() || rest[at++] != '.')))
            m_cursor.failUnexpected("a version like 9.0");
    }
    m_cursor.advanceTo(rest.data() + at);
    m_module.versionMajor = numbers[0];
    m_module.versionMinor = numbers[1];
}

void ModuleParser::target() {
    do {
        const std::string_view word = m_cursor.name("a target");
        if (!word.starts_with("sm_") && !word.starts_with("compute_")) continue; // texmode_unified, debug
        std::uint32_t number = 0;
        for (const char c : word.substr(word.find('_') + 1)) {
            if (c < '0' || c > '9' || number > 1000) break;
            number = number * 10 + static_cast<std::uint32_t>(c - '0');
        }
        m_module.target = word;
        m_module.targetNumber = number;
    } while (m_cursor.accept(','));
}

void ModuleParser::file() {
    const std::uint32_t number = small(m_cursor, "the number of a file");
    m_module.files.emplace_back(number, std::string(m_cursor.quoted()));
    while (m_cursor.accept(','))
        (void)parseLiteral(m_cursor); // time and size
}

void ModuleParser::section() {
    const std::string_view name = m_cursor.directive();
    (void)m_cursor.peek();
    const std::uint32_t line = m_cursor.line();
    const std::string_view text = m_cursor.block();
    if (name == "debug_str") readDebugStrings(text, line, m_out.positions.functionNames);
}

void ModuleParser::function(bool isEntry, Linking linking) {
    Function head = parseFunctionHead(m_cursor, isEntry, m_out.initialBudget);
    const bool declaredOnly = head.isExtern;
    if (linking.isExtern && !declaredOnly) m_cursor.fail("an .extern function has a body");
    BodyText body;
    if (!declaredOnly) {
        body.line = m_cursor.line();
        body.text = m_cursor.block();
    }
    BodyText text;
    if (!declaredOnly)
        text = {m_directive.text.substr(0, m_directive.text.size() - m_cursor.rest().size()),
                m_directive.line};
    const auto index = static_cast<std::uint32_t>(m_module.functions.size());
    const auto [entry, isNew] =
        m_out.names.try_emplace(head.name, ModuleSymbol{ModuleSymbol::Kind::Function, index});
    if (isNew) {
        m_module.functions.push_back(std::move(head));
        m_out.bodies.push_back(body);
        m_out.texts.push_back(text);
        return;
    }
    // Declared before: the definition takes its place, a second declaration says nothing new.
    const std::uint32_t known = entry->second.index;
    if (entry->second.kind != ModuleSymbol::Kind::Function ||
        (!declaredOnly && !m_module.functions[known].isExtern) ||
        m_module.functions[known].isEntry != isEntry)
        m_cursor.fail(fmt::format("'{}' is declared twice", head.name.substr(0, 200)));
    if (declaredOnly) return;
    m_module.functions[known] = std::move(head);
    m_out.bodies[known] = body;
    m_out.texts[known] = text;
}

void ModuleParser::variable(Variable variable, Linking linking) {
    variable.isExtern = linking.isExtern;
    if (variable.isExtern && !variable.initial.empty()) m_cursor.fail("an .extern variable is initialised");
    const auto index = static_cast<std::uint32_t>(m_module.variables.size());
    const auto [entry, isNew] =
        m_out.names.try_emplace(variable.name, ModuleSymbol{ModuleSymbol::Kind::Variable, index});
    if (isNew) {
        m_module.variables.push_back(std::move(variable));
        return;
    }
    const std::uint32_t known = entry->second.index;
    if (entry->second.kind != ModuleSymbol::Kind::Variable ||
        (!m_module.variables[known].isExtern && !variable.isExtern))
        m_cursor.fail(fmt::format("'{}' is declared twice", variable.name.substr(0, 200)));
    if (!variable.isExtern) m_module.variables[known] = std::move(variable);
}

void ModuleParser::alias() {
    const std::string_view name = m_cursor.name("the name of a function");
    m_cursor.expect(',');
    const std::string_view target = m_cursor.name("the name of a function");
    m_cursor.expect(';');
    m_module.aliases.emplace_back(name, target);
}

void ModuleParser::checkRelocations() const {
    for (const Variable& variable : m_module.variables)
        for (const Variable::Relocation& relocation : variable.relocations)
            if (!m_out.names.contains(relocation.symbol))
                m_cursor.fail(fmt::format("'{}', which the initialiser of '{}' names, is not declared",
                                          relocation.symbol.substr(0, 200), variable.name.substr(0, 200)));
}

void ModuleParser::checkAliases() const {
    const auto isFunction = [this](const std::string& name) {
        const auto found = m_out.names.find(name);
        return found != m_out.names.end() && found->second.kind == ModuleSymbol::Kind::Function;
    };
    for (const auto& [name, target] : m_module.aliases)
        if (!isFunction(name) || !isFunction(target))
            m_cursor.fail(
                fmt::format(".alias {}, {} names no functions", name.substr(0, 200), target.substr(0, 200)));
}

} // namespace dormer::emulator::ptx::parser
