// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/code/function_decoder.h"
#include "instrument/emulator/exec/calls.h"
#include "instrument/emulator/flow/def_use.h"

#include <algorithm>

namespace dormer::emulator::code {

using namespace flow;

std::uint32_t FunctionDecoder::blockOfLabel(const std::string& label) const {
    const std::uint32_t index = m_labels.at(label);
    const auto found = std::ranges::lower_bound(m_blocks, index, {}, &BasicBlock::begin);
    return m_firstBlock + static_cast<std::uint32_t>(found - m_blocks.begin());
}

void FunctionDecoder::decodeEnding(const ptx::Instruction& instruction, program::CodeBlock& block) {
    const std::string& opcode = instruction.opcode;
    if (instruction.guard != ptx::kNone) {
        block.guard = registerRef(instruction.guard).raw;
        block.guardNegated = instruction.guardNegated;
    }
    if (opcode == "bar" || opcode == "barrier") {
        decodeBarrier(instruction, block);
    } else if (opcode == "wgmma") {
        // Hardware multiplies for all four warps together: who has waited knows that all have read.
        block.ending = program::Ending::Barrier;
        block.operands = static_cast<std::uint32_t>(m_program.barriers.size());
        m_program.barriers.emplace_back();
    } else if (opcode == "call") {
        decodeCall(instruction, block);
    } else if (opcode == "bra") {
        block.ending = program::Ending::Branch;
        block.target = blockOfLabel(instruction.operands.at(0).name);
    } else if (opcode == "brx") {
        block.ending = program::Ending::IndexedBranch;
        program::Program::BranchTargets targets;
        targets.index = sourceRef(instruction.operands.at(0), 4);
        const std::string& list = instruction.operands.at(1).name;
        const auto found =
            std::ranges::find(m_function->targetLists, list, [](const auto& entry) { return entry.first; });
        if (found == m_function->targetLists.end()) throw NotSupported{"brx without a list of targets"};
        for (const std::string& label : found->second)
            targets.blocks.push_back(blockOfLabel(label));
        block.operands = static_cast<std::uint32_t>(m_program.branchTargets.size());
        m_program.branchTargets.push_back(std::move(targets));
    } else if (opcode == "ret") {
        block.ending = program::Ending::Return;
    } else if (opcode == "exit") {
        block.ending = program::Ending::Exit;
    } else if (opcode == "trap") {
        block.ending = program::Ending::Trap;
    } else {
        block.ending = program::Ending::Yield; // nanosleep
    }
    program::InstructionFacts& facts = addFacts(instruction);
    facts.work = block.ending == program::Ending::Barrier || block.ending == program::Ending::ClusterWait
                     ? instructions::Work::Barrier
                     : instructions::Work::Control;
    facts.isBranch = (block.ending == program::Ending::Branch && instruction.guard != ptx::kNone) ||
                     block.ending == program::Ending::IndexedBranch;
    block.endingIndex = static_cast<std::uint32_t>(m_program.instructions.size()) - 1;
}

void FunctionDecoder::decodeBarrier(const ptx::Instruction& instruction, program::CodeBlock& block) {
    const std::vector<ptx::Operand>& operands = instruction.operands;
    if (hasModifier(instruction, "cluster")) {
        block.ending = hasModifier(instruction, "arrive") ? program::Ending::ClusterArrive
                                                          : program::Ending::ClusterWait;
        m_program.clusterBarriers = true;
        return;
    }
    program::BarrierOperands barrier;
    block.ending = program::Ending::Barrier;
    barrier.aligned = instruction.opcode == "bar" || hasModifier(instruction, "aligned");
    std::size_t next = 0;
    if (hasModifier(instruction, "red")) {
        barrier.kind = hasModifier(instruction, "popc")  ? program::BarrierOperands::Kind::RedPopc
                       : hasModifier(instruction, "and") ? program::BarrierOperands::Kind::RedAnd
                                                         : program::BarrierOperands::Kind::RedOr;
        barrier.dst = registerRef(operands.at(next++).reg);
    } else if (hasModifier(instruction, "arrive")) {
        barrier.kind = program::BarrierOperands::Kind::Arrive;
    }
    barrier.id = sourceRef(operands.at(next++), 4);
    const bool reduces = barrier.kind != program::BarrierOperands::Kind::Sync &&
                         barrier.kind != program::BarrierOperands::Kind::Arrive;
    if (next + (reduces ? 1 : 0) < operands.size()) barrier.count = sourceRef(operands[next++], 4);
    if (reduces) {
        barrier.predicate = sourceRef(operands.at(next), 4, true);
        barrier.negated = operands[next].negated;
    }
    block.operands = static_cast<std::uint32_t>(m_program.barriers.size());
    m_program.barriers.push_back(barrier);
}

program::CallOperands::Place FunctionDecoder::callPlace(const ptx::Operand& operand) const {
    if (operand.kind == ptx::Operand::Kind::Symbol)
        if (const auto found = m_parameterPlaces.find(operand.name); found != m_parameterPlaces.end())
            return found->second;
    throw NotSupported{"a call whose arguments are not .param variables"};
}

void FunctionDecoder::decodeCall(const ptx::Instruction& instruction, program::CodeBlock& block) {
    // call (results), function, (arguments), prototype;   results and arguments may be missing
    using OperandKind = ptx::Operand::Kind;
    program::CallOperands call;
    std::size_t next = 0;
    const std::vector<ptx::Operand>& operands = instruction.operands;
    if (operands.at(0).kind == OperandKind::List) {
        for (const ptx::Operand& result : operands[next++].parts)
            call.results.push_back(callPlace(result));
    }
    const ptx::Operand& callee = operands.at(next++);
    if (next < operands.size() && operands[next].kind == OperandKind::List)
        for (const ptx::Operand& argument : operands[next].parts)
            call.arguments.push_back(callPlace(argument));
    block.ending = program::Ending::Call;
    if (callee.kind == OperandKind::Register) {
        block.ending = program::Ending::IndirectCall;
        call.address = registerRef(callee.reg);
        m_program.mayRecurse = true;
    } else if (const auto found = m_context.moduleFunctions.find(callee.name);
               found != m_context.moduleFunctions.end() &&
               !m_context.module.module().functions[found->second].isExtern) {
        // The function gets its place in the program when all callers are known: see decodeKernel.
        const auto [entry, isNew] = m_context.functions.emplace(
            found->second, static_cast<std::uint32_t>(m_program.functions.size()));
        if (isNew) {
            program::CodeFunction function;
            function.name = callee.name;
            function.moduleFunction = found->second;
            m_program.functions.push_back(std::move(function));
        }
        call.function = entry->second;
    } else if (exec::isExternal(callee.name)) {
        call.external = callee.name;
    } else {
        // __cudaCDP2LaunchDeviceV2 and the like: of libcudadevrt.
        const bool launches = callee.name.find("GetParameterBuffer") != std::string::npos ||
                              callee.name.find("LaunchDevice") != std::string::npos;
        throw NotSupported{launches ? "dynamic parallelism (a launch in device code)"
                                    : "a call of " + callee.name + ", which the emulator does not have"};
    }
    block.operands = static_cast<std::uint32_t>(m_program.calls.size());
    m_program.calls.push_back(std::move(call));
}

} // namespace dormer::emulator::code
