// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/code/chain.h"

#include <algorithm>
#include <unordered_map>

namespace dormer::emulator {

namespace {

/// A path's length. The weights only decide which path is the longest; about the ratio of latencies on any
/// chip.
struct Length {
    double cycles = 0, globalLoads = 0, sharedLoads = 0, atomics = 0;
    [[nodiscard]] double weight() const {
        return cycles + 500 * globalLoads + 30 * sharedLoads + 700 * atomics;
    }
};

const Length& longer(const Length& a, const Length& b) {
    return a.weight() >= b.weight() ? a : b;
}

class BlockScheduler {
public:
    void add(const Inst& inst, const InstructionFacts& facts) {
        Length start = m_issue;
        const auto read = [&](Ref ref) {
            if (!ref.present() || (ref.raw & 3) != kRegisters) return;
            if (const auto found = m_ready.find(ref.raw); found != m_ready.end())
                start = longer(start, found->second);
        };
        read(Ref{inst.guard});
        read(inst.a);
        read(inst.b);
        read(inst.c);
        read(inst.d);
        const bool isLoad = facts.isMemory && facts.op == MemoryOp::Load;
        for (unsigned k = 0; k < inst.moreCount && inst.more != nullptr; ++k)
            if (!isLoad) read(inst.more[k]);
        Length done = start;
        if (facts.isMemory && facts.op == MemoryOp::Load) {
            if (facts.space == MemorySpace::Shared)
                done.sharedLoads += 1;
            else if (facts.space == MemorySpace::Constant)
                done.cycles += 30; // a hit in the constant cache
            else
                done.globalLoads += 1;
        } else if (facts.isMemory && facts.op == MemoryOp::Atomic) {
            if (facts.space == MemorySpace::Shared)
                done.sharedLoads += 2; // reads and writes
            else
                done.atomics += 1;
        } else if (facts.instructions > 0 && !facts.isMemory) {
            done.cycles += std::max<double>(facts.latency, facts.instructions);
        }
        m_issue = start;
        m_issue.cycles += facts.instructions;
        const auto write = [&](Ref ref) {
            if (ref.present()) m_ready[ref.raw] = done;
        };
        write(inst.dst);
        write(inst.dst2);
        if (isLoad)
            for (unsigned k = 0; k < inst.moreCount && inst.more != nullptr; ++k)
                write(inst.more[k]);
        else if (inst.moreCount > 0 && inst.more != nullptr && !facts.isMemory)
            write(inst.more[0]);
        m_end = longer(m_end, longer(m_issue, done));
    }

    [[nodiscard]] BlockChain chain(const CodeBlock& block) const {
        const Length& end = longer(m_end, m_issue);
        return {end.cycles + 1, end.globalLoads, end.sharedLoads, end.atomics,
                block.ending == Ending::Barrier ? 1.0 : 0.0};
    }

private:
    Length m_issue, m_end;
    std::unordered_map<std::uint32_t, Length> m_ready; ///< by Ref::raw
};

} // namespace

void findChains(Program& program) {
    program.chains.clear();
    program.chains.reserve(program.blocks.size());
    for (const CodeBlock& block : program.blocks) {
        BlockScheduler scheduler;
        for (std::uint32_t i = block.first; i < block.first + block.count; ++i)
            scheduler.add(program.insts[i], program.instructions[program.insts[i].index]);
        program.chains.push_back(scheduler.chain(block));
    }
}

} // namespace dormer::emulator
