// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/code/function_decoder.h"

#include "instrument/emulator/code/def_use.h"
#include "instrument/emulator/ptx/types.h"

#include <algorithm>
#include <bit>

namespace dormer::emulator {

namespace {

constexpr std::uint32_t roundUp(std::size_t value, std::size_t unit) {
    return static_cast<std::uint32_t>((value + unit - 1) / unit * unit);
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

ptx::Type typeNamed(std::string_view name) {
    return ptx::typeOf(name);
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
    for (const auto& [name, index] : m_function->labels)
        m_labels.emplace(name, index);
    m_same.resize(m_function->registers.size());
    for (std::uint32_t r = 0; r < m_same.size(); ++r)
        m_same[r] = r;
    m_folded.assign(count, false);
    m_constant.assign(m_function->registers.size(), {});
    layOutParameters();
    foldConstants();
    std::vector<bool> withoutPlace(m_function->registers.size());
    for (std::size_t r = 0; r < m_constant.size(); ++r)
        withoutPlace[r] = m_constant[r].present();
    m_frame = placeRegisters(*m_function, m_blocks, m_same, withoutPlace);
    m_uses.assign(m_function->registers.size(), 0);
    DefUse found;
    for (const ptx::Instruction& instruction : m_function->body) {
        findDefUse(instruction, found);
        for (const std::uint32_t r : found.uses)
            ++m_uses[r];
    }

    CodeFunction& self = m_program.functions[m_context.functions.at(m_index)];
    self.registerBytes = std::max<std::uint32_t>(m_frame.bytes, 64);
    m_program.registersEstimate = std::max(m_program.registersEstimate, m_frame.widest32);
    m_firstBlock = static_cast<std::uint32_t>(m_program.blocks.size());
    self.firstBlock = m_firstBlock;
    m_program.blocks.resize(m_firstBlock + m_blocks.size());
    for (std::uint32_t b = 0; b < m_blocks.size(); ++b) {
        m_currentBlock = m_firstBlock + b;
        CodeBlock block;
        block.first = static_cast<std::uint32_t>(m_program.insts.size());
        block.next =
            m_firstBlock + std::min<std::uint32_t>(b + 1, static_cast<std::uint32_t>(m_blocks.size()) - 1);
        block.placeIndex = static_cast<std::uint32_t>(m_program.instructions.size());
        block.ptxInstructions = m_blocks[b].end - m_blocks[b].begin;
        if (m_blocks[b].postDominator != ptx::kNone)
            block.postDominator = m_firstBlock + m_blocks[b].postDominator;
        for (std::uint32_t i = m_blocks[b].begin; i < m_blocks[b].end; ++i) {
            at = &m_function->body[i];
            if (m_blocks[b].hasEnding && i + 1 == m_blocks[b].end)
                decodeEnding(*at, block);
            else if (!m_folded[i])
                decodeInstruction(*at);
        }
        if (m_blocks[b].begin == m_blocks[b].end) block.ending = Ending::Return; // the end of the body
        block.count = static_cast<std::uint32_t>(m_program.insts.size()) - block.first;
        if (block.placeIndex == m_program.instructions.size() && block.placeIndex > 0) --block.placeIndex;
        m_program.blocks[m_currentBlock] = block;
    }
    at = nullptr;
}

void FunctionDecoder::layOutParameters() {
    CodeFunction& self = m_program.functions[m_context.functions.at(m_index)];
    std::uint32_t at = 0;
    const auto place = [&](const ptx::Variable& variable) {
        at = roundUp(at, std::max<std::size_t>(variable.alignment, 1));
        const CallOperands::Place result{at, static_cast<std::uint32_t>(variable.bytes)};
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
}

/// Registers that are written once, with something no instruction changes, stand for it: hardware reads
/// immediates and parameters as operands too.
void FunctionDecoder::foldConstants() {
    std::vector<std::uint32_t> defs(m_function->registers.size());
    DefUse found;
    for (const ptx::Instruction& instruction : m_function->body) {
        findDefUse(instruction, found);
        for (const std::uint32_t r : found.defs)
            ++defs[r];
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = 0; i < m_function->body.size(); ++i) {
            const ptx::Instruction& instruction = m_function->body[i];
            if (m_folded[i] || instruction.guard != ptx::kNone) continue;
            findDefUse(instruction, found);
            if (found.defs.empty() || !std::ranges::all_of(found.defs, [&](std::uint32_t r) {
                    return defs[r] == 1 && m_function->registers[r].type != ptx::Type::Pred;
                }))
                continue;
            if (tryFold(instruction)) {
                m_folded[i] = true;
                changed = true;
            }
        }
    }
}

bool FunctionDecoder::tryFold(const ptx::Instruction& instruction) {
    const std::vector<ptx::Operand>& operands = instruction.operands;
    if (instruction.opcode == "ld" && isKernel() && hasModifier(instruction, "param") &&
        operands[1].kind == ptx::Operand::Kind::Address && operands[1].reg == ptx::kNone) {
        const SymbolPlace place = symbolPlace(operands[1].name);
        if (place.kind != SymbolPlace::Kind::KernelParameter) return false;
        const ptx::Type type = typeNamed(instruction.modifiers.back());
        const auto bytes = static_cast<std::uint8_t>(ptx::bytesOf(type));
        const bool isSigned = type == ptx::Type::S8 || type == ptx::Type::S16 || type == ptx::Type::S32;
        if (bytes == 0 || bytes > 8) return false;
        auto offset =
            static_cast<std::uint32_t>(place.value + static_cast<std::uint64_t>(operands[1].offset));
        const auto fold = [&](const ptx::Operand& operand) {
            if (operand.kind == ptx::Operand::Kind::Register)
                m_constant[operand.reg] =
                    m_context.tables.parameter(offset, bytes, isSigned, bytesOf(operand.reg));
            offset += bytes;
        };
        if (operands[0].kind == ptx::Operand::Kind::Vector)
            std::ranges::for_each(operands[0].parts, fold);
        else
            fold(operands[0]);
        return true;
    }
    if (operands.size() != 2 || operands[0].kind != ptx::Operand::Kind::Register) return false;
    const std::uint32_t target = operands[0].reg;
    const std::uint8_t bytes = bytesOf(target);
    if (instruction.opcode == "mov") {
        if (const std::optional<Ref> source = constantSource(operands[1], bytes)) {
            m_constant[target] = *source;
            return true;
        }
        return false;
    }
    if (instruction.opcode != "cvta" || bytes != 8) return false;
    const std::optional<Ref> source = constantSource(operands[1], 8);
    if (!source) return false;
    const bool isGlobal = hasModifier(instruction, "global") || hasModifier(instruction, "const") ||
                          hasModifier(instruction, "param") || hasModifier(instruction, "param::entry");
    if (isGlobal) {
        m_constant[target] = *source;
        return true;
    }
    const std::optional<std::uint64_t> bits = m_context.tables.knownBits(*source);
    if (!bits) return false;
    const std::uint64_t window = hasModifier(instruction, "local") ? kLocalWindow : kSharedWindow;
    m_constant[target] =
        m_context.tables.bits(hasModifier(instruction, "to") ? *bits - window : *bits + window, 8);
    return true;
}

std::optional<Ref> FunctionDecoder::constantSource(const ptx::Operand& operand, std::uint8_t bytes) {
    switch (operand.kind) {
    case ptx::Operand::Kind::Integer:
    case ptx::Operand::Kind::Float32:
    case ptx::Operand::Kind::Float64:
        return bytes == 16
                   ? std::nullopt
                   : std::optional(m_context.tables.bits(
                         immediateBits(operand, bytes, operand.kind != ptx::Operand::Kind::Integer), bytes));
    case ptx::Operand::Kind::Special:
        if (const std::optional<Special> special = fixedSpecial(operand.name); special && bytes <= 8)
            return m_context.tables.special(*special, bytes);
        return std::nullopt;
    case ptx::Operand::Kind::Symbol: {
        const SymbolPlace place = symbolPlace(operand.name);
        const std::uint64_t value = place.value + static_cast<std::uint64_t>(operand.offset);
        if (place.kind == SymbolPlace::Kind::Local && !isKernel()) return std::nullopt;
        if (place.kind == SymbolPlace::Kind::Parameter)
            throw NotSupported{"the address of a call's parameter"};
        if (place.kind == SymbolPlace::Kind::KernelParameter)
            return m_context.tables.parameterAddress(static_cast<std::uint32_t>(value), bytes);
        return m_context.tables.bits(value, bytes);
    }
    case ptx::Operand::Kind::Register:
        if (m_constant[operand.reg].present() && bytesOf(operand.reg) == bytes)
            return m_constant[operand.reg];
        return std::nullopt;
    default:
        return std::nullopt;
    }
}

std::uint64_t FunctionDecoder::immediateBits(const ptx::Operand& operand, std::uint8_t bytes,
                                             bool isFloat) const {
    if (operand.kind == ptx::Operand::Kind::Float32 && bytes == 8)
        return std::bit_cast<std::uint64_t>(
            static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits))));
    if (operand.kind == ptx::Operand::Kind::Float64 && bytes == 4)
        return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(operand.bits)));
    static_cast<void>(isFloat);
    return operand.bits;
}

Ref FunctionDecoder::registerRef(std::uint32_t reg) const {
    return m_constant[reg].present() ? m_constant[reg] : m_frame.places[reg];
}

Ref FunctionDecoder::sourceRef(const ptx::Operand& operand, std::uint8_t bytes, bool isFloat,
                               bool predicate) {
    using OperandKind = ptx::Operand::Kind;
    if (operand.kind == OperandKind::Register) return registerRef(operand.reg);
    if (operand.kind == OperandKind::Sink) return {};
    if (predicate && operand.kind == OperandKind::Integer)
        return m_context.tables.predicate(operand.bits != 0);
    if (operand.kind == OperandKind::Integer || operand.kind == OperandKind::Float32 ||
        operand.kind == OperandKind::Float64)
        return m_context.tables.bits(immediateBits(operand, bytes, isFloat), bytes);
    if (const std::optional<Ref> constant = constantSource(operand, bytes)) return *constant;
    throw NotSupported{operand.kind == OperandKind::Special ? "the special register " + operand.name
                                                            : "an operand of this kind"};
}

FunctionDecoder::SymbolPlace FunctionDecoder::symbolPlace(const std::string& name) const {
    if (const auto local = m_localPlaces.find(name); local != m_localPlaces.end())
        return {SymbolPlace::Kind::Local, local->second};
    if (const auto parameter = m_parameterPlaces.find(name); parameter != m_parameterPlaces.end())
        return {SymbolPlace::Kind::Parameter, parameter->second.offset};
    if (isKernel())
        for (std::size_t k = 0; k < m_function->parameters.size(); ++k)
            if (m_function->parameters[k].name == name)
                return {SymbolPlace::Kind::KernelParameter, m_program.kernelFacts.parameters[k].offset};
    const auto& shared = m_context.sharedOffsets;
    if (auto found = shared.find(sharedName(m_index, name)); found != shared.end())
        return {SymbolPlace::Kind::Shared, found->second};
    if (auto found = shared.find(name); found != shared.end())
        return {SymbolPlace::Kind::Shared, found->second};
    if (auto found = m_context.moduleFunctions.find(name); found != m_context.moduleFunctions.end())
        return {SymbolPlace::Kind::Function, kFunctionWindow + std::uint64_t{found->second} * 16};
    if (const std::optional<std::uint64_t> address = m_context.findVariable(name))
        return {SymbolPlace::Kind::Global, *address};
    throw NotSupported{"a reference to " + name + ", which this module does not define"};
}

InstructionFacts& FunctionDecoder::addFacts(const ptx::Instruction& instruction) {
    InstructionFacts facts;
    facts.ptxLine = instruction.textLine;
    facts.position = instruction.position;
    facts.text = instructionText(instruction);
    facts.guarded = instruction.guard != ptx::kNone;
    facts.block = m_currentBlock;
    return m_program.instructions.emplace_back(std::move(facts));
}

Inst& FunctionDecoder::append(const ptx::Instruction& instruction, const InstructionFacts& facts) {
    Inst& inst = m_program.insts.emplace_back();
    inst.index = static_cast<std::uint32_t>(m_program.instructions.size()) - 1;
    if (instruction.guard != ptx::kNone) {
        inst.guard = registerRef(instruction.guard).raw;
        inst.guardNegated = instruction.guardNegated;
        inst.countsGuard = !facts.isMemory;
    }
    return inst;
}

Ref* FunctionDecoder::addRefs(std::vector<Ref> refs) {
    return m_program.refLists.emplace_back(std::move(refs)).data();
}

void FunctionDecoder::decodeInstruction(const ptx::Instruction& instruction) {
    const std::string& opcode = instruction.opcode;
    if (isLoadStore(opcode))
        decodeLoadStore(instruction);
    else if (opcode == "atom" || opcode == "red")
        decodeAtomic(instruction);
    else if (!decodeCopy(instruction) && !decodeContext(instruction) && !decodeSpecial(instruction))
        decodeRegisterOnly(instruction);
}

void FunctionDecoder::decodeRegisterOnly(const ptx::Instruction& instruction) {
    using OperandKind = ptx::Operand::Kind;
    std::vector<OperandShape> shapes;
    const bool flat = instruction.opcode == "mma" || instruction.opcode == "wmma" ||
                      (instruction.opcode == "mov" &&
                       std::ranges::any_of(instruction.operands, [](const ptx::Operand& operand) {
                           return operand.kind == OperandKind::Vector;
                       }));
    const bool onPredicates = hasModifier(instruction, "pred");
    const auto shapeOf = [&](const ptx::Operand& operand, std::size_t index) {
        OperandShape shape;
        const ptx::Operand& first = operand.parts.empty() ? operand : operand.parts[0];
        if (first.kind == OperandKind::Register) {
            shape.bytes = bytesOf(first.reg);
            shape.predicate = shape.bytes == 0;
        } else if (first.kind != OperandKind::Sink) {
            const ImmediateShape immediate = immediateShape(instruction, index);
            shape.predicate = onPredicates && first.kind == OperandKind::Integer;
            shape.bytes = shape.predicate ? 0 : immediate.bytes;
            shape.immediate = first.kind == OperandKind::Integer || first.kind == OperandKind::Float32 ||
                              first.kind == OperandKind::Float64;
            if (shape.immediate) shape.bits = immediateBits(first, immediate.bytes, immediate.isFloat);
        }
        return shape;
    };
    for (std::size_t i = 0; i < instruction.operands.size(); ++i)
        shapes.push_back(shapeOf(instruction.operands[i], i));
    const Operation operation = findOperation(instruction, shapes);
    if (operation.run == nullptr) throw NotSupported{"an instruction the emulator does not know"};

    const auto refOf = [&](const ptx::Operand& operand, std::size_t index) {
        const ImmediateShape immediate = immediateShape(instruction, index);
        return sourceRef(operand, immediate.bytes, immediate.isFloat, shapes[index].predicate);
    };
    std::vector<Ref> refs;
    std::uint16_t negated = 0;
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
        const ptx::Operand& operand = instruction.operands[i];
        if (operand.negated && i == 3)
            negated = kNegatedC;
        else if (operand.negated && i == 1)
            negated = kNegatedA;
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

    InstructionFacts& facts = addFacts(instruction);
    facts.work = operation.work;
    facts.instructions = operation.instructions;
    facts.latency = operation.latency;
    facts.tensorMacs = operation.tensorMacs;
    facts.packedHalf = hasModifier(instruction, "f16x2") || hasModifier(instruction, "bf16x2");
    Inst& inst = append(instruction, facts);
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
        inst.dst2 = parts.size() > 1 ? refOf(parts[1], 0) : Ref{};
    } else if (!refs.empty()) {
        inst.dst = refs[next++];
    }
    Ref* const sources[] = {&inst.a, &inst.b, &inst.c, &inst.d};
    for (Ref* source : sources)
        if (next < refs.size()) *source = refs[next++];
    if (next < refs.size()) throw NotSupported{"more operands than instructions of its kind have"};
}

} // namespace dormer::emulator
