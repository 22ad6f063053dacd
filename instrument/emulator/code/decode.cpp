// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/code/decode.h"

#include "analysis/base/demangle.h"
#include "instrument/emulator/code/chain.h"
#include "instrument/emulator/code/function_decoder.h"
#include "instrument/emulator/exec/context_ops.h"
#include "instrument/emulator/memory/place.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace dormer::emulator::code {

namespace {

constexpr std::uint32_t roundUp(std::size_t value, std::size_t unit) {
    return static_cast<std::uint32_t>((value + unit - 1) / unit * unit);
}

/// Names an instruction mentions, in any operand.
void collectNames(const ptx::Operand& operand, std::set<std::string>& names) {
    if (!operand.name.empty()) names.insert(operand.name);
    for (const ptx::Operand& part : operand.parts)
        collectNames(part, names);
}

/// The functions a kernel may reach by name, itself first, with their bodies parsed.
Result<std::vector<std::uint32_t>> reachable(ProgramContext& context, std::uint32_t kernel,
                                             std::set<std::string>& names) {
    std::vector<std::uint32_t> found{kernel};
    bool pointers = false;
    for (std::size_t next = 0; next < found.size(); ++next) {
        if (const Result<void> parsed = context.module.parseBody(found[next]); !parsed)
            return std::unexpected(parsed.error());
        const ptx::Function& function = context.module.module().functions[found[next]];
        std::set<std::string> mentioned;
        for (const ptx::Instruction& instruction : function.body) {
            for (const ptx::Operand& operand : instruction.operands)
                collectNames(operand, mentioned);
            pointers =
                pointers || (instruction.opcode == "call" &&
                             std::ranges::any_of(instruction.operands, [](const ptx::Operand& operand) {
                                 return operand.kind == ptx::Operand::Kind::Register;
                             }));
        }
        // Through a pointer any function in a table may be called.
        if (pointers)
            for (const ptx::Variable& variable : context.module.module().variables)
                for (const ptx::Variable::Relocation& relocation : variable.relocations)
                    mentioned.insert(relocation.symbol);
        for (const std::string& name : mentioned)
            if (const auto callee = context.moduleFunctions.find(name);
                callee != context.moduleFunctions.end())
                if (!context.module.module().functions[callee->second].isExtern &&
                    !context.module.module().functions[callee->second].isEntry &&
                    std::ranges::find(found, callee->second) == found.end())
                    found.push_back(callee->second);
        names.merge(mentioned);
    }
    return found;
}

/// Static shared memory of the kernel and the functions it calls; dynamic memory begins behind it. Returns
/// how many bytes before it the system keeps.
std::uint32_t layOutShared(ProgramContext& context, const std::vector<std::uint32_t>& functions,
                           const std::set<std::string>& names) {
    const bool asksForReserved = std::ranges::any_of(
        names, [](const std::string& name) { return reservedSharedOffset(name).has_value(); });
    const std::uint32_t reserved = asksForReserved ? exec::kReservedSharedBytes : 0;
    std::uint32_t at = reserved, dynamicAlignment = 16;
    std::vector<std::string> dynamic;
    const auto place = [&](const ptx::Variable& variable, const std::string& key) {
        if (variable.bytes == 0) {
            dynamicAlignment = std::max(dynamicAlignment, static_cast<std::uint32_t>(variable.alignment));
            dynamic.push_back(key);
            return;
        }
        at = roundUp(at, variable.alignment);
        context.sharedOffsets[key] = at;
        at += static_cast<std::uint32_t>(variable.bytes);
    };
    for (const std::uint32_t index : functions)
        for (const ptx::Variable& variable : context.module.module().functions[index].variables)
            if (variable.space == ptx::Space::Shared) place(variable, sharedName(index, variable.name));
    for (const ptx::Variable& variable : context.module.module().variables)
        if (variable.space == ptx::Space::Shared && names.contains(variable.name))
            place(variable, variable.name);
    context.program.staticSharedBytes = at;
    for (const std::string& key : dynamic)
        context.sharedOffsets[key] = roundUp(at, dynamicAlignment);
    if (!dynamic.empty()) context.program.staticSharedBytes = roundUp(at, dynamicAlignment);
    return reserved;
}

/// Whether calls by name go round in circles.
bool recurses(const program::Program& program) {
    const std::size_t count = program.functions.size();
    std::vector<std::set<std::uint32_t>> callees(count);
    for (std::size_t f = 0; f < count; ++f) {
        const std::uint32_t first = program.functions[f].firstBlock;
        std::uint32_t end = static_cast<std::uint32_t>(program.blocks.size());
        for (const program::CodeFunction& other : program.functions)
            if (other.firstBlock > first) end = std::min(end, other.firstBlock);
        for (std::uint32_t b = first; b < end; ++b)
            if (program.blocks[b].ending == program::Ending::Call &&
                program.calls[program.blocks[b].operands].function != ptx::kNone)
                callees[f].insert(program.calls[program.blocks[b].operands].function);
    }
    // Functions without callees are taken away until none is left, or only circles are.
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t f = 0; f < count; ++f) {
            for (auto callee = callees[f].begin(); callee != callees[f].end();) {
                if (callees[*callee].empty()) {
                    callee = callees[f].erase(callee);
                    changed = true;
                } else {
                    ++callee;
                }
            }
        }
    }
    return std::ranges::any_of(callees, [](const auto& set) { return !set.empty(); });
}

} // namespace

Result<std::unique_ptr<program::Program>> decodeKernel(ptx::parser::LazyModule& module,
                                                       std::size_t functionIndex,
                                                       const FindVariable& findVariable,
                                                       int computeCapabilityMajor) {
    auto program = std::make_unique<program::Program>();
    ProgramContext context{module, *program, Tables(*program), findVariable, computeCapabilityMajor, {},
                           {},     {}};
    const auto kernel = static_cast<std::uint32_t>(functionIndex);
    for (std::uint32_t i = 0; i < module.module().functions.size(); ++i) {
        // A declaration may precede the definition: the one with a body counts.
        const ptx::Function& function = module.module().functions[i];
        const auto [entry, isNew] = context.moduleFunctions.emplace(function.name, i);
        if (!isNew && !function.isExtern) entry->second = i;
    }
    std::set<std::string> names;
    const Result<std::vector<std::uint32_t>> functions = reachable(context, kernel, names);
    if (!functions) return std::unexpected(functions.error());
    program->module = &module.module();
    const std::string kernelName = base::demangled(module.module().functions[kernel].name);

    const std::uint32_t reservedShared = layOutShared(context, *functions, names);
    context.usesReservedShared = reservedShared > 0;
    for (const std::uint32_t index : *functions) {
        context.functions.emplace(index, static_cast<std::uint32_t>(program->functions.size()));
        program::CodeFunction function;
        function.name = module.module().functions[index].name;
        function.moduleFunction = index;
        program->functions.push_back(std::move(function));
    }
    for (const std::uint32_t index : *functions) {
        const ptx::Instruction* at = nullptr;
        const auto unsupported = [&](const std::string& what) {
            const std::string place = at != nullptr
                                          ? memory::describePlace(module.module(), at->position, at->textLine)
                                          : std::string();
            return failure(ErrorKind::Target, fmt::format("kernel {}: {}{}{}", kernelName, what,
                                                          at != nullptr ? ": " + instructionText(*at) : "",
                                                          place.empty() ? "" : ", at " + place));
        };
        FunctionDecoder decoder(context, index); // holds what `at` points to
        try {
            decoder.decode(at);
        } catch (const NotSupported& problem) {
            return unsupported(problem.what);
        } catch (const std::out_of_range&) { // an operand or a label is missing
            return unsupported("an instruction of a form the emulator does not know");
        }
    }
    program->functionOfModule.assign(module.module().functions.size(), ptx::kNone);
    for (const auto& [inModule, inProgram] : context.functions)
        program->functionOfModule[inModule] = inProgram;
    program->mayRecurse = program->mayRecurse || recurses(*program);
    findChains(*program);

    program::KernelFacts& facts = program->kernelFacts;
    facts.name = module.module().functions[kernel].name;
    facts.ptxTarget = module.module().targetNumber;
    facts.staticSharedBytes = program->staticSharedBytes - reservedShared;
    const ptx::Function& function = module.module().functions[kernel];
    if (function.requiredCluster[0])
        facts.cluster = {*function.requiredCluster[0], function.requiredCluster[1].value_or(1),
                         function.requiredCluster[2].value_or(1)};
    facts.needsCluster = function.explicitCluster && !function.requiredCluster[0];
    const auto threads = [](const auto& dims) {
        return dims[0] ? std::uint64_t{*dims[0]} * dims[1].value_or(1) * dims[2].value_or(1) : 0;
    };
    const std::uint64_t bound = std::max(threads(function.maxThreads), threads(function.requiredThreads));
    if (bound != 0)
        facts.maxThreadsPerBlock = static_cast<std::uint32_t>(std::min<std::uint64_t>(bound, 1024));
    return program;
}

} // namespace dormer::emulator::code
