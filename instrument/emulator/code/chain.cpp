// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/code/chain.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace dormer::emulator::code {

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

/// The assembler moves instructions of a block as it likes as long as values and memory stay in order: loads
/// go ahead of the uses of earlier ones, but not ahead of stores to the same space, which might change what
/// they read. (The H100's code of the suite's kernels: transpose/copy_row loads and stores in turn,
/// transpose/tiled loads all four words of a thread before it stores any to shared memory.)
class BlockScheduler {
public:
    void add(const instructions::Inst& inst, const program::InstructionFacts& facts) {
        Length start;
        const auto read = [&](instructions::Ref ref) {
            if (!ref.present() || (ref.raw & 3) != instructions::kRegisters) return;
            if (const auto found = m_ready.find(ref.raw); found != m_ready.end())
                start = longer(start, found->second);
        };
        read(instructions::Ref{inst.guard});
        read(inst.a);
        read(inst.b);
        read(inst.c);
        read(inst.d);
        const bool isLoad = facts.isMemory && facts.op == counts::MemoryOp::Load;
        for (unsigned k = 0; k < inst.moreCount && inst.more != nullptr; ++k)
            if (!isLoad) read(inst.more[k]);
        if (facts.isMemory) {
            Length& lastStore = m_stores[static_cast<std::size_t>(facts.space)];
            start = longer(start, lastStore);
            if (!isLoad) lastStore = start;
        }
        Length done = start;
        if (isLoad) {
            if (facts.space == counts::MemorySpace::Shared)
                done.sharedLoads += 1;
            else if (facts.space == counts::MemorySpace::Constant)
                done.cycles += 30; // a hit in the constant cache
            else
                done.globalLoads += 1;
        } else if (facts.isMemory && facts.op == counts::MemoryOp::Atomic) {
            if (facts.space == counts::MemorySpace::Shared)
                done.sharedLoads += 2; // reads and writes
            else
                done.atomics += 1;
        } else if (facts.instructions > 0 && !facts.isMemory) {
            done.cycles += std::max<double>(facts.latency, facts.instructions);
        }
        m_issued += facts.instructions;
        const auto write = [&](instructions::Ref ref) {
            if (ref.present()) m_ready[ref.raw] = done;
        };
        write(inst.dst);
        write(inst.dst2);
        if (isLoad)
            for (unsigned k = 0; k < inst.moreCount && inst.more != nullptr; ++k)
                write(inst.more[k]);
        else if (inst.moreCount > 0 && inst.more != nullptr && !facts.isMemory)
            write(inst.more[0]);
        m_end = longer(m_end, done);
    }

    [[nodiscard]] program::BlockChain chain(const program::CodeBlock& block) const {
        // One instruction a cycle at best.
        return {std::max(m_end.cycles, m_issued) + 1, m_end.globalLoads, m_end.sharedLoads, m_end.atomics,
                block.ending == program::Ending::Barrier ? 1.0 : 0.0};
    }

private:
    double m_issued = 0;
    Length m_end;
    std::array<Length, 5> m_stores; ///< by MemorySpace: when the last store or atomic could start
    std::unordered_map<std::uint32_t, Length> m_ready; ///< by Ref::raw
};

} // namespace

/// Of instructions that decoding made of one the last is what takes the time: see awaitMembers.
void findChains(program::Program& program) {
    program.chains.clear();
    program.chains.reserve(program.blocks.size());
    for (const program::CodeBlock& block : program.blocks) {
        using program::Ending;
        if (block.ending == Ending::LookBegins || block.ending == Ending::LookAgain ||
            block.ending == Ending::LookEnds) { // no code of the kernel's
            program.chains.emplace_back();
            continue;
        }
        BlockScheduler scheduler;
        for (std::uint32_t i = block.first; i < block.first + block.count; ++i)
            if (i + 1 == program.insts.size() || program.insts[i].index != program.insts[i + 1].index)
                scheduler.add(program.insts[i], program.instructions[program.insts[i].index]);
        program.chains.push_back(scheduler.chain(block));
    }
}

} // namespace dormer::emulator::code
