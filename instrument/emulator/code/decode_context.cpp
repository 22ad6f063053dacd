// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/code/function_decoder.h"
#include "instrument/emulator/exec/context_ops.h"
#include "instrument/emulator/flow/def_use.h"

#include <algorithm>
#include <array>

namespace dormer::emulator::code {

using namespace flow;

namespace {

/// Without effect here: every access is done when its instruction is.
bool isOrderOnly(const ptx::Instruction& instruction) {
    const std::string& opcode = instruction.opcode;
    if (opcode == "cp")
        return hasModifier(instruction, "commit_group") || hasModifier(instruction, "wait_group") ||
               hasModifier(instruction, "wait_all");
    return opcode == "prefetch" || opcode == "prefetchu" || opcode == "discard" ||
           opcode == "applypriority" || opcode == "pmevent" || opcode == "griddepcontrol" ||
           opcode == "setmaxnreg";
}

struct ClockRegister {
    std::string_view name;
    instructions::Handler narrow, wide;
    std::uint64_t shift;
};
constexpr auto kClocks = std::to_array<ClockRegister>({
    {"%clock", exec::readClock32, exec::readClock64, 0},
    {"%clock_hi", exec::readClock32, exec::readClock64, 32},
    {"%clock64", exec::readClock32, exec::readClock64, 0},
    {"%globaltimer", exec::readTimer32, exec::readTimer64, 0},
    {"%globaltimer_lo", exec::readTimer32, exec::readTimer64, 0},
    {"%globaltimer_hi", exec::readTimer32, exec::readTimer64, 32},
});

} // namespace

bool FunctionDecoder::decodeContext(const ptx::Instruction& instruction) {
    const std::string& opcode = instruction.opcode;
    const std::vector<ptx::Operand>& operands = instruction.operands;
    const auto emit = [&](instructions::Handler run, instructions::Work work,
                          float instructions) -> instructions::Inst& {
        program::InstructionFacts& facts = addFacts(instruction);
        facts.work = work;
        facts.instructions = instructions;
        instructions::Inst& inst = append(instruction, facts);
        inst.run = run;
        return inst;
    };
    if (isOrderOnly(instruction)) {
        emit(exec::doNothing, instructions::Work::Control, 1);
        return true;
    }
    if (opcode == "bar") { // bar.warp.sync: the others end a block of code
        const instructions::Ref members = sourceRef(operands.at(0), 4);
        emit(exec::awaitMembers, instructions::Work::Control, 1).a = members;
        return true;
    }
    if (opcode == "membar" || opcode == "fence") {
        emit(exec::fence, instructions::Work::Control, 1);
        return true;
    }
    if (opcode == "createpolicy") { // opaque, and nothing here keeps lines by policy
        instructions::Inst& inst = emit(exec::addToAddress64, instructions::Work::Int, 1);
        inst.dst = registerRef(operands.at(0).reg);
        inst.a = m_context.tables.bits(0, 8);
        return true;
    }
    if (opcode == "alloca" || opcode == "stacksave" || opcode == "stackrestore") {
        decodeStack(instruction);
        return true;
    }
    if (opcode == "mov" && operands.size() == 2 && operands[1].kind == ptx::Operand::Kind::Special &&
        !fixedSpecial(operands[1].name) && !reservedSharedOffset(operands[1].name)) {
        const auto clock = std::ranges::find(kClocks, operands[1].name, &ClockRegister::name);
        if (clock == kClocks.end()) throw NotSupported{"the special register " + operands[1].name};
        instructions::Inst& inst =
            emit(bytesOf(operands[0].reg) == 8 ? clock->wide : clock->narrow, instructions::Work::Control, 1);
        inst.dst = registerRef(operands[0].reg);
        inst.imm = clock->shift;
        m_program.kernelFacts.readsClock = true;
        return true;
    }
    if (opcode == "mov" && operands.size() == 2 && operands[1].kind == ptx::Operand::Kind::Symbol &&
        !isKernel()) {
        const SymbolPlace place = symbolPlace(operands[1].name);
        if (place.kind != SymbolPlace::Kind::Local) return false;
        instructions::Inst& inst =
            emit(bytesOf(operands[0].reg) == 8 ? exec::localAddress64 : exec::localAddress32,
                 instructions::Work::Move, 0);
        inst.dst = registerRef(operands[0].reg);
        inst.imm = place.value + static_cast<std::uint64_t>(operands[1].offset);
        return true;
    }
    if (opcode == "cvta") {
        const bool local = hasModifier(instruction, "local");
        const bool shared = hasModifier(instruction, "shared") || hasModifier(instruction, "shared::cta") ||
                            hasModifier(instruction, "shared::cluster");
        const std::uint64_t window = local ? program::kLocalWindow : shared ? program::kSharedWindow : 0;
        const std::uint8_t to = bytesOf(operands[0].reg);
        const instructions::Ref dst = registerRef(operands[0].reg);
        // Device functions may take the address of a local variable here.
        if (operands[1].kind == ptx::Operand::Kind::Symbol && local && !isKernel()) {
            instructions::Inst& inst = emit(exec::localAddress64, instructions::Work::Move, 0);
            inst.dst = dst;
            inst.imm = symbolPlace(operands[1].name).value + window;
            return true;
        }
        const std::uint8_t from =
            operands[1].kind == ptx::Operand::Kind::Register ? bytesOf(operands[1].reg) : 8;
        const instructions::Ref source = sourceRef(operands[1], 8);
        instructions::Inst& inst = emit(to == 4     ? exec::addToAddress64To32
                                        : from == 4 ? exec::addToAddress32To64
                                                    : exec::addToAddress64,
                                        instructions::Work::Move, 0);
        inst.dst = dst;
        inst.a = source;
        inst.imm = hasModifier(instruction, "to") ? std::uint64_t{0} - window : window;
        return true;
    }
    if (opcode == "mov" && hasModifier(instruction, "pred") && operands.size() == 2 &&
        operands[1].kind == ptx::Operand::Kind::Special) { // %is_explicit_cluster
        const instructions::Ref source = sourceRef(operands[1], 4);
        instructions::Inst& inst = emit(exec::isSet, instructions::Work::Int, 1);
        inst.dst = registerRef(operands[0].reg);
        inst.a = source;
        return true;
    }
    if (opcode == "isspacep") {
        const instructions::Ref source = sourceRef(operands[1], 8);
        const bool constant = hasModifier(instruction, "const");
        if (constant || hasModifier(instruction, "param") || hasModifier(instruction, "param::entry")) {
            std::vector<instructions::Ref> ranges;
            if (constant) ranges = constantRanges();
            instructions::Inst& inst =
                emit(constant ? exec::isInRanges : exec::isParameter, instructions::Work::Int, 2);
            inst.dst = registerRef(operands[0].reg);
            inst.a = source;
            inst.moreCount = static_cast<std::uint8_t>(ranges.size());
            inst.more = addRefs(std::move(ranges));
            return true;
        }
        instructions::Inst& inst = emit(exec::isInWindow, instructions::Work::Int, 2);
        inst.dst = registerRef(operands[0].reg);
        inst.a = source;
        inst.imm = hasModifier(instruction, "local")    ? program::kLocalWindow
                   : hasModifier(instruction, "global") ? 0
                   : hasModifier(instruction, "shared") || hasModifier(instruction, "shared::cta") ||
                           hasModifier(instruction, "shared::cluster")
                       ? program::kSharedWindow
                       : throw NotSupported{"isspacep of this space"};
        return true;
    }
    if (opcode == "mapa") {
        const bool wide = bytesOf(operands.at(0).reg) == 8,
                   named = hasModifier(instruction, "shared::cluster");
        const instructions::Ref source = sourceRef(operands.at(1), wide ? 8 : 4),
                                rank = sourceRef(operands.at(2), 4);
        instructions::Inst& inst =
            emit(wide ? exec::mapToBlock64 : exec::mapToBlock32, instructions::Work::Int, 1);
        inst.dst = registerRef(operands[0].reg);
        inst.a = source;
        inst.b = rank;
        inst.imm = named ? 0 : program::kSharedWindow;
        return true;
    }
    if (opcode == "getctarank") {
        const bool named = hasModifier(instruction, "shared::cluster");
        const bool wide =
            operands.at(1).kind != ptx::Operand::Kind::Register || bytesOf(operands[1].reg) == 8;
        const instructions::Ref source = sourceRef(operands[1], wide ? 8 : 4),
                                own = m_context.tables.special(program::Special::ClusterRank, 4);
        if (!wide && !named) throw NotSupported{"getctarank of a generic address of 32 bits"};
        instructions::Inst& inst = emit(wide ? exec::rankOf64 : exec::rankOf32, instructions::Work::Int, 1);
        inst.dst = registerRef(operands[0].reg);
        inst.a = source;
        inst.b = own;
        return true;
    }
    return false;
}

std::vector<instructions::Ref> FunctionDecoder::constantRanges() {
    std::vector<instructions::Ref> ranges;
    for (const ptx::Variable& variable : m_context.module.module().variables) {
        if (variable.space != ptx::Space::Const) continue;
        const std::optional<std::uint64_t> begin = m_context.findVariable(variable.name);
        if (!begin) continue;
        ranges.push_back(m_context.tables.bits(*begin, 8));
        ranges.push_back(m_context.tables.bits(*begin + variable.bytes, 8));
    }
    if (ranges.size() > 255) throw NotSupported{"isspacep.const in a module of so many constants"};
    return ranges;
}

void FunctionDecoder::decodeStack(const ptx::Instruction& instruction) {
    const std::vector<ptx::Operand>& operands = instruction.operands;
    const bool wide = hasModifier(instruction, "u64") || hasModifier(instruction, "b64");
    const std::uint8_t bytes = wide ? 8 : 4;
    const bool restores = instruction.opcode == "stackrestore", grows = instruction.opcode == "alloca";
    const instructions::Ref dst = restores ? instructions::Ref{} : registerRef(operands.at(0).reg);
    const instructions::Ref source =
        restores || grows ? sourceRef(operands.at(grows ? 1 : 0), bytes) : instructions::Ref{};
    const std::uint64_t alignment = operands.size() > 2 ? operands[2].bits : 8;
    if (alignment == 0 || alignment > 128) throw NotSupported{"alloca with this alignment"};
    program::InstructionFacts& facts = addFacts(instruction);
    facts.instructions = grows ? 2 : 1;
    instructions::Inst& inst = append(instruction, facts);
    inst.dst = dst;
    inst.a = source;
    inst.imm = m_stackPlace;
    inst.moreCount = static_cast<std::uint8_t>(alignment);
    if (grows)
        inst.run = wide ? exec::growStack64 : exec::growStack32;
    else if (restores)
        inst.run = wide ? exec::restoreStack64 : exec::restoreStack32;
    else
        inst.run = wide ? exec::saveStack64 : exec::saveStack32;
}

} // namespace dormer::emulator::code
