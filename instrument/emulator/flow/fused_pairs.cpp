// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/flow/fused_pairs.h"

#include "instrument/emulator/flow/def_use.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace dormer::emulator::flow {

namespace {

using OperandKind = ptx::Operand::Kind;

bool hasAny(const ptx::Instruction& instruction, std::initializer_list<std::string_view> modifiers) {
    return std::ranges::any_of(modifiers,
                               [&](std::string_view each) { return hasModifier(instruction, each); });
}

bool isLogic(const ptx::Instruction& instruction) {
    return (instruction.opcode == "and" || instruction.opcode == "or" || instruction.opcode == "xor") &&
           !hasModifier(instruction, "pred");
}

bool isSum(const ptx::Instruction& instruction) {
    return instruction.opcode == "add" || instruction.opcode == "sub";
}

/// Finds the pairs of one function.
class Pairs {
public:
    Pairs(const ptx::Function& function, const std::vector<std::uint32_t>& uses,
          const std::vector<instructions::Ref>& constants)
        : m_function(function)
        , m_uses(uses)
        , m_constants(constants)
        , m_all(function.body.size(), Fused::No) {}

    void add(const BasicBlock& block) {
        std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> readers; ///< by register, in this block
        DefUse found;
        for (std::uint32_t i = block.end; i-- > block.begin;) {
            findDefUse(m_function.body[i], found);
            if (found.defs.size() == 1) join(i, found.defs.front(), readers[found.defs.front()]);
            for (const std::uint32_t r : found.defs)
                readers[r].clear();
            for (const std::uint32_t r : found.uses)
                readers[r].push_back(i);
        }
    }

    std::vector<Fused> take() { return std::move(m_all); }

private:
    /// `first` writes register `r`, which `readers` of its block read.
    void join(std::uint32_t first, std::uint32_t r, const std::vector<std::uint32_t>& readers) {
        if (readers.empty() || readers.size() != m_uses[r] || m_all[first] != Fused::No ||
            m_function.body[first].guard != ptx::kNone)
            return;
        // A product or shift may go into several sums, each an instruction of its own; anything else into
        // one.
        const std::string& opcode = m_function.body[first].opcode;
        const bool mayRepeat = opcode == "mul" || opcode == "shl";
        for (const std::uint32_t second : readers) {
            const Fused what = fused(m_function.body[first], m_function.body[second]);
            const bool isTaken = m_all[second] != Fused::No || std::ranges::count(readers, second) > 1;
            if (what == Fused::No || isTaken || (!mayRepeat && readers.size() > 1)) return;
        }
        for (const std::uint32_t second : readers)
            m_all[second] = fused(m_function.body[first], m_function.body[second]);
        m_all[first] = Fused::First;
    }

    /// What becomes of `second` when the result of `first` goes into it.
    [[nodiscard]] Fused fused(const ptx::Instruction& first, const ptx::Instruction& second) const {
        const bool isMul = first.opcode == "mul";
        if (isLogic(first) && isLogic(second) && first.modifiers == second.modifiers) return Fused::Other;
        if (!isSum(second) || hasAny(second, {"cc", "sat"}) || hasAny(first, {"cc", "sat"})) return Fused::No;
        if (hasAny(second, {"f32", "f64"})) {
            const bool rounds =
                hasAny(first, {"rn", "rz", "rm", "rp"}) || hasAny(second, {"rn", "rz", "rm", "rp"});
            // A machine instruction has room for one constant.
            return isMul && !rounds && first.modifiers == second.modifiers &&
                           !(hasConstant(first) && hasConstant(second))
                       ? Fused::Fma
                       : Fused::No;
        }
        const bool wide = hasAny(second, {"s64", "u64"});
        if (!wide && !hasAny(second, {"s32", "u32"})) return Fused::No;
        if (isMul && second.opcode == "add")
            return hasModifier(first, wide ? "wide" : "lo") && (!wide || !hasAny(first, {"s16", "u16"}))
                       ? Fused::Mad
                       : Fused::No;
        if (first.opcode == "shl" && second.opcode == "add")
            return first.operands.back().kind == OperandKind::Integer &&
                           hasModifier(first, wide ? "b64" : "b32")
                       ? Fused::Other
                       : Fused::No;
        return !wide && isSum(first) && hasAny(first, {"s32", "u32"}) ? Fused::Other : Fused::No;
    }

    [[nodiscard]] bool hasConstant(const ptx::Instruction& instruction) const {
        return std::any_of(
            instruction.operands.begin() + 1, instruction.operands.end(), [&](const ptx::Operand& operand) {
                return operand.kind != OperandKind::Register || m_constants[operand.reg].present();
            });
    }

    const ptx::Function& m_function;
    const std::vector<std::uint32_t>& m_uses;
    const std::vector<instructions::Ref>& m_constants;
    std::vector<Fused> m_all;
};

} // namespace

std::vector<Fused> fusedPairs(const ptx::Function& function, const std::vector<BasicBlock>& blocks,
                              const std::vector<std::uint32_t>& uses,
                              const std::vector<instructions::Ref>& constants) {
    Pairs pairs(function, uses, constants);
    for (const BasicBlock& block : blocks)
        pairs.add(block);
    return pairs.take();
}

} // namespace dormer::emulator::flow
