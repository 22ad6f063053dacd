// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/engine/launch_counts.h"

namespace dormer::emulator::engine {

namespace {

/// Whether the instruction's own counters say how often it ran; else its block's do.
bool countsItself(const program::InstructionFacts& facts) {
    return facts.isMemory || (facts.guarded && facts.work != instructions::Work::Control &&
                              facts.work != instructions::Work::Barrier);
}

counts::InstructionCounts countsOf(const program::InstructionFacts& facts, std::uint32_t index,
                                   const exec::WorkerCounts& counts) {
    counts::InstructionCounts result = counts.instructions[index];
    if (!countsItself(facts)) {
        result.executions = counts.blockWarps[facts.block];
        result.threads = counts.blockLanes[facts.block];
    }
    return result;
}

/// An access through a generic address may have gone to shared memory: its counts tell.
counts::MemorySpace spaceOf(const program::InstructionFacts& facts, const counts::InstructionCounts& counts) {
    return facts.space == counts::MemorySpace::Global && counts.sectors == 0 && counts.wavefronts > 0
               ? counts::MemorySpace::Shared
               : facts.space;
}

bool isPaired(const program::InstructionFacts& facts) {
    return facts.packedHalf &&
           (facts.work == instructions::Work::Fp16Add || facts.work == instructions::Work::Fp16Mul ||
            facts.work == instructions::Work::Fp16Fma);
}

} // namespace

counts::LaunchCounts sumCounts(const program::Program& program, const exec::WorkerCounts& counts,
                               session::Dim3 grid, session::Dim3 block) {
    counts::LaunchCounts sum;
    sum.blocks = grid.count();
    sum.threads = sum.blocks * block.count();
    sum.warps = sum.blocks * ((block.count() + instructions::kLanes - 1) / instructions::kLanes);
    sum.barriers = counts.barriers;
    for (std::size_t b = 0; b < program.blocks.size(); ++b) {
        const std::uint64_t warps = counts.blockWarps[b], lanes = counts.blockLanes[b];
        if (warps == 0) continue;
        const std::uint64_t instructions = program.blocks[b].ptxInstructions;
        sum.ptxInstructions += warps * instructions;
        sum.ptxThreadInstructions += lanes * instructions;
        sum.ptxThreadInstructionsOn += lanes * instructions;
        const auto times = static_cast<double>(warps);
        const program::BlockChain& chain = program.chains[b];
        sum.chainCycles += times * chain.cycles;
        sum.chainGlobalLoads += times * chain.globalLoads;
        sum.chainSharedLoads += times * chain.sharedLoads;
        sum.chainAtomics += times * chain.atomics;
        sum.chainBarriers += times * chain.barriers;
    }
    for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
        const program::InstructionFacts& facts = program.instructions[i];
        const std::uint64_t issued = counts.blockWarps[facts.block];
        if (issued == 0) continue;
        const counts::InstructionCounts own = countsOf(facts, i, counts);
        // A false guard leaves an instruction issued, but its lanes idle.
        const double hardware = static_cast<double>(issued) * static_cast<double>(facts.instructions);
        const auto work = static_cast<std::size_t>(facts.work);
        sum.instructions += hardware;
        sum.warpsByWork[work] += hardware;
        if (facts.fp32.any()) {
            const auto add = [&](instructions::Work kind, std::uint8_t times) {
                sum.threadsByWork[static_cast<std::size_t>(kind)] += times * own.threads;
            };
            add(instructions::Work::Fp32Add, facts.fp32.adds);
            add(instructions::Work::Fp32Mul, facts.fp32.muls);
            add(instructions::Work::Fp32Fma, facts.fp32.fmas);
        } else if (facts.instructions > 0) { // what became part of another one does its work there
            sum.threadsByWork[work] += own.threads;
        }
        sum.ptxThreadInstructionsOn -= counts.blockLanes[facts.block] - own.threads;
        if (isPaired(facts)) sum.fp16Packed += own.threads;
        sum.tensorMacs[static_cast<std::size_t>(facts.tensorFormat)] +=
            static_cast<double>(own.executions) * facts.tensorMacs;
        if (facts.isBranch) {
            sum.branches += issued;
            sum.divergentBranches += own.divergent;
        }
        // Bulk copies pass the load/store pipe by, whose accesses these are; L2 and DRAM have their bytes.
        if (!facts.isMemory || facts.isBulk) continue;
        counts::MemoryCounts& memory =
            sum.memory[static_cast<int>(spaceOf(facts, own))][static_cast<int>(facts.op)];
        memory.requests += own.executions;
        memory.threads += own.threads;
        memory.bytes += own.threads * facts.widthBytes;
        memory.sectors += own.sectors;
        memory.sectorsIdeal += own.sectorsIdeal;
        memory.lines += own.lines;
        memory.wavefronts += own.wavefronts;
        memory.wavefrontsIdeal += own.wavefrontsIdeal;
        memory.serialized += own.serialized;
    }
    return sum;
}

void addCodeFetch(const program::Program& program, counts::Traffic& traffic) {
    constexpr double kInstructionBytes = 16; // since Volta
    // Constant bank, launch descriptor and the like: recorded on an H100 for a kernel of 25 instructions that
    // reads nothing (cub::DeviceScanInitKernel: 3904 bytes).
    constexpr double kLaunchBytes = 3500;
    double bytes = kLaunchBytes;
    for (const program::InstructionFacts& facts : program.instructions)
        bytes += kInstructionBytes * static_cast<double>(facts.instructions);
    const auto sectors = static_cast<std::uint64_t>(bytes / 32);
    traffic.dramReadSectors += sectors;
    traffic.l2Reads += sectors;
    traffic.l2Misses += sectors;
    traffic.l2Tags += sectors / 4;
}

std::vector<CountedInstruction> countedInstructions(const program::Program& program,
                                                    const exec::WorkerCounts& counts) {
    std::vector<CountedInstruction> all;
    for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
        const program::InstructionFacts& facts = program.instructions[i];
        if (!facts.isMemory && !facts.isBranch) continue;
        const counts::InstructionCounts own = countsOf(facts, i, counts);
        if (own.executions == 0) continue;
        CountedInstruction& one =
            all.emplace_back(facts.ptxLine, facts.position, facts.text, facts.isMemory, spaceOf(facts, own),
                             facts.op, facts.widthBytes, own, counts::SampledLanes{});
        if (!counts.worst.empty() && counts.worst[i].lanes) one.lanes = *counts.worst[i].lanes;
    }
    return all;
}

} // namespace dormer::emulator::engine
