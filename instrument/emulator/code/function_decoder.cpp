// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/code/function_decoder.h"
#include "instrument/emulator/exec/context_ops.h"

#include "instrument/emulator/code/poll_loops.h"
#include "instrument/emulator/flow/def_use.h"
#include "instrument/emulator/flow/merged_loads.h"
#include "instrument/emulator/flow/trailing_zeros.h"
#include "instrument/emulator/ptx/types.h"

#include <algorithm>
#include <bit>

namespace dormer::emulator::code {

using namespace flow;

namespace {

constexpr std::uint32_t roundUp(std::size_t value, std::size_t unit) {
    return static_cast<std::uint32_t>((value + unit - 1) / unit * unit);
}

/// What is left of an instruction of a pair that became one.
void fuse(program::InstructionFacts& facts, Fused part) {
    using enum instructions::Work;
    switch (part) {
    case Fused::No:
    case Fused::Other:
        return;
    case Fused::First:
        facts.instructions = 0;
        facts.latency = 0;
        return;
    case Fused::Fma:
        facts.work = facts.work == Fp64Add ? Fp64Fma : Fp32Fma;
        return;
    case Fused::Mad:
        facts.work = IntMul;
        facts.instructions = 1;
        return;
    }
}

bool isLoadStore(const std::string& opcode) {
    return opcode == "ld" || opcode == "ldu" || opcode == "st";
}

} // namespace

std::string instructionText(const ptx::Instruction& instruction) {
    std::string text = instruction.opcode;
    for (const std::string& modifier : instruction.modifiers)
        text += "." + modifier;
    return text;
}

std::string sharedName(std::uint32_t moduleFunction, const std::string& variable) {
    return std::to_string(moduleFunction) + ":" + variable;
}

FunctionDecoder::FunctionDecoder(ProgramContext& context, std::uint32_t moduleFunction)
    : m_context(context)
    , m_program(context.program)
    , m_index(moduleFunction)
    , m_function(&context.module.module().functions[moduleFunction]) {}

void FunctionDecoder::decode(const ptx::Instruction*& at) {
    const std::size_t count = m_function->body.size();
    m_blocks = findBlocks(*m_function);
    mergeLoads();
    for (const auto& [name, index] : m_function->labels)
        m_labels.emplace(name, index);
    m_folded.assign(count, false);
    m_constant.assign(m_function->registers.size(), {});
    layOutParameters();
    foldConstants();
    std::vector<bool> withoutPlace(m_function->registers.size());
    for (std::size_t r = 0; r < m_constant.size(); ++r)
        withoutPlace[r] = m_constant[r].present();
    m_frame = placeRegisters(*m_function, m_blocks, withoutPlace);
    m_uses.assign(m_function->registers.size(), 0);
    DefUse found;
    for (const ptx::Instruction& instruction : m_function->body) {
        findDefUse(instruction, found);
        for (const std::uint32_t r : found.uses)
            ++m_uses[r];
    }
    m_fused = fusedPairs(*m_function, m_blocks, m_uses, m_constant);

    program::CodeFunction& self = m_program.functions[m_context.functions.at(m_index)];
    self.registerBytes = std::max<std::uint32_t>(m_frame.bytes, 64);
    m_program.registersEstimate = std::max(m_program.registersEstimate, m_frame.widest32);
    m_firstBlock = static_cast<std::uint32_t>(m_program.blocks.size());
    self.firstBlock = m_firstBlock;
    m_program.blocks.resize(m_firstBlock + m_blocks.size());
    for (std::uint32_t b = 0; b < m_blocks.size(); ++b) {
        m_currentBlock = m_firstBlock + b;
        program::CodeBlock block;
        block.first = static_cast<std::uint32_t>(m_program.insts.size());
        block.next =
            m_firstBlock + std::min<std::uint32_t>(b + 1, static_cast<std::uint32_t>(m_blocks.size()) - 1);
        block.placeIndex = static_cast<std::uint32_t>(m_program.instructions.size());
        block.ptxInstructions = m_blocks[b].end - m_blocks[b].begin;
        if (m_blocks[b].postDominator != ptx::kNone)
            block.postDominator = m_firstBlock + m_blocks[b].postDominator;
        if (b == 0 && isKernel() && m_context.usesReservedShared) appendEntry(exec::usesReservedShared, 0);
        if (b == 0 && m_usesStack) appendEntry(exec::beginStack, m_stackPlace);
        for (std::uint32_t i = m_blocks[b].begin; i < m_blocks[b].end; ++i) {
            at = &m_function->body[i];
            if (m_blocks[b].hasEnding && i + 1 == m_blocks[b].end)
                decodeEnding(*at, block);
            else if (!m_folded[i])
                decodeInstruction(*at);
        }
        addSetUp(b);
        if (m_blocks[b].begin == m_blocks[b].end)
            block.ending = program::Ending::Return; // the end of the body
        block.count = static_cast<std::uint32_t>(m_program.insts.size()) - block.first;
        if (block.placeIndex == m_program.instructions.size() && block.placeIndex > 0) --block.placeIndex;
        m_program.blocks[m_currentBlock] = block;
    }
    markPollLoops(m_program, m_firstBlock, *m_function, m_blocks, m_frame);
    at = nullptr;
}

void FunctionDecoder::mergeLoads() {
    if (std::ranges::none_of(m_function->body, [](const ptx::Instruction& instruction) {
            return instruction.opcode == "ld" && hasModifier(instruction, "shared");
        }))
        return;
    m_merged = *m_function;
    mergeSharedLoads(m_merged, m_blocks, [this](const std::string& name) -> std::size_t {
        const auto& shared = m_context.sharedOffsets;
        auto place = shared.find(sharedName(m_index, name));
        if (place == shared.end()) place = shared.find(name);
        if (place == shared.end()) return 1;
        // Shared memory itself begins at a multiple of 1024.
        constexpr std::size_t kWindow = 1024;
        return std::min(kWindow, std::size_t{1} << trailingZeros(std::uint64_t{place->second} | kWindow));
    });
    m_function = &m_merged;
}

void FunctionDecoder::layOutParameters() {
    program::CodeFunction& self = m_program.functions[m_context.functions.at(m_index)];
    std::uint32_t at = 0;
    const auto place = [&](const ptx::Variable& variable) {
        at = roundUp(at, std::max<std::size_t>(variable.alignment, 1));
        const program::CallOperands::Place result{at, static_cast<std::uint32_t>(variable.bytes)};
        at += result.bytes;
        m_parameterPlaces[variable.name] = result;
        return result;
    };
    if (isKernel()) {
        std::uint32_t kernelAt = 0; // the kernel's own come from the launch
        for (const ptx::Variable& parameter : m_function->parameters) {
            kernelAt = roundUp(kernelAt, std::max<std::size_t>(parameter.alignment, 1));
            m_program.kernelFacts.parameters.push_back({kernelAt, parameter.bytes});
            kernelAt += static_cast<std::uint32_t>(parameter.bytes);
        }
        m_program.kernelFacts.parameterBytes = kernelAt;
    } else {
        for (const ptx::Variable& result : m_function->results)
            self.results.push_back(place(result));
        for (const ptx::Variable& parameter : m_function->parameters)
            self.parameters.push_back(place(parameter));
    }
    for (const ptx::Variable& variable : m_function->variables) {
        if (variable.space == ptx::Space::Param) {
            place(variable);
        } else if (variable.space == ptx::Space::Local) {
            self.localBytes = roundUp(self.localBytes, std::max<std::size_t>(variable.alignment, 1));
            m_localPlaces[variable.name] = self.localBytes;
            self.localBytes += static_cast<std::uint32_t>(variable.bytes);
        }
    }
    self.parameterBytes = roundUp(at, 16);
    self.localBytes = roundUp(self.localBytes, 16);
    if (isKernel()) m_program.kernelFacts.localBytesPerThread = self.localBytes;
    m_usesStack = std::ranges::any_of(m_function->body, [](const ptx::Instruction& instruction) {
        return instruction.opcode == "alloca" || instruction.opcode == "stacksave";
    });
    if (m_usesStack) {
        m_stackPlace = self.localBytes;
        self.localBytes += sizeof(exec::GrowingStack) + exec::GrowingStack::kBytes;
    }
}

void FunctionDecoder::appendEntry(instructions::Handler run, std::uint64_t imm) {
    program::InstructionFacts& facts = addFacts(m_function->body.front());
    facts.guarded = false;
    facts.instructions = 0;
    instructions::Inst& inst = m_program.insts.emplace_back();
    inst.run = run;
    inst.imm = imm;
    inst.index = static_cast<std::uint32_t>(m_program.instructions.size()) - 1;
}

void FunctionDecoder::addSetUp(std::uint32_t b) {
    constexpr int kDescriptors = 8, kLoadedArguments = 9; // compute capability
    float count = 0;
    for (std::uint32_t i = m_blocks[b].begin; i < m_blocks[b].end; ++i) {
        if (!m_folded[i]) continue;
        const ptx::Instruction& instruction = m_function->body[i];
        const bool isSpecial =
            instruction.opcode == "mov" && instruction.operands[1].kind == ptx::Operand::Kind::Special;
        // The launch's sizes lie beside its arguments; the rest is read by S2R.
        const bool isArgument = instruction.opcode == "ld" ||
                                (isSpecial && (instruction.operands[1].name.starts_with("%ntid") ||
                                               instruction.operands[1].name.starts_with("%nctaid")));
        if (isArgument ? m_context.computeCapabilityMajor >= kLoadedArguments : isSpecial) ++count;
    }
    if (b == 0 && isKernel()) count += m_context.computeCapabilityMajor >= kDescriptors ? 2 : 1;
    if (count == 0 || m_function->body.empty()) return;
    program::InstructionFacts& facts = addFacts(m_function->body[m_blocks[b].begin]);
    facts.guarded = false;
    facts.work = instructions::Work::Move;
    facts.instructions = count;
}

program::InstructionFacts& FunctionDecoder::addFacts(const ptx::Instruction& instruction) {
    program::InstructionFacts facts;
    facts.ptxLine = instruction.textLine;
    facts.position = instruction.position;
    facts.text = instructionText(instruction);
    facts.guarded = instruction.guard != ptx::kNone;
    facts.block = m_currentBlock;
    return m_program.instructions.emplace_back(std::move(facts));
}

instructions::Inst& FunctionDecoder::append(const ptx::Instruction& instruction,
                                            const program::InstructionFacts& facts) {
    instructions::Inst& inst = m_program.insts.emplace_back();
    inst.index = static_cast<std::uint32_t>(m_program.instructions.size()) - 1;
    if (instruction.guard != ptx::kNone) {
        inst.guard = registerRef(instruction.guard).raw;
        inst.guardNegated = instruction.guardNegated;
        inst.countsGuard = !facts.isMemory;
    }
    return inst;
}

instructions::Ref* FunctionDecoder::addRefs(std::vector<instructions::Ref> refs) {
    return m_program.refLists.emplace_back(std::move(refs)).data();
}

void FunctionDecoder::decodeInstruction(const ptx::Instruction& instruction) {
    const std::string& opcode = instruction.opcode;
    if (hasModifier(instruction, "sync") && opcode != "bar") awaitMembers(instruction);
    if ((opcode == "st" || opcode == "red") && hasModifier(instruction, "async"))
        decodeAsyncStore(instruction);
    else if (isLoadStore(opcode))
        decodeLoadStore(instruction);
    else if (opcode == "atom" || opcode == "red")
        decodeAtomic(instruction);
    else if (!decodeCopy(instruction) && !decodeContext(instruction) && !decodeSpecial(instruction))
        decodeRegisterOnly(instruction);
}

void FunctionDecoder::awaitMembers(const ptx::Instruction& instruction) {
    static constexpr std::string_view kMasked[] = {"shfl", "vote", "match", "redux", "elect"};
    instructions::Ref members; // without a mask all take part
    if (std::ranges::find(kMasked, instruction.opcode) != std::end(kMasked))
        members = sourceRef(instruction.operands.back(), 4);
    instructions::Inst& inst = m_program.insts.emplace_back();
    inst.run = exec::awaitMembers;
    inst.a = members;
    inst.index =
        static_cast<std::uint32_t>(m_program.instructions.size()); // the instruction's, which follows
    if (instruction.guard != ptx::kNone) {
        inst.guard = registerRef(instruction.guard).raw;
        inst.guardNegated = instruction.guardNegated;
    }
}

void FunctionDecoder::decodeRegisterOnly(const ptx::Instruction& instruction) {
    using OperandKind = ptx::Operand::Kind;
    std::vector<operations::OperandShape> shapes;
    const bool flat = instruction.opcode == "mma" || instruction.opcode == "wmma" ||
                      (instruction.opcode == "mov" &&
                       std::ranges::any_of(instruction.operands, [](const ptx::Operand& operand) {
                           return operand.kind == OperandKind::Vector;
                       }));
    const bool onPredicates = hasModifier(instruction, "pred");
    const auto shapeOf = [&](const ptx::Operand& operand, std::size_t index) {
        operations::OperandShape shape;
        const ptx::Operand& first = operand.parts.empty() ? operand : operand.parts[0];
        if (first.kind == OperandKind::Register) {
            shape.bytes = bytesOf(first.reg);
            shape.predicate = shape.bytes == 0;
        } else if (first.kind != OperandKind::Sink) {
            const operations::ImmediateShape immediate = operations::immediateShape(instruction, index);
            // vote's last operand names lanes, the others are predicates.
            const bool namesLanes = instruction.opcode == "vote" && index == 2;
            shape.predicate = onPredicates && !namesLanes && first.kind == OperandKind::Integer;
            shape.bytes = shape.predicate ? 0 : immediate.bytes;
            shape.immediate = first.kind == OperandKind::Integer || first.kind == OperandKind::Float32 ||
                              first.kind == OperandKind::Float64;
            if (shape.immediate) shape.bits = immediateBits(first, immediate.bytes);
        }
        return shape;
    };
    for (std::size_t i = 0; i < instruction.operands.size(); ++i)
        shapes.push_back(shapeOf(instruction.operands[i], i));
    if (std::ranges::any_of(instruction.operands, [](const ptx::Operand& operand) {
            return operand.kind == OperandKind::Register && !operand.name.empty();
        }))
        throw NotSupported{"an operand that is a part of a register"};
    const instructions::Operation operation = operations::findOperation(instruction, shapes);
    if (operation.run == nullptr) throw NotSupported{"an instruction the emulator does not know"};

    const auto refOf = [&](const ptx::Operand& operand, std::size_t index) {
        const operations::ImmediateShape immediate = operations::immediateShape(instruction, index);
        return sourceRef(operand, immediate.bytes, shapes[index].predicate);
    };
    std::vector<instructions::Ref> refs;
    std::uint16_t negated = 0;
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
        const ptx::Operand& operand = instruction.operands[i];
        if (operand.negated && i == 3)
            negated = instructions::kNegatedC;
        else if (operand.negated && i == 1)
            negated = instructions::kNegatedA;
        else if (operand.negated)
            throw NotSupported{"a negated predicate at this operand"};
        if (operand.kind == OperandKind::Vector && flat) {
            for (const ptx::Operand& part : operand.parts)
                refs.push_back(refOf(part, i));
        } else if (operand.kind == OperandKind::Pair) {
            if (i != 0) throw NotSupported{"a pair of predicates at this operand"};
        } else {
            refs.push_back(refOf(operand, i));
        }
    }

    program::InstructionFacts& facts = addFacts(instruction);
    facts.work = operation.work;
    facts.instructions = operation.instructions;
    facts.latency = operation.latency;
    facts.fp32 = operation.fp32;
    fuse(facts, m_fused[static_cast<std::size_t>(&instruction - m_function->body.data())]);
    facts.tensorMacs = operation.tensorMacs;
    facts.tensorFormat = operation.tensorFormat;
    facts.packedHalf = hasModifier(instruction, "f16x2") || hasModifier(instruction, "bf16x2");
    instructions::Inst& inst = append(instruction, facts);
    inst.run = operation.run;
    inst.flags = static_cast<std::uint16_t>(operation.flags | negated);
    inst.imm = operation.imm;
    if (flat) {
        if (refs.size() > 255) throw NotSupported{"more than 255 registers"};
        inst.moreCount = static_cast<std::uint8_t>(refs.size());
        inst.more = addRefs(std::move(refs));
        return;
    }
    std::size_t next = 0;
    if (!instruction.operands.empty() && instruction.operands[0].kind == OperandKind::Pair) {
        const auto& parts = instruction.operands[0].parts;
        inst.dst = refOf(parts[0], 0);
        inst.dst2 = parts.size() > 1 ? refOf(parts[1], 0) : instructions::Ref{};
    } else if (!refs.empty()) {
        inst.dst = refs[next++];
    }
    instructions::Ref* const sources[] = {&inst.a, &inst.b, &inst.c, &inst.d};
    for (instructions::Ref* source : sources)
        if (next < refs.size()) *source = refs[next++];
    if (next < refs.size()) throw NotSupported{"more operands than instructions of its kind have"};
}

} // namespace dormer::emulator::code
