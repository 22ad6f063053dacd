// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/ptx/parser/parse.h"
#include "tests/fuzz/targets.h"

#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>

namespace dormer::fuzz {
namespace {

using namespace emulator::ptx;

using namespace emulator::ptx::parser;

void require(bool promise, const char* what) {
    if (promise) return;
    std::fprintf(stderr, "the PTX parser broke its promise: %s\n", what);
    std::abort();
}

void checkVariable(const Variable& v, const std::set<std::string>& names) {
    require(v.alignment > 0 && (v.alignment & (v.alignment - 1)) == 0, "alignments are powers of two");
    require(v.initial.empty() || v.initial.size() == v.bytes, "initial values are whole");
    for (const Variable::Relocation& r : v.relocations) {
        require(r.at + 8 <= v.initial.size(), "addresses lie inside of the variable");
        require(names.contains(r.symbol), "addresses are of known names");
    }
}

struct FunctionNames {
    const std::set<std::string>& module;
    std::set<std::string> own;
    [[nodiscard]] bool contains(const std::string& name) const {
        return own.contains(name) || module.contains(name);
    }
};

void checkOperand(const Operand& o, const Function& f, const FunctionNames& names) {
    require(o.reg == kNone || o.reg < f.registers.size(), "registers exist");
    if (o.kind == Operand::Kind::Register) require(o.reg != kNone, "a register operand has one");
    if (o.kind == Operand::Kind::Symbol) require(names.contains(o.name), "symbols exist");
    if (o.kind == Operand::Kind::Address) {
        require(o.name.empty() || o.reg == kNone, "an address has one base");
        require(o.name.empty() || names.contains(o.name), "bases of addresses exist");
    }
    if (o.kind == Operand::Kind::Pair) require(o.parts.size() == 2, "a pair is two");
    for (const Operand& part : o.parts)
        checkOperand(part, f, names);
}

void checkFunction(const Function& f, const Module& m, const std::set<std::string>& moduleNames) {
    FunctionNames names{moduleNames, {}};
    const auto add = [&](const std::string& name) {
        require(names.own.insert(name).second, "names in a function are unique");
        require(f.isExtern || !moduleNames.contains(name), "names of a function are not the module's");
    };
    for (const auto* list : {&f.results, &f.parameters}) {
        for (const Variable& v : *list) {
            checkVariable(v, moduleNames);
            // Declarations use any names, "_" too.
            if (!f.isExtern && v.space != Space::Register) add(v.name);
        }
    }
    for (const Variable& v : f.variables) {
        checkVariable(v, moduleNames);
        add(v.name);
    }
    for (const auto& [name, index] : f.labels) {
        require(index <= f.body.size(), "labels are in the body");
        add(name);
    }
    for (const auto& list : f.targetLists)
        add(list.first);
    for (const Prototype& p : f.prototypes)
        add(p.name);
    for (const auto& [listName, targets] : f.targetLists)
        for (const std::string& target : targets)
            require(names.contains(target), "targets exist");
    require(f.position == kNone || f.position < m.positions.size(), "a function's position exists");
    for (const Instruction& i : f.body) {
        require(!i.opcode.empty(), "an instruction has an opcode");
        require(i.guard == kNone || i.guard < f.registers.size(), "guards exist");
        require(i.position == kNone || i.position < m.positions.size(), "positions exist");
        for (const Operand& o : i.operands)
            checkOperand(o, f, names);
    }
}

} // namespace

void ptx(std::span<const std::uint8_t> input) {
    const auto module =
        parseModule(std::string_view(reinterpret_cast<const char*>(input.data()), input.size()));
    if (!module) {
        require(module.error().message.starts_with("PTX line "), "an error names its line");
        require(module.error().message.size() < 1000, "an error is one line");
        return;
    }
    std::set<std::string> names;
    for (const Variable& v : module->variables)
        require(names.insert(v.name).second, "names in a module are unique");
    for (const Function& f : module->functions)
        require(names.insert(f.name).second, "names in a module are unique");
    for (const Variable& v : module->variables)
        checkVariable(v, names);
    for (std::size_t i = 0; i < module->positions.size(); ++i) {
        const std::uint32_t outer = module->positions[i].inlinedAt;
        require(outer == kNone || outer < i, "inlining chains end");
    }
    for (const Function& f : module->functions)
        checkFunction(f, *module, names);
}

} // namespace dormer::fuzz
