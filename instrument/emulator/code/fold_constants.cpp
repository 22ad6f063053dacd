// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/code/function_decoder.h"
#include "instrument/emulator/flow/def_use.h"
#include "instrument/emulator/ptx/types.h"

#include <algorithm>

namespace dormer::emulator::code {

using namespace flow;

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
        const ptx::Type type = ptx::typeOf(instruction.modifiers.back());
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
        if (const std::optional<instructions::Ref> source = constantSource(operands[1], bytes)) {
            m_constant[target] = *source;
            return true;
        }
        return false;
    }
    if (instruction.opcode != "cvta" || bytes != 8) return false;
    const std::optional<instructions::Ref> source = constantSource(operands[1], 8);
    if (!source) return false;
    const bool isGlobal = hasModifier(instruction, "global") || hasModifier(instruction, "const") ||
                          hasModifier(instruction, "param") || hasModifier(instruction, "param::entry");
    if (isGlobal) {
        m_constant[target] = *source;
        return true;
    }
    const std::optional<std::uint64_t> bits = m_context.tables.knownBits(*source);
    if (!bits) return false;
    const std::uint64_t window =
        hasModifier(instruction, "local") ? program::kLocalWindow : program::kSharedWindow;
    m_constant[target] =
        m_context.tables.bits(hasModifier(instruction, "to") ? *bits - window : *bits + window, 8);
    return true;
}

} // namespace dormer::emulator::code
