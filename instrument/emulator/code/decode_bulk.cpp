// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Bulk copies, with and without a tensor map, and products of warp groups.

#include "instrument/emulator/bulk/bulk_copy.h"
#include "instrument/emulator/bulk/element_reduction.h"
#include "instrument/emulator/bulk/group_multiply.h"
#include "instrument/emulator/code/function_decoder.h"
#include "instrument/emulator/exec/context_ops.h"
#include "instrument/emulator/flow/def_use.h"

#include <algorithm>
#include <bit>

namespace dormer::emulator::code {

using namespace flow;

namespace {

/// "cp.reduce.async.bulk….add.f32"; of tensors the map tells the type.
bulk::Reduction reductionOfInstruction(const ptx::Instruction& instruction, bool tensor) {
    bulk::Reduction reduction;
    bool named = false, typed = tensor;
    for (const std::string& word : instruction.modifiers) {
        if (const auto op = bulk::reductionNamed(word)) {
            reduction.op = *op;
            named = true;
        } else if (const auto element = bulk::elementNamed(word)) {
            reduction.element = *element;
            typed = true;
        }
    }
    if (!named || !typed) throw NotSupported{"a bulk reduction of this form"};
    return reduction;
}

/// The registers of "[map, {x, y}]" behind the address.
void addRegisters(const ptx::Operand& operand, std::vector<ptx::Operand>& out) {
    if (operand.kind != ptx::Operand::Kind::Vector) out.push_back(operand);
    for (const ptx::Operand& part : operand.parts)
        addRegisters(part, out);
}

} // namespace

void FunctionDecoder::decodeBulkCopy(const ptx::Instruction& instruction) {
    const std::vector<ptx::Operand>& operands = instruction.operands;
    const auto has = [&](std::string_view modifier) { return hasModifier(instruction, modifier); };
    if (has("prefetch")) { // to L2: changes no value
        program::InstructionFacts& facts = addFacts(instruction);
        append(instruction, facts).run = exec::doNothing;
        return;
    }
    const bool tensor = has("tensor"), reduces = has("reduce"), multicast = has("multicast::cluster");
    if (has("im2col") || has("im2col::w") || has("im2col::w::128") || has("tile::gather4") ||
        has("tile::scatter4"))
        throw NotSupported{"a tensor copy in a mode other than tiled"};
    if (has("cp_mask")) throw NotSupported{"a bulk copy with a mask of bytes"};
    const auto first = std::ranges::find_if(instruction.modifiers, [](const std::string& modifier) {
        return modifier == "global" || modifier.starts_with("shared");
    });
    if (first == instruction.modifiers.end()) throw NotSupported{"a bulk copy of this form"};
    const bool toShared = *first != "global", fromShared = !toShared || !has("global");
    // [to], [from], bytes, [mbarrier], mask of blocks; of tensors [to], [map, {…}], [mbarrier], or [map,
    // {…}], [from]. A cache policy may follow.
    const ptx::Operand& target = operands.at(tensor && !toShared ? 1 : 0);
    const ptx::Operand& map = operands.at(toShared ? 1 : 0);
    std::size_t next = tensor ? 2 : 3;
    const instructions::Ref source = tensor ? registerRef(addressRegister(map).reg)
                                            : sourceRef(addressRegister(operands.at(1)), fromShared ? 4 : 8);
    const instructions::Ref bytes = tensor ? instructions::Ref{} : sourceRef(operands.at(2), 4);
    instructions::Ref barrier, blocks;
    if (toShared) barrier = sourceRef(addressRegister(operands.at(next++)), 4);
    if (multicast) blocks = sourceRef(operands.at(next), 2);
    std::vector<instructions::Ref> coordinates;
    if (tensor) {
        std::vector<ptx::Operand> registers;
        for (const ptx::Operand& part : map.parts)
            addRegisters(part, registers);
        for (const ptx::Operand& each : registers)
            coordinates.push_back(sourceRef(each, 4));
    }
    instructions::Inst& inst = appendMemory(instruction, counts::MemorySpace::Global,
                                            toShared  ? counts::MemoryOp::Load
                                            : reduces ? counts::MemoryOp::Reduce
                                                      : counts::MemoryOp::Store,
                                            16);
    m_program.instructions[inst.index].isBulk = true;
    inst.run = tensor                  ? toShared  ? bulk::tensorToShared
                                         : reduces ? bulk::reduceTensorToGlobal
                                                   : bulk::tensorToGlobal
               : !toShared             ? reduces ? bulk::reduceToGlobal : bulk::copyToGlobal
               : fromShared && reduces ? bulk::reduceBetweenBlocks
               : fromShared            ? bulk::copyBetweenBlocks
                                       : bulk::copyToShared;
    inst.b = source;
    inst.c = bytes;
    inst.d = barrier;
    inst.dst2 = blocks;
    const bool shared = toShared || tensor;
    static_cast<void>(
        decodeAddress(target, shared ? program::Window::Shared : program::Window::Global, inst));
    inst.imm &= 0xFFFFFFFF;
    if (reduces)
        inst.imm |= std::uint64_t{bulk::reductionBits(reductionOfInstruction(instruction, tensor))} << 32;
    inst.moreCount = static_cast<std::uint8_t>(coordinates.size());
    inst.more = addRefs(std::move(coordinates));
}

void FunctionDecoder::decodeGroupMultiply(const ptx::Instruction& instruction) {
    const std::vector<ptx::Operand>& operands = instruction.operands;
    if (!hasModifier(instruction, "mma_async")) { // fence, commit_group: every product is done at once
        program::InstructionFacts& facts = addFacts(instruction);
        append(instruction, facts).run = exec::doNothing;
        return;
    }
    std::optional<bulk::GroupShape> shape = bulk::groupShape(instruction);
    if (!shape) throw NotSupported{"a product of a warp group of this shape or these types"};
    // result, A, B, whether it adds, signs of A and B, whether they are transposed: A only where it is in
    // shared memory.
    const bool inRegisters = operands.at(1).kind == ptx::Operand::Kind::Vector;
    const auto isSet = [&](std::size_t operand, std::uint64_t value) {
        return operand < operands.size() && operands[operand].bits == value;
    };
    const std::uint64_t minusOne = ~std::uint64_t{0};
    using Shape = bulk::GroupShape;
    const bool integer = shape->d == instructions::Kind::S32;
    const auto flag = [&](bool is, std::uint8_t bit) {
        if (is) shape->flags |= bit;
    };
    flag(inRegisters, Shape::kRegistersA);
    flag(!integer && isSet(4, minusOne), Shape::kNegatesA);
    flag(!integer && isSet(5, minusOne), Shape::kNegatesB);
    flag(!inRegisters && isSet(6, 1), Shape::kTransposesA);
    flag(isSet(inRegisters ? 6 : 7, 1), Shape::kTransposesB);
    std::vector<instructions::Ref> refs;
    for (const ptx::Operand& part : operands[0].parts)
        refs.push_back(sourceRef(part, 4));
    if (refs.size() != shape->registers()) throw NotSupported{"a result in this many registers"};
    for (const ptx::Operand& part : operands[1].parts)
        refs.push_back(sourceRef(part, 4));
    if (inRegisters && refs.size() != shape->registers() + 4)
        throw NotSupported{"a matrix in this many registers"};
    const instructions::Ref a = inRegisters ? instructions::Ref{} : sourceRef(operands[1], 8),
                            b = sourceRef(operands.at(2), 8), adds = sourceRef(operands.at(3), 4, true);
    program::InstructionFacts& facts = addFacts(instruction);
    facts.work = instructions::Work::Tensor;
    facts.tensorMacs = 16u * shape->columns * shape->depth(); // a warp's part
    facts.tensorFormat = operations::tensorFormatOf(shape->a);
    facts.latency = 33;
    instructions::Inst& inst = append(instruction, facts);
    inst.run = bulk::groupMultiply(*shape);
    inst.imm = std::bit_cast<std::uint64_t>(*shape);
    inst.a = a;
    inst.b = b;
    inst.c = adds;
    inst.moreCount = static_cast<std::uint8_t>(refs.size());
    inst.more = addRefs(std::move(refs));
}

ptx::Operand FunctionDecoder::addressRegister(const ptx::Operand& operand) const {
    if (operand.kind != ptx::Operand::Kind::Address || operand.reg == ptx::kNone || operand.offset != 0)
        throw NotSupported{"an address of this form"};
    ptx::Operand plain;
    plain.kind = ptx::Operand::Kind::Register;
    plain.reg = operand.reg;
    return plain;
}

} // namespace dormer::emulator::code
