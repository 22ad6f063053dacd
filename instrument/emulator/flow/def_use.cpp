// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/flow/def_use.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace dormer::emulator::flow {

namespace {

using namespace std::string_view_literals;

constexpr auto kWithoutDestination = std::to_array({"st"sv,
                                                    "red"sv,
                                                    "bra"sv,
                                                    "brx"sv,
                                                    "membar"sv,
                                                    "fence"sv,
                                                    "ret"sv,
                                                    "exit"sv,
                                                    "trap"sv,
                                                    "call"sv,
                                                    "cp"sv,
                                                    "prefetch"sv,
                                                    "prefetchu"sv,
                                                    "discard"sv,
                                                    "nanosleep"sv,
                                                    "pmevent"sv,
                                                    "brkpt"sv,
                                                    "applypriority"sv,
                                                    "griddepcontrol"sv,
                                                    "stmatrix"sv,
                                                    "sust"sv,
                                                    "setmaxnreg"sv,
                                                    "stackrestore"sv});

void addRegisters(const ptx::Operand& operand, std::vector<std::uint32_t>& out) {
    if (operand.reg != ptx::kNone) out.push_back(operand.reg);
    for (const ptx::Operand& part : operand.parts)
        addRegisters(part, out);
}

} // namespace

bool hasModifier(const ptx::Instruction& instruction, std::string_view modifier) {
    return std::ranges::find(instruction.modifiers, modifier) != instruction.modifiers.end();
}

bool hasDestination(const ptx::Instruction& instruction) {
    if (instruction.operands.empty()) return false;
    const std::string& opcode = instruction.opcode;
    if (opcode == "bar" || opcode == "barrier") return hasModifier(instruction, "red");
    if (opcode == "wmma") return !hasModifier(instruction, "store");
    if (opcode == "wgmma") return hasModifier(instruction, "mma_async");
    if (opcode == "mbarrier") {
        if (hasModifier(instruction, "test_wait") || hasModifier(instruction, "try_wait")) return true;
        return instruction.operands[0].kind != ptx::Operand::Kind::Address;
    }
    return std::ranges::find(kWithoutDestination, opcode) == kWithoutDestination.end();
}

bool isVectorAtomic(const ptx::Instruction& instruction) {
    return instruction.opcode == "atom" && !instruction.operands.empty() &&
           instruction.operands[0].kind == ptx::Operand::Kind::Vector;
}

void findDefUse(const ptx::Instruction& instruction, DefUse& out) {
    out.uses.clear();
    out.defs.clear();
    if (instruction.guard != ptx::kNone) out.uses.push_back(instruction.guard);
    const bool writes = hasDestination(instruction);
    for (std::size_t i = 0; i < instruction.operands.size(); ++i)
        addRegisters(instruction.operands[i], i == 0 && writes ? out.defs : out.uses);
    // Its elements run one after the other, so what the first ones return must not take the place of what the
    // last ones read.
    // The result of a warp group's product is what it adds to.
    if (isVectorAtomic(instruction) || (writes && instruction.opcode == "wgmma"))
        addRegisters(instruction.operands[0], out.uses);
}

} // namespace dormer::emulator::flow
