// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/flow/trailing_zeros.h"

#include "instrument/emulator/flow/def_use.h"

#include <algorithm>

namespace dormer::emulator::flow {

namespace {

using OperandKind = ptx::Operand::Kind;

constexpr unsigned kAll = 64;

class Zeros {
public:
    Zeros(const ptx::Function& function, const std::function<std::size_t(const std::string&)>& alignmentOf)
        : m_function(function), m_alignmentOf(alignmentOf), m_zeros(function.registers.size(), kAll) {}

    std::vector<std::uint8_t> find() {
        // From the best that could be down to what holds whichever way a register was written.
        DefUse found;
        for (bool changed = true; changed;) {
            changed = false;
            for (const ptx::Instruction& instruction : m_function.body) {
                findDefUse(instruction, found);
                for (const std::uint32_t r : found.defs) {
                    const unsigned zeros = found.defs.size() == 1 ? of(instruction) : 0;
                    if (zeros >= m_zeros[r]) continue;
                    m_zeros[r] = static_cast<std::uint8_t>(zeros);
                    changed = true;
                }
            }
        }
        return std::move(m_zeros);
    }

private:
    [[nodiscard]] unsigned of(const ptx::Operand& operand) const {
        switch (operand.kind) {
        case OperandKind::Register:
            return m_zeros[operand.reg];
        case OperandKind::Integer:
            return trailingZeros(operand.bits);
        case OperandKind::Symbol:
            return std::min(trailingZeros(std::uint64_t{m_alignmentOf(operand.name)}),
                            trailingZeros(static_cast<std::uint64_t>(operand.offset)));
        default:
            return 0;
        }
    }

    /// Of what the instruction writes.
    [[nodiscard]] unsigned of(const ptx::Instruction& instruction) const {
        const std::string& opcode = instruction.opcode;
        const auto& operands = instruction.operands;
        const auto at = [&](std::size_t i) { return i < operands.size() ? of(operands[i]) : 0; };
        const auto isInteger = [&](std::size_t i) {
            return i < operands.size() && operands[i].kind == OperandKind::Integer;
        };
        if (opcode == "mov" || opcode == "cvta") return at(1);
        if (opcode == "cvt") return isWholeNumber(instruction) ? at(1) : 0;
        if (opcode == "add" || opcode == "sub" || opcode == "or" || opcode == "xor")
            return std::min(at(1), at(2));
        if (opcode == "and") return std::max(at(1), at(2));
        if (opcode == "shl")
            return isInteger(2) ? std::min<unsigned>(kAll, at(1) + shift(operands[2])) : at(1);
        if (opcode == "shr") return isInteger(2) ? at(1) - std::min(at(1), shift(operands[2])) : 0;
        if (hasModifier(instruction, "hi")) return 0;
        if (opcode == "mul") return std::min(kAll, at(1) + at(2));
        if (opcode == "mad") return std::min(std::min(kAll, at(1) + at(2)), at(3));
        if (opcode == "selp") return std::min(at(1), at(2));
        return 0;
    }
    static unsigned shift(const ptx::Operand& operand) {
        return static_cast<unsigned>(std::min<std::uint64_t>(operand.bits, kAll));
    }
    static bool isWholeNumber(const ptx::Instruction& instruction) {
        return std::ranges::all_of(instruction.modifiers, [](const std::string& each) {
            return each.size() >= 2 && (each[0] == 'u' || each[0] == 's' || each[0] == 'b');
        });
    }

    const ptx::Function& m_function;
    const std::function<std::size_t(const std::string&)>& m_alignmentOf;
    std::vector<std::uint8_t> m_zeros;
};

} // namespace

std::vector<std::uint8_t> trailingZeros(const ptx::Function& function,
                                        const std::function<std::size_t(const std::string&)>& alignmentOf) {
    return Zeros(function, alignmentOf).find();
}

} // namespace dormer::emulator::flow
