// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Accesses that need more than an address: mbarrier objects, matrix fragments.

#include "instrument/emulator/accesses/async_barrier.h"
#include "instrument/emulator/accesses/memory.h"
#include "instrument/emulator/code/function_decoder.h"
#include "instrument/emulator/flow/def_use.h"
#include "instrument/emulator/ptx/types.h"

#include <algorithm>

namespace dormer::emulator::code {

using namespace flow;

bool FunctionDecoder::decodeSpecial(const ptx::Instruction& instruction) {
    const std::string& opcode = instruction.opcode;
    if (opcode == "mbarrier") {
        decodeBarrierObject(instruction);
        return true;
    }
    if (opcode == "cp" && hasModifier(instruction, "async") && hasModifier(instruction, "mbarrier")) {
        // Copies are done at once, so this thread has nothing to wait for. Without .noinc the count goes up
        // first.
        instructions::Inst& inst =
            appendMemory(instruction, counts::MemorySpace::Shared, counts::MemoryOp::Atomic, 8);
        inst.run = accesses::findBarrierOperation(
            hasModifier(instruction, "noinc") ? accesses::BarrierOp::Arrive : accesses::BarrierOp::Nothing);
        static_cast<void>(decodeAddress(instruction.operands.at(0), program::Window::Shared, inst));
        return true;
    }
    if (opcode == "cp" && hasModifier(instruction, "bulk")) {
        decodeBulkCopy(instruction);
        return true;
    }
    if (opcode == "wgmma") {
        decodeGroupMultiply(instruction);
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
    if (opcode == "movmatrix") {
        decodeMovedMatrix(instruction);
        return true;
    }
    if (opcode == "tex" || opcode == "tld4") {
        decodeTexture(instruction);
        return true;
    }
    if (opcode == "suld" || opcode == "sust") {
        decodeSurface(instruction);
        return true;
    }
    return false;
}

instructions::Inst& FunctionDecoder::appendMemory(const ptx::Instruction& instruction,
                                                  counts::MemorySpace space, counts::MemoryOp op,
                                                  std::uint32_t widthBytes) {
    program::InstructionFacts& facts = addFacts(instruction);
    facts.isMemory = true;
    facts.work = instructions::Work::Memory;
    facts.space = space;
    facts.op = op;
    facts.widthBytes = widthBytes;
    return append(instruction, facts);
}

void FunctionDecoder::decodeBarrierObject(const ptx::Instruction& instruction) {
    const std::vector<ptx::Operand>& operands = instruction.operands;
    const auto has = [&](std::string_view modifier) { return hasModifier(instruction, modifier); };
    const bool waits = has("test_wait") || has("try_wait");
    const accesses::BarrierOp op =
        has("init")            ? accesses::BarrierOp::Init
        : has("inval")         ? accesses::BarrierOp::Nothing
        : has("pending_count") ? accesses::BarrierOp::PendingCount
        : waits ? has("parity") ? accesses::BarrierOp::TestParity : accesses::BarrierOp::TestState
        : has("arrive_drop") ? accesses::BarrierOp::ArriveDrop
        : has("arrive") ? has("expect_tx") ? accesses::BarrierOp::ArriveExpectTx : accesses::BarrierOp::Arrive
        : has("expect_tx")   ? accesses::BarrierOp::ExpectTx
        : has("complete_tx") ? accesses::BarrierOp::CompleteTx
                             : throw NotSupported{"an mbarrier operation the emulator does not know"};
    std::size_t next = 0;
    instructions::Ref dst;
    if (hasDestination(instruction)) dst = sourceRef(operands.at(next++), 8);
    if (op == accesses::BarrierOp::PendingCount) {
        program::InstructionFacts& facts = addFacts(instruction);
        instructions::Inst& inst = append(instruction, facts);
        inst.run = accesses::findBarrierOperation(op);
        inst.dst = dst;
        inst.a = sourceRef(operands.at(next), 8);
        return;
    }
    const ptx::Operand& address = operands.at(next++);
    instructions::Ref operand;
    if (next < operands.size())
        operand = sourceRef(operands[next], op == accesses::BarrierOp::TestState ? 8 : 4);
    // Hardware takes these for atomics on shared memory; they are not counted as accesses.
    program::InstructionFacts& facts = addFacts(instruction);
    facts.latency = 30;
    instructions::Inst& inst = append(instruction, facts);
    inst.run = accesses::findBarrierOperation(op);
    inst.dst = dst;
    inst.b = operand;
    static_cast<void>(decodeAddress(address, program::Window::Shared, inst));
}

void FunctionDecoder::decodeFragment(const ptx::Instruction& instruction) {
    const bool store = hasModifier(instruction, "store");
    const std::optional<instructions::FragmentShape> shape = instructions::wmmaFragment(instruction);
    if (!shape) throw NotSupported{"a matrix fragment of this shape or type"};
    const std::vector<ptx::Operand>& operands = instruction.operands;
    const ptx::Operand& address = operands.at(store ? 0 : 1);
    const ptx::Operand& registers = operands.at(store ? 1 : 0);
    const instructions::Ref stride = operands.size() > 2 ? sourceRef(operands[2], 4) : instructions::Ref{};
    std::vector<instructions::Ref> refs;
    for (const ptx::Operand& part : registers.parts)
        refs.push_back(sourceRef(part, 4));
    if (refs.empty()) refs.push_back(sourceRef(registers, 4));
    if (refs.size() != instructions::fragmentRegisters(*shape))
        throw NotSupported{"a matrix fragment of this many registers"};
    program::MatrixAccess access;
    access.shape = *shape;
    access.places = instructions::fragmentPlaces(*shape);
    access.elementBytes = static_cast<unsigned>(ptx::bytesOf(ptx::typeOf(instruction.modifiers.back())));
    access.window = windowOfAccess(instruction);
    emitMatrix(instruction, access, address, std::move(refs), stride, store,
               accesses::findMatrixAccess(store ? accesses::MatrixAccessKind::StoreFragment
                                                : accesses::MatrixAccessKind::LoadFragment),
               access.elementBytes * instructions::fragmentParts(*shape));
}

void FunctionDecoder::decodeMatrices(const ptx::Instruction& instruction) {
    const bool store = instruction.opcode == "stmatrix";
    const auto has = [&](std::string_view modifier) { return hasModifier(instruction, modifier); };
    if (!has("m8n8") || !has("b16")) throw NotSupported{"matrices of this shape or type"};
    const ptx::Operand& address = instruction.operands.at(store ? 0 : 1);
    const ptx::Operand& registers = instruction.operands.at(store ? 1 : 0);
    std::vector<instructions::Ref> refs;
    for (const ptx::Operand& part : registers.parts)
        refs.push_back(sourceRef(part, 4));
    if (refs.empty()) refs.push_back(sourceRef(registers, 4));
    program::MatrixAccess access;
    access.matrices = has("x4") ? 4 : has("x2") ? 2 : 1;
    access.transposed = has("trans");
    access.window = windowOfAccess(instruction);
    if (refs.size() != access.matrices) throw NotSupported{"matrices in this many registers"};
    emitMatrix(instruction, access, address, std::move(refs), {}, store,
               accesses::findMatrixAccess(store ? accesses::MatrixAccessKind::StoreMatrices
                                                : accesses::MatrixAccessKind::LoadMatrices),
               16);
}

void FunctionDecoder::decodeMovedMatrix(const ptx::Instruction& instruction) {
    const instructions::Ref source = sourceRef(instruction.operands.at(1), 4);
    program::InstructionFacts& facts = addFacts(instruction);
    facts.work = instructions::Work::Exchange;
    facts.latency = 10;
    instructions::Inst& inst = append(instruction, facts);
    inst.run = accesses::findMatrixAccess(accesses::MatrixAccessKind::Transpose);
    inst.dst = registerRef(instruction.operands[0].reg);
    inst.a = source;
}

void FunctionDecoder::emitMatrix(const ptx::Instruction& instruction, program::MatrixAccess access,
                                 const ptx::Operand& address, std::vector<instructions::Ref> refs,
                                 instructions::Ref stride, bool store, instructions::Handler run,
                                 unsigned widthBytes) {
    instructions::Inst& inst = appendMemory(
        instruction,
        access.window == program::Window::Shared ? counts::MemorySpace::Shared : counts::MemorySpace::Global,
        store ? counts::MemoryOp::Store : counts::MemoryOp::Load, widthBytes);
    static_cast<void>(decodeAddress(address, access.window, inst));
    access.offset = static_cast<std::int64_t>(inst.imm);
    inst.imm = reinterpret_cast<std::uint64_t>(&m_program.matrixAccesses.emplace_back(access));
    inst.run = run;
    inst.b = stride;
    inst.moreCount = static_cast<std::uint8_t>(refs.size());
    inst.more = addRefs(std::move(refs));
}

} // namespace dormer::emulator::code
