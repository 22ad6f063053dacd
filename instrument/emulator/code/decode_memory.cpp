// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/code/def_use.h"
#include "instrument/emulator/code/function_decoder.h"
#include "instrument/emulator/exec/memory.h"
#include "instrument/emulator/ptx/types.h"

#include <algorithm>
#include <array>

namespace dormer::emulator {

namespace {

using OperandKind = ptx::Operand::Kind;

std::optional<Window> windowNamed(std::string_view modifier) {
    if (modifier == "global") return Window::Global;
    if (modifier == "shared" || modifier == "shared::cta" || modifier == "shared::cluster")
        return Window::Shared;
    if (modifier == "local") return Window::Local;
    if (modifier == "const") return Window::Constant;
    if (modifier == "param" || modifier == "param::entry" || modifier == "param::func")
        return Window::KernelParameter;
    return std::nullopt;
}

/// Loads that must see what other SMs wrote do not use L1.
bool bypassesL1(const ptx::Instruction& instruction) {
    if (hasModifier(instruction, "cg") || hasModifier(instruction, "cv") ||
        hasModifier(instruction, "volatile") || hasModifier(instruction, "mmio"))
        return true;
    const bool strong = hasModifier(instruction, "relaxed") || hasModifier(instruction, "acquire");
    return strong && !hasModifier(instruction, "cta");
}

std::optional<MemorySpace> spaceOf(Window window) {
    switch (window) {
    case Window::Global:
    case Window::Generic: // told apart by its counts: sectors or wavefronts
        return MemorySpace::Global;
    case Window::Shared:
        return MemorySpace::Shared;
    case Window::Local:
        return MemorySpace::Local;
    case Window::Constant:
        return MemorySpace::Constant;
    default:
        return std::nullopt;
    }
}

struct NamedOp {
    std::string_view name;
    AtomicOp op;
};
constexpr auto kAtomicOps = std::to_array<NamedOp>({{"add", AtomicOp::Add},
                                                    {"min", AtomicOp::Min},
                                                    {"max", AtomicOp::Max},
                                                    {"inc", AtomicOp::Inc},
                                                    {"dec", AtomicOp::Dec},
                                                    {"and", AtomicOp::And},
                                                    {"or", AtomicOp::Or},
                                                    {"xor", AtomicOp::Xor},
                                                    {"exch", AtomicOp::Exchange},
                                                    {"cas", AtomicOp::CompareSwap}});

/// Reductions that ptxas 13.0 turns into ATOMS.POPC.INC for compute capability 8.0 and later, as its code for
/// 8.0 and 9.0 shows: the type must be u32, and the operand known when it assembles.
bool countsLanes(AtomicOp op, ptx::Type type, std::optional<std::uint64_t> operand) {
    return type == ptx::Type::U32 &&
           ((op == AtomicOp::Add && operand == 1u) || (op == AtomicOp::Inc && operand == 0xFFFFFFFFu));
}

AtomicType atomicType(ptx::Type type) {
    switch (type) {
    case ptx::Type::B32:
    case ptx::Type::U32:
        return AtomicType::U32;
    case ptx::Type::S32:
        return AtomicType::S32;
    case ptx::Type::B64:
    case ptx::Type::U64:
        return AtomicType::U64;
    case ptx::Type::S64:
        return AtomicType::S64;
    case ptx::Type::F32:
        return AtomicType::F32;
    case ptx::Type::F64:
        return AtomicType::F64;
    case ptx::Type::F16:
        return AtomicType::F16;
    case ptx::Type::F16x2:
        return AtomicType::F16x2;
    case ptx::Type::BF16:
        return AtomicType::BF16;
    case ptx::Type::BF16x2:
        return AtomicType::BF16x2;
    case ptx::Type::B16:
        return AtomicType::B16;
    case ptx::Type::B128:
        return AtomicType::B128;
    default:
        throw NotSupported{"an atomic of this type"};
    }
}

} // namespace

Window windowOfAccess(const ptx::Instruction& instruction) {
    for (const std::string& modifier : instruction.modifiers)
        if (const std::optional<Window> window = windowNamed(modifier)) return *window;
    return Window::Generic;
}

Window FunctionDecoder::decodeAddress(const ptx::Operand& operand, Window space, Inst& inst) {
    if (operand.kind != OperandKind::Address) throw NotSupported{"an access without an address"};
    inst.imm = static_cast<std::uint64_t>(operand.offset);
    if (operand.reg != ptx::kNone) {
        inst.a = registerRef(operand.reg);
        if (bytesOf(operand.reg) == 8) inst.flags |= kWideAddress;
        if (space == Window::KernelParameter && !isKernel())
            throw NotSupported{"a computed address of a function's parameter"};
        return space;
    }
    if (operand.name.empty()) {
        inst.a = m_context.tables.bits(0, 8);
        inst.flags |= kWideAddress;
        return space;
    }
    const SymbolPlace place = symbolPlace(operand.name);
    const std::uint64_t value = place.value + static_cast<std::uint64_t>(operand.offset);
    switch (place.kind) {
    case SymbolPlace::Kind::Parameter:
        inst.imm = value;
        return Window::CallParameter;
    case SymbolPlace::Kind::KernelParameter:
        inst.a = m_context.tables.parameterAddress(static_cast<std::uint32_t>(value), 8);
        inst.imm = 0;
        inst.flags |= kWideAddress;
        return Window::KernelParameter;
    case SymbolPlace::Kind::Local:
        if (!isKernel()) throw NotSupported{"a direct access to a function's local variable"};
        break;
    case SymbolPlace::Kind::Global:
    case SymbolPlace::Kind::Shared:
    case SymbolPlace::Kind::Function:
        break;
    }
    inst.a = m_context.tables.bits(value, 8);
    inst.imm = 0;
    inst.flags |= kWideAddress;
    return space;
}

void FunctionDecoder::decodeLoadStore(const ptx::Instruction& instruction) {
    const bool store = instruction.opcode == "st";
    const ptx::Type type = ptx::typeOf(instruction.modifiers.empty() ? "" : instruction.modifiers.back());
    std::size_t elementBytes = ptx::bytesOf(type);
    if (elementBytes == 0 || instruction.operands.size() < 2) throw NotSupported{"an access of this type"};
    const ptx::Operand& address = instruction.operands[store ? 0 : 1];
    const ptx::Operand& value = instruction.operands[store ? 1 : 0];

    AccessShape shape;
    shape.store = store;
    shape.signExtend = type == ptx::Type::S8 || type == ptx::Type::S16 || type == ptx::Type::S32;
    std::vector<Ref> refs;
    const std::vector<ptx::Operand> single{value};
    const std::vector<ptx::Operand>& values = value.kind == OperandKind::Vector ? value.parts : single;
    std::uint8_t registerBytes = 0;
    for (const ptx::Operand& each : values) {
        if (each.kind != OperandKind::Register) continue;
        const std::uint8_t bytes = bytesOf(each.reg);
        if (bytes == 0 || (registerBytes != 0 && registerBytes != bytes))
            throw NotSupported{"registers of different widths"};
        registerBytes = bytes;
    }
    // Immediates and sinks alone: as wide as the element, in the narrowest register there is.
    if (registerBytes == 0) registerBytes = static_cast<std::uint8_t>(std::max<std::size_t>(elementBytes, 2));
    for (const ptx::Operand& each : values)
        refs.push_back(sourceRef(each, registerBytes));
    if (elementBytes == 16) { // a b128 register is two arrays of 64-bit halves
        std::vector<Ref> halves;
        for (const Ref ref : refs) {
            halves.push_back(ref);
            halves.push_back(ref.present() ? Ref{ref.raw + 8 * kLanes} : ref);
        }
        refs = std::move(halves);
        elementBytes = 8;
        registerBytes = 8;
    }
    shape.elementBytes = static_cast<std::uint8_t>(elementBytes);
    shape.registerBytes = registerBytes;

    InstructionFacts& facts = addFacts(instruction);
    facts.isMemory = true;
    Inst& inst = append(instruction, facts);
    const auto index = m_program.insts.size() - 1;
    shape.window = decodeAddress(address, windowOfAccess(instruction), inst);
    if (bypassesL1(instruction)) {
        inst.flags |= kBypassL1;
        m_program.mayWait = m_program.mayWait || !store;
    }
    inst.run = findAccess(shape);
    if (inst.run == nullptr) throw NotSupported{"an access of these widths"};
    inst.moreCount = static_cast<std::uint8_t>(refs.size());
    m_program.insts[index].more = addRefs(std::move(refs));

    InstructionFacts& done = m_program.instructions.back();
    done.widthBytes = static_cast<std::uint32_t>(elementBytes * inst.moreCount);
    done.op = store ? MemoryOp::Store : MemoryOp::Load;
    const std::optional<MemorySpace> space = spaceOf(shape.window);
    done.isMemory = space.has_value();
    done.work = space ? Work::Memory : Work::Move;
    done.instructions = space ? 1 : 0;
    if (space) done.space = *space;
    // Only accesses that count themselves are left to do so.
    m_program.insts[index].countsGuard = instruction.guard != ptx::kNone && !space;
}

void FunctionDecoder::decodeAtomic(const ptx::Instruction& instruction) {
    const bool isRed = instruction.opcode == "red";
    const std::vector<ptx::Operand>& operands = instruction.operands;
    const auto op = std::ranges::find_first_of(
        kAtomicOps, instruction.modifiers,
        [](const NamedOp& known, const std::string& name) { return known.name == name; });
    if (op == kAtomicOps.end()) throw NotSupported{"an atomic operation the emulator does not know"};
    if (hasModifier(instruction, "v2") || hasModifier(instruction, "v4") || hasModifier(instruction, "v8"))
        throw NotSupported{"a vector atomic"};
    const ptx::Type type = ptx::typeOf(instruction.modifiers.back());
    const auto bytes = static_cast<std::uint8_t>(ptx::bytesOf(type));
    const Handler run = findAtomic(op->op, atomicType(type));
    if (run == nullptr) throw NotSupported{"an atomic of this type"};

    const std::size_t first = isRed ? 0 : 1;
    const Ref operand = sourceRef(operands.at(first + 1), bytes);
    const Ref swap = op->op == AtomicOp::CompareSwap ? sourceRef(operands.at(first + 2), bytes) : Ref{};
    // ptxas makes a reduction of an atomic whose result nobody reads.
    const bool unused = isRed || operands[0].kind == OperandKind::Sink ||
                        (operands[0].kind == OperandKind::Register && m_uses[operands[0].reg] == 0);
    InstructionFacts& facts = addFacts(instruction);
    facts.isMemory = true;
    facts.work = Work::Memory;
    facts.widthBytes = bytes;
    Inst& inst = append(instruction, facts);
    inst.run = run;
    inst.b = operand;
    inst.c = swap;
    if (!unused) {
        inst.dst = registerRef(operands[0].reg);
        m_program.mayWait = true;
    }
    const Window window = decodeAddress(operands[first], windowOfAccess(instruction), inst);
    if (window != Window::Global && window != Window::Shared && window != Window::Generic)
        throw NotSupported{"an atomic in this space"};
    const bool reduces = unused && op->op != AtomicOp::Exchange && op->op != AtomicOp::CompareSwap;
    if (reduces) inst.flags |= kResultUnused;
    if (window == Window::Shared) inst.flags |= kSharedAddress;
    if (window == Window::Shared && reduces && m_context.computeCapabilityMajor >= 8 &&
        countsLanes(op->op, type, m_context.tables.knownBits(operand)))
        inst.flags |= kCountsLanes;
    if (window == Window::Generic) inst.flags |= kGenericAddress;
    facts.space = window == Window::Shared ? MemorySpace::Shared : MemorySpace::Global;
    facts.op = reduces ? MemoryOp::Reduce : MemoryOp::Atomic;
}

bool FunctionDecoder::decodeCopy(const ptx::Instruction& instruction) {
    if (instruction.opcode != "cp" || instruction.modifiers.empty() || instruction.modifiers[0] != "async")
        return false;
    if (hasModifier(instruction, "commit_group") || hasModifier(instruction, "wait_group") ||
        hasModifier(instruction, "wait_all"))
        return false;
    if (hasModifier(instruction, "bulk") || hasModifier(instruction, "mbarrier")) return false;
    const std::vector<ptx::Operand>& operands = instruction.operands;
    const ptx::Operand& size = operands.at(2);
    if (operands[1].reg == ptx::kNone || size.kind != OperandKind::Integer || size.bits > 16)
        throw NotSupported{"an asynchronous copy of this form"};
    const Ref source =
        operands.size() > 3 && operands[3].kind != OperandKind::Sink ? sourceRef(operands[3], 4) : Ref{};
    InstructionFacts& facts = addFacts(instruction);
    facts.isMemory = true;
    facts.work = Work::Memory;
    facts.widthBytes = static_cast<std::uint32_t>(size.bits);
    Inst& inst = append(instruction, facts);
    inst.run = findAsyncCopy();
    static_cast<void>(decodeAddress(operands[0], Window::Shared, inst));
    inst.b = registerRef(operands[1].reg);
    inst.c = source;
    inst.imm = (inst.imm & 0xFFFFFFFF) | static_cast<std::uint64_t>(operands[1].offset) << 32;
    inst.moreCount = static_cast<std::uint8_t>(size.bits);
    if (hasModifier(instruction, "cg")) inst.flags |= kBypassL1;
    return true;
}

} // namespace dormer::emulator
