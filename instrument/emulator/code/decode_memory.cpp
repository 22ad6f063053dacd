// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/accesses/async_barrier.h"
#include "instrument/emulator/accesses/memory.h"
#include "instrument/emulator/code/function_decoder.h"
#include "instrument/emulator/code/poll_loops.h"
#include "instrument/emulator/flow/def_use.h"
#include "instrument/emulator/ptx/types.h"

#include <algorithm>
#include <array>
#include <ranges>

namespace dormer::emulator::code {

using namespace flow;

namespace {

using OperandKind = ptx::Operand::Kind;

std::optional<program::Window> windowNamed(std::string_view modifier) {
    if (modifier == "global") return program::Window::Global;
    if (modifier == "shared" || modifier == "shared::cta" || modifier == "shared::cluster")
        return program::Window::Shared;
    if (modifier == "local") return program::Window::Local;
    if (modifier == "const") return program::Window::Constant;
    if (modifier == "param" || modifier == "param::entry" || modifier == "param::func")
        return program::Window::KernelParameter;
    return std::nullopt;
}

std::optional<counts::MemorySpace> spaceOf(program::Window window) {
    switch (window) {
    case program::Window::Global:
    case program::Window::Generic: // told apart by its counts: sectors or wavefronts
        return counts::MemorySpace::Global;
    case program::Window::Shared:
        return counts::MemorySpace::Shared;
    case program::Window::Local:
        return counts::MemorySpace::Local;
    case program::Window::Constant:
        return counts::MemorySpace::Constant;
    default:
        return std::nullopt;
    }
}

struct NamedOp {
    std::string_view name;
    accesses::AtomicOp op;
};
constexpr auto kAtomicOps = std::to_array<NamedOp>({{"add", accesses::AtomicOp::Add},
                                                    {"min", accesses::AtomicOp::Min},
                                                    {"max", accesses::AtomicOp::Max},
                                                    {"inc", accesses::AtomicOp::Inc},
                                                    {"dec", accesses::AtomicOp::Dec},
                                                    {"and", accesses::AtomicOp::And},
                                                    {"or", accesses::AtomicOp::Or},
                                                    {"xor", accesses::AtomicOp::Xor},
                                                    {"exch", accesses::AtomicOp::Exchange},
                                                    {"cas", accesses::AtomicOp::CompareSwap}});

/// Reductions that ptxas 13.0 turns into ATOMS.POPC.INC for compute capability 8.0 and later, as its code for
/// 8.0 and 9.0 shows: the type must be u32, and the operand known when it assembles.
bool countsLanes(accesses::AtomicOp op, ptx::Type type, std::optional<std::uint64_t> operand) {
    return type == ptx::Type::U32 && ((op == accesses::AtomicOp::Add && operand == 1u) ||
                                      (op == accesses::AtomicOp::Inc && operand == 0xFFFFFFFFu));
}

/// The last type among the modifiers: "atom.global.v4.f32.add" has it before its operation.
ptx::Type typeIn(const ptx::Instruction& instruction) {
    for (const std::string& word : instruction.modifiers | std::views::reverse)
        if (const ptx::Type type = ptx::typeOf(word); ptx::bytesOf(type) != 0) return type;
    return ptx::Type::None;
}

accesses::AtomicType atomicType(ptx::Type type) {
    switch (type) {
    case ptx::Type::B32:
    case ptx::Type::U32:
        return accesses::AtomicType::U32;
    case ptx::Type::S32:
        return accesses::AtomicType::S32;
    case ptx::Type::B64:
    case ptx::Type::U64:
        return accesses::AtomicType::U64;
    case ptx::Type::S64:
        return accesses::AtomicType::S64;
    case ptx::Type::F32:
        return accesses::AtomicType::F32;
    case ptx::Type::F64:
        return accesses::AtomicType::F64;
    case ptx::Type::F16:
        return accesses::AtomicType::F16;
    case ptx::Type::F16x2:
        return accesses::AtomicType::F16x2;
    case ptx::Type::BF16:
        return accesses::AtomicType::BF16;
    case ptx::Type::BF16x2:
        return accesses::AtomicType::BF16x2;
    case ptx::Type::B16:
        return accesses::AtomicType::B16;
    case ptx::Type::B128:
        return accesses::AtomicType::B128;
    default:
        throw NotSupported{"an atomic of this type"};
    }
}

} // namespace

program::Window windowOfAccess(const ptx::Instruction& instruction) {
    for (const std::string& modifier : instruction.modifiers)
        if (const std::optional<program::Window> window = windowNamed(modifier)) return *window;
    return program::Window::Generic;
}

program::Window FunctionDecoder::decodeAddress(const ptx::Operand& operand, program::Window space,
                                               instructions::Inst& inst) {
    if (operand.kind != OperandKind::Address) throw NotSupported{"an access without an address"};
    inst.imm = static_cast<std::uint64_t>(operand.offset);
    if (operand.reg != ptx::kNone) {
        inst.a = registerRef(operand.reg);
        if (bytesOf(operand.reg) == 8) inst.flags |= accesses::kWideAddress;
        if (space == program::Window::KernelParameter && !isKernel())
            throw NotSupported{"a computed address of a function's parameter"};
        return space;
    }
    if (operand.name.empty()) {
        inst.a = m_context.tables.bits(0, 8);
        inst.flags |= accesses::kWideAddress;
        return space;
    }
    const SymbolPlace place = symbolPlace(operand.name);
    const std::uint64_t value = place.value + static_cast<std::uint64_t>(operand.offset);
    switch (place.kind) {
    case SymbolPlace::Kind::Parameter:
        inst.imm = value;
        return program::Window::CallParameter;
    case SymbolPlace::Kind::KernelParameter:
        inst.a = m_context.tables.parameterAddress(static_cast<std::uint32_t>(value), 8);
        inst.imm = 0;
        inst.flags |= accesses::kWideAddress;
        return program::Window::KernelParameter;
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
    inst.flags |= accesses::kWideAddress;
    return space;
}

void FunctionDecoder::decodeLoadStore(const ptx::Instruction& instruction) {
    const bool store = instruction.opcode == "st";
    const ptx::Type type = ptx::typeOf(instruction.modifiers.empty() ? "" : instruction.modifiers.back());
    std::size_t elementBytes = ptx::bytesOf(type);
    if (elementBytes == 0 || instruction.operands.size() < 2) throw NotSupported{"an access of this type"};
    const ptx::Operand& address = instruction.operands[store ? 0 : 1];
    const ptx::Operand& value = instruction.operands[store ? 1 : 0];

    accesses::AccessShape shape;
    shape.store = store;
    shape.signExtend = type == ptx::Type::S8 || type == ptx::Type::S16 || type == ptx::Type::S32;
    std::vector<instructions::Ref> refs;
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
        std::vector<instructions::Ref> halves;
        for (const instructions::Ref ref : refs) {
            halves.push_back(ref);
            halves.push_back(ref.present() ? instructions::Ref{ref.raw + 8 * instructions::kLanes} : ref);
        }
        refs = std::move(halves);
        elementBytes = 8;
        registerBytes = 8;
    }
    shape.elementBytes = static_cast<std::uint8_t>(elementBytes);
    shape.registerBytes = registerBytes;

    program::InstructionFacts& facts = addFacts(instruction);
    facts.isMemory = true;
    instructions::Inst& inst = append(instruction, facts);
    const auto index = m_program.insts.size() - 1;
    shape.window = decodeAddress(address, windowOfAccess(instruction), inst);
    if (bypassesL1(instruction)) {
        inst.flags |= accesses::kBypassL1;
        m_program.mayWait = m_program.mayWait || !store;
    }
    if (ordersThreads(instruction)) inst.flags |= accesses::kStrong;
    inst.run = accesses::findAccess(shape);
    if (inst.run == nullptr) throw NotSupported{"an access of these widths"};
    inst.moreCount = static_cast<std::uint8_t>(refs.size());
    m_program.insts[index].more = addRefs(std::move(refs));

    program::InstructionFacts& done = m_program.instructions.back();
    done.widthBytes = static_cast<std::uint32_t>(elementBytes * inst.moreCount);
    done.op = store ? counts::MemoryOp::Store : counts::MemoryOp::Load;
    const std::optional<counts::MemorySpace> space = spaceOf(shape.window);
    done.isMemory = space.has_value();
    done.work = space ? instructions::Work::Memory : instructions::Work::Move;
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
    const ptx::Type type = typeIn(instruction);
    if (operands.back().kind == OperandKind::Vector) {
        decodeVectorAtomic(instruction, ptx::bytesOf(type));
        return;
    }
    const auto bytes = static_cast<std::uint8_t>(ptx::bytesOf(type));
    const instructions::Handler run = accesses::findAtomic(op->op, atomicType(type));
    if (run == nullptr) throw NotSupported{"an atomic of this type"};

    const std::size_t first = isRed ? 0 : 1;
    const instructions::Ref operand = sourceRef(operands.at(first + 1), bytes);
    const instructions::Ref swap = op->op == accesses::AtomicOp::CompareSwap
                                       ? sourceRef(operands.at(first + 2), bytes)
                                       : instructions::Ref{};
    // ptxas makes a reduction of an atomic whose result nobody reads.
    const bool unused = isRed || operands[0].kind == OperandKind::Sink ||
                        (operands[0].kind == OperandKind::Register && m_uses[operands[0].reg] == 0);
    program::InstructionFacts& facts = addFacts(instruction);
    facts.isMemory = true;
    facts.work = instructions::Work::Memory;
    facts.widthBytes = bytes;
    instructions::Inst& inst = append(instruction, facts);
    inst.run = run;
    inst.b = operand;
    inst.c = swap;
    if (!unused) {
        inst.dst = registerRef(operands[0].reg);
        m_program.mayWait = true;
    }
    const program::Window window = decodeAddress(operands[first], windowOfAccess(instruction), inst);
    if (window != program::Window::Global && window != program::Window::Shared &&
        window != program::Window::Generic)
        throw NotSupported{"an atomic in this space"};
    const bool reduces =
        unused && op->op != accesses::AtomicOp::Exchange && op->op != accesses::AtomicOp::CompareSwap;
    if (reduces) inst.flags |= accesses::kResultUnused;
    if (window == program::Window::Shared) inst.flags |= accesses::kSharedAddress;
    if (window == program::Window::Shared && reduces && m_context.computeCapabilityMajor >= 8 &&
        countsLanes(op->op, type, m_context.tables.knownBits(operand)))
        inst.flags |= accesses::kCountsLanes;
    if (window == program::Window::Generic) inst.flags |= accesses::kGenericAddress;
    facts.space =
        window == program::Window::Shared ? counts::MemorySpace::Shared : counts::MemorySpace::Global;
    facts.op = reduces ? counts::MemoryOp::Reduce : counts::MemoryOp::Atomic;
}

/// st.async and red.async: what they do to memory, then the bytes for the mbarrier that counts them.
void FunctionDecoder::decodeAsyncStore(const ptx::Instruction& instruction) {
    ptx::Instruction access = instruction;
    std::erase_if(access.modifiers, [](const std::string& each) {
        return each == "async" || each == "mbarrier::complete_tx::bytes";
    });
    if (instruction.operands.size() != 3 || instruction.operands[2].kind != OperandKind::Address)
        throw NotSupported{"an asynchronous store without an mbarrier"};
    access.operands.pop_back();
    const ptx::Operand& value = instruction.operands[1];
    const std::size_t elements = value.kind == OperandKind::Vector ? value.parts.size() : 1;
    const std::uint64_t bytes = elements * ptx::bytesOf(typeIn(access));
    if (instruction.opcode == "st")
        decodeLoadStore(access);
    else
        decodeAtomic(access);
    const instructions::Ref count = m_context.tables.bits(bytes, 4);
    program::InstructionFacts& facts = addFacts(instruction);
    facts.instructions = 0; // part of the access
    instructions::Inst& inst = append(instruction, facts);
    inst.run = accesses::findBarrierOperation(accesses::BarrierOp::CompleteTx);
    inst.b = count;
    static_cast<void>(decodeAddress(instruction.operands[2], program::Window::Shared, inst));
}

/// Each element is atomic by itself (PTX ISA, "atom"): one access for each.
void FunctionDecoder::decodeVectorAtomic(const ptx::Instruction& instruction, std::size_t bytes) {
    ptx::Instruction element = instruction;
    std::erase_if(element.modifiers,
                  [](const std::string& each) { return each == "v2" || each == "v4" || each == "v8"; });
    const bool returns = isVectorAtomic(instruction);
    const std::size_t address = instruction.opcode == "red" ? 0 : 1;
    const std::vector<ptx::Operand>& values = instruction.operands.back().parts;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (returns) {
            const ptx::Operand& to = instruction.operands[0].parts.at(i);
            const bool unused = to.kind != OperandKind::Register || m_uses[to.reg] <= 1; // its own
            element.operands[0] = unused ? ptx::Operand{} : to;
        }
        element.operands[address].offset =
            instruction.operands[address].offset + static_cast<std::int64_t>(i * bytes);
        element.operands.back() = values[i];
        decodeAtomic(element);
    }
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
    const instructions::Ref source = operands.size() > 3 && operands[3].kind != OperandKind::Sink
                                         ? sourceRef(operands[3], 4)
                                         : instructions::Ref{};
    program::InstructionFacts& facts = addFacts(instruction);
    facts.isMemory = true;
    facts.work = instructions::Work::Memory;
    facts.widthBytes = static_cast<std::uint32_t>(size.bits);
    instructions::Inst& inst = append(instruction, facts);
    inst.run = accesses::findAsyncCopy();
    static_cast<void>(decodeAddress(operands[0], program::Window::Shared, inst));
    inst.b = registerRef(operands[1].reg);
    inst.c = source;
    inst.imm = (inst.imm & 0xFFFFFFFF) | static_cast<std::uint64_t>(operands[1].offset) << 32;
    inst.moreCount = static_cast<std::uint8_t>(size.bits);
    if (hasModifier(instruction, "cg")) inst.flags |= accesses::kBypassL1;
    return true;
}

} // namespace dormer::emulator::code
