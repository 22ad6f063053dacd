// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Accesses that need more than an address: mbarrier objects, bulk copies, matrix fragments, textures.

#include "instrument/emulator/code/def_use.h"
#include "instrument/emulator/code/function_decoder.h"
#include "instrument/emulator/exec/async_barrier.h"
#include "instrument/emulator/ptx/types.h"

#include <algorithm>

namespace dormer::emulator {

using OperandKind = ptx::Operand::Kind;

bool FunctionDecoder::decodeSpecial(const ptx::Instruction& instruction) {
    const std::string& opcode = instruction.opcode;
    if (opcode == "mbarrier") {
        decodeBarrierObject(instruction);
        return true;
    }
    if (opcode == "cp" && hasModifier(instruction, "async") && hasModifier(instruction, "mbarrier")) {
        // Copies are done at once, so this thread has nothing to wait for. Without .noinc the count goes up
        // first.
        Inst& inst = appendMemory(instruction, MemorySpace::Shared, MemoryOp::Atomic, 8);
        inst.run =
            findBarrierOperation(hasModifier(instruction, "noinc") ? BarrierOp::Arrive : BarrierOp::Nothing);
        static_cast<void>(decodeAddress(instruction.operands.at(0), Window::Shared, inst));
        return true;
    }
    if (opcode == "cp" && hasModifier(instruction, "bulk")) {
        decodeBulkCopy(instruction);
        return true;
    }
    if (opcode == "wmma" && (hasModifier(instruction, "load") || hasModifier(instruction, "store"))) {
        decodeFragment(instruction);
        return true;
    }
    if (opcode == "ldmatrix" || opcode == "stmatrix") {
        decodeMatrices(instruction);
        return true;
    }
    if (opcode == "tex") {
        decodeTexture(instruction);
        return true;
    }
    return false;
}

Inst& FunctionDecoder::appendMemory(const ptx::Instruction& instruction, MemorySpace space, MemoryOp op,
                                    std::uint32_t widthBytes) {
    InstructionFacts& facts = addFacts(instruction);
    facts.isMemory = true;
    facts.work = Work::Memory;
    facts.space = space;
    facts.op = op;
    facts.widthBytes = widthBytes;
    return append(instruction, facts);
}

void FunctionDecoder::decodeBarrierObject(const ptx::Instruction& instruction) {
    const std::vector<ptx::Operand>& operands = instruction.operands;
    const auto has = [&](std::string_view modifier) { return hasModifier(instruction, modifier); };
    const bool waits = has("test_wait") || has("try_wait");
    const BarrierOp op = has("init")            ? BarrierOp::Init
                         : has("inval")         ? BarrierOp::Nothing
                         : has("pending_count") ? BarrierOp::PendingCount
                         : waits                ? has("parity") ? BarrierOp::TestParity : BarrierOp::TestState
                         : has("arrive_drop")   ? BarrierOp::ArriveDrop
                         : has("arrive")    ? has("expect_tx") ? BarrierOp::ArriveExpectTx : BarrierOp::Arrive
                         : has("expect_tx") ? BarrierOp::ExpectTx
                         : has("complete_tx")
                             ? BarrierOp::CompleteTx
                             : throw NotSupported{"an mbarrier operation the emulator does not know"};
    std::size_t next = 0;
    Ref dst;
    if (hasDestination(instruction)) dst = sourceRef(operands.at(next++), 8);
    if (op == BarrierOp::PendingCount) {
        InstructionFacts& facts = addFacts(instruction);
        Inst& inst = append(instruction, facts);
        inst.run = findBarrierOperation(op);
        inst.dst = dst;
        inst.a = sourceRef(operands.at(next), 8);
        return;
    }
    const ptx::Operand& address = operands.at(next++);
    Ref operand;
    if (next < operands.size()) operand = sourceRef(operands[next], op == BarrierOp::TestState ? 8 : 4);
    // Hardware takes these for atomics on shared memory; they are not counted as accesses.
    InstructionFacts& facts = addFacts(instruction);
    facts.latency = 30;
    Inst& inst = append(instruction, facts);
    inst.run = findBarrierOperation(op);
    inst.dst = dst;
    inst.b = operand;
    static_cast<void>(decodeAddress(address, Window::Shared, inst));
}

void FunctionDecoder::decodeBulkCopy(const ptx::Instruction& instruction) {
    const std::vector<ptx::Operand>& operands = instruction.operands;
    const auto has = [&](std::string_view modifier) { return hasModifier(instruction, modifier); };
    if (has("tensor") || has("reduce") || has("multicast::cluster"))
        throw NotSupported{"a bulk copy of this form"};
    const auto first = std::ranges::find_if(instruction.modifiers, [](const std::string& modifier) {
        return modifier == "global" || modifier.starts_with("shared");
    });
    if (first == instruction.modifiers.end()) throw NotSupported{"a bulk copy of this form"};
    const bool toShared = *first != "global";
    const Ref source = sourceRef(addressRegister(operands.at(1)), toShared ? 8 : 4);
    const Ref bytes = sourceRef(operands.at(2), 4);
    const Ref barrier = toShared ? sourceRef(addressRegister(operands.at(3)), 4) : Ref{};
    Inst& inst =
        appendMemory(instruction, MemorySpace::Global, toShared ? MemoryOp::Load : MemoryOp::Store, 16);
    m_program.instructions[inst.index].isBulk = true;
    inst.run = toShared ? bulkCopyToShared : bulkCopyToGlobal;
    inst.b = source;
    inst.c = bytes;
    inst.d = barrier;
    static_cast<void>(decodeAddress(operands[0], toShared ? Window::Shared : Window::Global, inst));
}

ptx::Operand FunctionDecoder::addressRegister(const ptx::Operand& operand) const {
    if (operand.kind != OperandKind::Address || operand.reg == ptx::kNone || operand.offset != 0)
        throw NotSupported{"an address of this form"};
    ptx::Operand plain;
    plain.kind = OperandKind::Register;
    plain.reg = operand.reg;
    return plain;
}

void FunctionDecoder::decodeFragment(const ptx::Instruction& instruction) {
    const bool store = hasModifier(instruction, "store");
    const std::optional<FragmentShape> shape = wmmaFragment(instruction);
    if (!shape) throw NotSupported{"a matrix fragment of this shape or type"};
    const std::vector<ptx::Operand>& operands = instruction.operands;
    const ptx::Operand& address = operands.at(store ? 0 : 1);
    const ptx::Operand& registers = operands.at(store ? 1 : 0);
    const Ref stride = operands.size() > 2 ? sourceRef(operands[2], 4) : Ref{};
    std::vector<Ref> refs;
    for (const ptx::Operand& part : registers.parts)
        refs.push_back(sourceRef(part, 4));
    if (refs.empty()) refs.push_back(sourceRef(registers, 4));
    if (refs.size() != fragmentRegisters(*shape))
        throw NotSupported{"a matrix fragment of this many registers"};
    MatrixAccess access;
    access.shape = *shape;
    access.elementBytes = static_cast<unsigned>(ptx::bytesOf(ptx::typeOf(instruction.modifiers.back())));
    access.window = windowOfAccess(instruction);
    emitMatrix(instruction, access, address, std::move(refs), stride, store,
               store ? storeFragment : loadFragment, access.elementBytes * fragmentParts(*shape));
}

void FunctionDecoder::decodeMatrices(const ptx::Instruction& instruction) {
    const bool store = instruction.opcode == "stmatrix";
    const auto has = [&](std::string_view modifier) { return hasModifier(instruction, modifier); };
    if (!has("m8n8") || !has("b16")) throw NotSupported{"matrices of this shape or type"};
    const ptx::Operand& address = instruction.operands.at(store ? 0 : 1);
    const ptx::Operand& registers = instruction.operands.at(store ? 1 : 0);
    std::vector<Ref> refs;
    for (const ptx::Operand& part : registers.parts)
        refs.push_back(sourceRef(part, 4));
    if (refs.empty()) refs.push_back(sourceRef(registers, 4));
    MatrixAccess access;
    access.matrices = has("x4") ? 4 : has("x2") ? 2 : 1;
    access.transposed = has("trans");
    access.window = windowOfAccess(instruction);
    if (refs.size() != access.matrices) throw NotSupported{"matrices in this many registers"};
    emitMatrix(instruction, access, address, std::move(refs), {}, store, store ? storeMatrices : loadMatrices,
               16);
}

void FunctionDecoder::emitMatrix(const ptx::Instruction& instruction, MatrixAccess access,
                                 const ptx::Operand& address, std::vector<Ref> refs, Ref stride, bool store,
                                 Handler run, unsigned widthBytes) {
    Inst& inst =
        appendMemory(instruction, access.window == Window::Shared ? MemorySpace::Shared : MemorySpace::Global,
                     store ? MemoryOp::Store : MemoryOp::Load, widthBytes);
    static_cast<void>(decodeAddress(address, access.window, inst));
    access.offset = static_cast<std::int64_t>(inst.imm);
    inst.imm = reinterpret_cast<std::uint64_t>(&m_program.matrixAccesses.emplace_back(access));
    inst.run = run;
    inst.b = stride;
    inst.moreCount = static_cast<std::uint8_t>(refs.size());
    inst.more = addRefs(std::move(refs));
}

void FunctionDecoder::decodeTexture(const ptx::Instruction& instruction) {
    const auto has = [&](std::string_view modifier) { return hasModifier(instruction, modifier); };
    TextureFetch fetch;
    fetch.layered = has("a1d") || has("a2d");
    fetch.dimensions = has("1d") || has("a1d") ? 1 : has("2d") || has("a2d") ? 2 : has("3d") ? 3 : 0;
    if (fetch.dimensions == 0 || !has("v4") || has("level") || has("grad") ||
        instruction.operands.size() != 2)
        throw NotSupported{"a texture fetch of this form"};
    fetch.integerCoordinates = instruction.modifiers.back() == "s32";
    const ptx::Operand& address = instruction.operands[1];
    if (address.reg == ptx::kNone) throw NotSupported{"a texture reference: use texture objects"};
    std::vector<Ref> refs;
    for (const ptx::Operand& part : instruction.operands[0].parts)
        refs.push_back(sourceRef(part, 4));
    refs.resize(4);
    const auto addCoordinates = [&](const ptx::Operand& operand, const auto& self) -> void {
        if (operand.kind == OperandKind::Vector) {
            for (const ptx::Operand& part : operand.parts)
                self(part, self);
        } else {
            refs.push_back(sourceRef(operand, 4));
        }
    };
    for (const ptx::Operand& part : address.parts)
        addCoordinates(part, addCoordinates);
    Inst& inst = appendMemory(instruction, MemorySpace::Texture, MemoryOp::Load, 4);
    inst.run = fetchTexture;
    inst.a = registerRef(address.reg);
    inst.imm = reinterpret_cast<std::uint64_t>(&m_program.textureFetches.emplace_back(fetch));
    inst.moreCount = static_cast<std::uint8_t>(refs.size());
    inst.more = addRefs(std::move(refs));
}

} // namespace dormer::emulator
