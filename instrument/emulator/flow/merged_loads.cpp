// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/flow/merged_loads.h"

#include "instrument/emulator/flow/def_use.h"
#include "instrument/emulator/flow/trailing_zeros.h"
#include "instrument/emulator/ptx/types.h"

#include <algorithm>
#include <map>

namespace dormer::emulator::flow {

namespace {

using OperandKind = ptx::Operand::Kind;

constexpr std::size_t kWidest = 16; ///< bytes of one access

class Merger {
public:
    Merger(ptx::Function& function, const std::function<std::size_t(const std::string&)>& alignmentOf)
        : m_function(function)
        , m_alignmentOf(alignmentOf)
        , m_zeros(trailingZeros(function, alignmentOf))
        , m_writers(function.registers.size()) {
        DefUse found;
        for (const ptx::Instruction& instruction : function.body) {
            findDefUse(instruction, found);
            for (const std::uint32_t r : found.defs)
                ++m_writers[r];
        }
    }

    void merge(const BasicBlock& block) {
        for (std::uint32_t i = block.begin; i < block.end; ++i) {
            const ptx::Instruction& instruction = m_function.body[i];
            if (isLoad(instruction))
                m_open[keyOf(instruction)].emplace(instruction.operands[1].offset, i);
            else if (mayWrite(instruction))
                close();
        }
        close();
    }

private:
    /// Loads that differ in their offset only.
    struct Key {
        std::uint32_t reg;
        std::string name, type;
        auto operator<=>(const Key&) const = default;
    };
    static Key keyOf(const ptx::Instruction& load) {
        return {load.operands[1].reg, load.operands[1].name, load.modifiers.back()};
    }

    /// A plain one of a word or two, into a register that nothing else writes, by an address that stays.
    [[nodiscard]] bool isLoad(const ptx::Instruction& instruction) const {
        if (instruction.opcode != "ld" || instruction.guard != ptx::kNone ||
            instruction.modifiers.size() != 2 || instruction.modifiers[0] != "shared" ||
            instruction.operands[0].kind != OperandKind::Register)
            return false;
        const std::size_t bytes = bytesOf(instruction);
        const std::uint32_t base = instruction.operands[1].reg;
        return (bytes == 4 || bytes == 8) && m_writers[instruction.operands[0].reg] == 1 &&
               (base == ptx::kNone || m_writers[base] == 1);
    }
    static std::size_t bytesOf(const ptx::Instruction& load) {
        return ptx::bytesOf(ptx::typeOf(load.modifiers.back()));
    }
    static bool mayWrite(const ptx::Instruction& instruction) {
        static constexpr std::string_view kWriters[] = {"st",   "atom",     "red",      "bar",   "barrier",
                                                        "call", "cp",       "membar",   "fence", "mbarrier",
                                                        "wmma", "stmatrix", "nanosleep"};
        return std::ranges::find(kWriters, instruction.opcode) != std::end(kWriters) &&
               !hasModifier(instruction, "global") && !hasModifier(instruction, "local") &&
               !hasModifier(instruction, "param");
    }

    void close() {
        for (auto& [key, loads] : m_open)
            join(key, loads);
        m_open.clear();
    }

    void join(const Key& key, const std::map<std::int64_t, std::uint32_t>& loads) {
        const unsigned zeros =
            key.reg != ptx::kNone ? m_zeros[key.reg] : trailingZeros(m_alignmentOf(key.name));
        const auto bytes = static_cast<std::int64_t>(ptx::bytesOf(ptx::typeOf(key.type)));
        for (auto first = loads.begin(); first != loads.end();) {
            auto end = std::next(first);
            std::int64_t width = kWidest;
            // By an address that a register holds ptxas joins what fills 16 bytes only.
            const std::int64_t least = key.reg != ptx::kNone ? kWidest / 2 : bytes;
            for (; width > least; width /= 2) {
                const bool isAligned =
                    (std::int64_t{1} << std::min(zeros, 4U)) >= width && first->first % width == 0;
                end = first;
                std::int64_t next = first->first;
                while (end != loads.end() && end->first == next && next < first->first + width) {
                    ++end;
                    next += bytes;
                }
                if (isAligned && next == first->first + width) break;
                end = std::next(first);
            }
            if (width > least) replace(first, end, width / bytes);
            first = end;
        }
    }

    template <typename Iterator>
    void replace(Iterator first, Iterator end, std::int64_t count) {
        ptx::Operand vector;
        vector.kind = OperandKind::Vector;
        std::uint32_t earliest = first->second;
        for (auto at = first; at != end; ++at) {
            vector.parts.push_back(m_function.body[at->second].operands[0]);
            earliest = std::min(earliest, at->second);
        }
        const ptx::Operand address = m_function.body[first->second].operands[1];
        for (auto at = first; at != end; ++at) {
            ptx::Instruction& load = m_function.body[at->second];
            if (at->second != earliest) {
                const ptx::Operand self = load.operands[0];
                load.opcode = "mov";
                load.modifiers = {load.modifiers.back()};
                load.operands = {self, self};
            }
        }
        ptx::Instruction& load = m_function.body[earliest];
        load.modifiers.insert(load.modifiers.begin() + 1, "v" + std::to_string(count));
        load.operands = {std::move(vector), address};
    }

    ptx::Function& m_function;
    const std::function<std::size_t(const std::string&)>& m_alignmentOf;
    std::vector<std::uint8_t> m_zeros;
    std::vector<std::uint32_t> m_writers;                        ///< by register: instructions
    std::map<Key, std::map<std::int64_t, std::uint32_t>> m_open; ///< instruction by offset
};

} // namespace

void mergeSharedLoads(ptx::Function& function, const std::vector<BasicBlock>& blocks,
                      const std::function<std::size_t(const std::string&)>& alignmentOf) {
    Merger merger(function, alignmentOf);
    for (const BasicBlock& block : blocks)
        merger.merge(block);
}

} // namespace dormer::emulator::flow
