// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/code/registers.h"

#include "instrument/emulator/flow/def_use.h"

#include <algorithm>
#include <map>
#include <utility>

namespace dormer::emulator::code {

using namespace flow;

namespace {

using Bits = std::vector<std::uint64_t>;

bool test(const Bits& bits, std::uint32_t i) {
    return ((bits[i / 64] >> (i % 64)) & 1) != 0;
}
void set(Bits& bits, std::uint32_t i) {
    bits[i / 64] |= std::uint64_t{1} << (i % 64);
}

/// Registers alive where each block begins and ends: backward data flow to a fixed point.
struct Liveness {
    std::vector<Bits> in, out;
};

/// An instruction that writes several registers, or reads many, may still read after its first write.
bool writesEarly(const ptx::Instruction& instruction) {
    if (instruction.opcode == "mma" || instruction.opcode == "wmma") return true;
    return !instruction.operands.empty() && instruction.operands[0].kind == ptx::Operand::Kind::Vector;
}

class Placer {
public:
    Placer(const ptx::Function& function, const std::vector<BasicBlock>& blocks,
           const std::vector<bool>& folded)
        : m_function(function)
        , m_blocks(blocks)
        , m_folded(folded)
        , m_words((function.registers.size() + 63) / 64) {}

    RegisterFrame place() {
        findLiveness();
        findIntervals();
        RegisterFrame frame = assign();
        frame.liveIn = std::move(m_live.in);
        return frame;
    }

private:
    struct Interval {
        std::uint32_t begin = ptx::kNone, end = 0;
    };

    template <typename Visit>
    void visit(const std::vector<std::uint32_t>& registers, const Visit& each) const {
        for (const std::uint32_t r : registers)
            if (!m_folded[r]) each(r);
    }

    void findLiveness() {
        const std::size_t count = m_blocks.size();
        std::vector<Bits> uses(count, Bits(m_words)), defs(count, Bits(m_words));
        DefUse found;
        for (std::size_t b = 0; b < count; ++b) {
            for (std::uint32_t i = m_blocks[b].begin; i < m_blocks[b].end; ++i) {
                const ptx::Instruction& instruction = m_function.body[i];
                findDefUse(instruction, found);
                const auto use = [&](std::uint32_t r) {
                    if (!test(defs[b], r)) set(uses[b], r);
                };
                visit(found.uses, use);
                // Under a guard the old value survives in some lanes.
                if (instruction.guard != ptx::kNone)
                    visit(found.defs, use);
                else
                    visit(found.defs, [&](std::uint32_t r) { set(defs[b], r); });
            }
        }
        m_live.in = uses;
        m_live.out.assign(count, Bits(m_words));
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t b = count; b-- > 0;) {
                Bits& out = m_live.out[b];
                for (const std::uint32_t next : m_blocks[b].successors)
                    for (std::size_t k = 0; k < m_words; ++k)
                        out[k] |= m_live.in[next][k];
                for (std::size_t k = 0; k < m_words; ++k) {
                    const std::uint64_t in = uses[b][k] | (out[k] & ~defs[b][k]);
                    changed = changed || in != m_live.in[b][k];
                    m_live.in[b][k] = in;
                }
            }
        }
    }

    /// From the first to the last place where a register holds a value, in program order. Reads of
    /// instruction i are at 2i, its writes at 2i + 1.
    void findIntervals() {
        m_intervals.resize(m_function.registers.size());
        const auto extend = [this](std::uint32_t r, std::uint32_t at) {
            m_intervals[r].begin = std::min(m_intervals[r].begin, at);
            m_intervals[r].end = std::max(m_intervals[r].end, at);
        };
        DefUse found;
        for (std::size_t b = 0; b < m_blocks.size(); ++b) {
            const BasicBlock& block = m_blocks[b];
            for (std::uint32_t r = 0; r < m_intervals.size(); ++r) {
                if (test(m_live.in[b], r)) extend(r, 2 * block.begin);
                if (test(m_live.out[b], r) && block.end > block.begin) extend(r, 2 * block.end - 1);
            }
            for (std::uint32_t i = block.begin; i < block.end; ++i) {
                const ptx::Instruction& instruction = m_function.body[i];
                findDefUse(instruction, found);
                visit(found.uses, [&](std::uint32_t r) { extend(r, 2 * i); });
                const std::uint32_t at = 2 * i + (writesEarly(instruction) ? 0 : 1);
                visit(found.defs, [&](std::uint32_t r) { extend(r, at); });
            }
        }
    }

    RegisterFrame assign() const {
        RegisterFrame frame;
        frame.places.resize(m_function.registers.size());
        std::vector<std::uint32_t> order;
        for (std::uint32_t r = 0; r < m_intervals.size(); ++r)
            if (m_intervals[r].begin != ptx::kNone) order.push_back(r);
        std::ranges::sort(order, {}, [this](std::uint32_t r) { return m_intervals[r].begin; });

        std::map<std::uint32_t, std::vector<std::uint32_t>> free; // by size, offsets
        std::multimap<std::uint32_t, std::uint32_t> active;       // end of interval, register
        std::uint32_t predicates = 0;                             // bytes taken for them: they lie together
        std::uint32_t live32 = 0;
        // Predicates are 4 bytes each, 64-byte groups of them are taken as they are needed.
        const auto take = [&](std::uint32_t size) {
            std::vector<std::uint32_t>& list = free[size];
            if (list.empty()) {
                if (size == 4) {
                    for (std::uint32_t k = 16; k-- > 0;)
                        list.push_back(frame.bytes + 4 * k);
                    frame.bytes += 64;
                    predicates += 64;
                } else {
                    list.push_back(frame.bytes);
                    frame.bytes += size;
                }
            }
            const std::uint32_t offset = list.back();
            list.pop_back();
            return offset;
        };
        for (const std::uint32_t r : order) {
            while (!active.empty() && active.begin()->first < m_intervals[r].begin) {
                const std::uint32_t over = active.begin()->second;
                free[sizeOf(over)].push_back(frame.places[over].raw);
                live32 -= words(over);
                active.erase(active.begin());
            }
            frame.places[r] = instructions::Ref{take(sizeOf(r)) | instructions::kRegisters};
            active.emplace(m_intervals[r].end, r);
            live32 += words(r);
            frame.widest32 = std::max(frame.widest32, live32);
        }
        return frame;
    }

    [[nodiscard]] std::uint32_t sizeOf(std::uint32_t r) const {
        const std::uint32_t bytes = registerBytes(m_function.registers[r].type);
        return bytes == 0 ? 4 : bytes * instructions::kLanes;
    }
    [[nodiscard]] std::uint32_t words(std::uint32_t r) const {
        const std::uint32_t bytes = registerBytes(m_function.registers[r].type);
        return bytes == 0 ? 0 : (bytes + 3) / 4;
    }

    const ptx::Function& m_function;
    const std::vector<BasicBlock>& m_blocks;
    const std::vector<bool>& m_folded;
    std::size_t m_words;
    Liveness m_live;
    std::vector<Interval> m_intervals;
};

} // namespace

std::uint8_t registerBytes(ptx::Type type) {
    switch (type) {
    case ptx::Type::Pred:
        return 0;
    case ptx::Type::B8:
    case ptx::Type::U8:
    case ptx::Type::S8:
    case ptx::Type::B16:
    case ptx::Type::U16:
    case ptx::Type::S16:
    case ptx::Type::F16:
    case ptx::Type::BF16:
        return 2;
    case ptx::Type::B64:
    case ptx::Type::U64:
    case ptx::Type::S64:
    case ptx::Type::F64:
        return 8;
    case ptx::Type::B128:
        return 16;
    default:
        return 4;
    }
}

RegisterFrame placeRegisters(const ptx::Function& function, const std::vector<BasicBlock>& blocks,
                             const std::vector<bool>& folded) {
    return Placer(function, blocks, folded).place();
}

} // namespace dormer::emulator::code
