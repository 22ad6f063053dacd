// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/ptx/parser/body.h"

#include "instrument/emulator/ptx/constant.h"
#include "instrument/emulator/ptx/parser/body_scopes.h"
#include "instrument/emulator/ptx/parser/operands.h"
#include "instrument/emulator/ptx/types.h"

#include <fmt/format.h>

#include <deque>
#include <iterator>

namespace dormer::emulator::ptx::parser {
namespace {

class BodyParser {
public:
    BodyParser(const Cursor& cursor, Function& function, const BodyContext& context)
        : m_cursor(cursor)
        , m_function(function)
        , m_context(context)
        , m_scopes(function, context)
        , m_operands(m_cursor, m_scopes, context.names) {}

    void run() {
        m_context.positions.beginFunction();
        m_scopes.open(m_cursor);
        declareParameters(m_function.results, Symbol::Kind::Result);
        declareParameters(m_function.parameters, Symbol::Kind::Parameter);
        while (!m_cursor.atEnd())
            statement();
        if (m_scopes.depth() != 1) m_cursor.fail("a '{' is not closed");
        m_scopes.close();
    }

private:
    void declareParameters(std::vector<Variable>& list, Symbol::Kind kind) {
        for (std::size_t i = 0; i < list.size(); ++i) {
            const std::string& name = m_parameterNames.emplace_back(list[i].name);
            if (list[i].space == Space::Register)
                m_scopes.declareRegister(m_cursor, name, list[i].type);
            else
                list[i].name = m_scopes.declare(m_cursor, name, kind, i);
        }
    }

    void statement() {
        switch (m_cursor.peek()) {
        case '{':
            m_cursor.advance();
            m_scopes.open(m_cursor);
            return;
        case '}':
            if (m_scopes.depth() == 1) m_cursor.fail("a '}' closes nothing");
            m_cursor.advance();
            m_scopes.close();
            return;
        case ';':
            m_cursor.advance();
            return;
        case '.':
            directive(m_cursor.directive());
            return;
        case '@':
            m_cursor.advance();
            guarded();
            return;
        default: {
            const std::string_view word = m_cursor.name("an instruction");
            const std::uint32_t line = m_cursor.line();
            if (m_cursor.peek() == ':') {
                m_cursor.advance();
                label(word);
            } else {
                instruction(word, line, Instruction{});
            }
        }
        }
    }

    void directive(std::string_view word) {
        if (word == "loc") {
            m_position = m_context.positions.read(m_cursor, m_context.module);
            if (m_function.position == kNone) m_function.position = m_position;
        } else if (word == "reg") {
            registers();
        } else if (word == "pragma") {
            m_cursor.quoted();
            m_cursor.expect(';');
        } else if (const auto space = spaceOf(word)) {
            parseVariables(m_cursor, *space, m_context.initialBudget,
                           [this](Variable variable) { variableDeclared(std::move(variable)); });
        } else {
            m_cursor.fail(fmt::format("the directive '.{}' is not known here", word.substr(0, 100)));
        }
    }

    void variableDeclared(Variable variable) {
        for (const auto& relocation : variable.relocations)
            if (!m_context.names.contains(relocation.symbol))
                m_cursor.fail(fmt::format("'{}' is not declared", relocation.symbol.substr(0, 200)));
        const std::string& name = m_variableNames.emplace_back(std::move(variable.name));
        variable.name = m_scopes.declare(m_cursor, name, Symbol::Kind::Variable, m_function.variables.size());
        m_function.variables.push_back(std::move(variable));
    }

    /// Behind `.reg`.
    void registers() {
        const std::string_view typeName = m_cursor.directive();
        if (typeName == "v2" || typeName == "v4") m_cursor.fail("vector registers are not supported");
        const Type type = typeOf(typeName);
        if (type == Type::None || type == Type::Opaque) m_cursor.failUnexpected("the type of a register");
        do {
            const std::string_view name = m_cursor.name("the name of a register");
            if (!m_cursor.accept('<')) {
                m_scopes.declareRegister(m_cursor, name, type);
                continue;
            }
            const Constant count = parseLiteral(m_cursor);
            m_cursor.expect('>');
            if (count.kind != Constant::Kind::Integer)
                m_cursor.fail("a number of registers has to be an integer");
            m_scopes.declareRegisters(m_cursor, name, count.bits, type);
        } while (m_cursor.accept(','));
        m_cursor.expect(';');
    }

    void label(std::string_view name) {
        if (m_cursor.peek() == '.') {
            const Cursor before = m_cursor;
            const std::string_view word = m_cursor.directive();
            if (word == "branchtargets" || word == "calltargets")
                return targetList(name, word == "branchtargets");
            if (word == "callprototype") return prototype(name);
            m_cursor = before;
        }
        auto& labels = m_function.labels;
        labels.emplace_back(m_scopes.declare(m_cursor, name, Symbol::Kind::Label, labels.size()),
                            static_cast<std::uint32_t>(m_function.body.size()));
    }

    void targetList(std::string_view name, bool ofLabels) {
        auto& lists = m_function.targetLists;
        const std::size_t index = lists.size();
        lists.emplace_back(m_scopes.declare(m_cursor, name, Symbol::Kind::TargetList, index),
                           std::vector<std::string>());
        do {
            const std::string_view target = m_cursor.name("the name of a target");
            auto& targets = lists[index].second;
            if (ofLabels)
                m_scopes.useLabelInList(m_cursor, target, index, targets.size());
            else if (!m_context.names.contains(target))
                m_cursor.fail(fmt::format("'{}' is not declared", target.substr(0, 200)));
            targets.emplace_back(target);
        } while (m_cursor.accept(','));
        m_cursor.expect(';');
    }

    /// `(results) _ (parameters) .noreturn`
    void prototype(std::string_view name) {
        Prototype out;
        if (m_cursor.accept('(')) out.results = parseParameters(m_cursor, m_context.initialBudget);
        m_cursor.name("'_'");
        if (m_cursor.accept('(')) out.parameters = parseParameters(m_cursor, m_context.initialBudget);
        m_cursor.skipPast(';'); // .noreturn, .abi_preserve: nothing executes by them
        out.name = m_scopes.declare(m_cursor, name, Symbol::Kind::Prototype, m_function.prototypes.size());
        m_function.prototypes.push_back(std::move(out));
    }

    /// Behind `@`.
    void guarded() {
        Instruction instruction;
        instruction.guardNegated = m_cursor.accept('!');
        const std::string_view name = m_cursor.name("a predicate");
        instruction.guard = m_scopes.findRegister(name);
        if (instruction.guard == kNone)
            m_cursor.fail(fmt::format("'{}' is not declared", name.substr(0, 200)));
        if (m_function.registers[instruction.guard].type != Type::Pred)
            m_cursor.fail(fmt::format("'{}' guards an instruction and is no predicate", name.substr(0, 200)));
        const std::string_view opcode = m_cursor.name("an instruction");
        this->instruction(opcode, m_cursor.line(), std::move(instruction));
    }

    void instruction(std::string_view opcode, std::uint32_t line, Instruction out) {
        out.textLine = line;
        out.position = m_position;
        out.opcode = opcode;
        m_modifiers.clear();
        while (m_cursor.tightPeek() == '.') {
            m_cursor.advance();
            const std::string_view modifier = m_cursor.tightModifier();
            if (modifier.empty()) m_cursor.fail("an opcode ends with a dot");
            m_modifiers.push_back(modifier);
        }
        out.modifiers.assign(m_modifiers.begin(), m_modifiers.end());
        std::vector<Operand>& operands = m_operands.read(opcode == "call", opcode == "bra");
        out.operands.assign(std::make_move_iterator(operands.begin()),
                            std::make_move_iterator(operands.end()));
        for (const OperandReader::Unresolved& use : m_operands.unresolved)
            m_scopes.useLabel(m_cursor, use.name, m_function.body.size(), use.operand);
        m_function.body.push_back(std::move(out));
    }

    Cursor m_cursor;
    Function& m_function;
    BodyContext m_context;
    /// The names as the text has them: the scopes keep views.
    std::deque<std::string> m_parameterNames, m_variableNames;
    BodyScopes m_scopes;
    OperandReader m_operands;
    std::vector<std::string_view> m_modifiers; ///< of the current instruction
    std::uint32_t m_position = kNone;          ///< of the `.loc` in force
};

} // namespace

void parseBody(const Cursor& cursor, Function& function, const BodyContext& context) {
    BodyParser(cursor, function, context).run();
}

} // namespace dormer::emulator::ptx::parser
