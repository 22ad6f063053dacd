// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/exec/run_grid.h"

#include <algorithm>
#include <atomic>
#include <deque>

namespace dormer::emulator {

/// What the workers of one launch share.
struct GridRunner::Shared {
    Work work;
    std::uint64_t blocks = 0;
    std::size_t openLimit = 1; ///< blocks one worker keeps begun
    std::uint64_t chunk = 1;   ///< neighbours that one worker takes at once
    std::atomic<std::uint64_t> next = 0;
    std::atomic<bool> stop = false;
    std::unique_ptr<std::mutex[]> smLocks; ///< an SM's L1 serves one block at a time
    std::mutex faultMutex;
    std::optional<LocatedFault> fault;
};

namespace {

void clearCounts(WorkerCounts& counts, const Program& program) {
    counts.instructions.assign(program.instructions.size(), {});
    counts.blockWarps.assign(program.blocks.size(), 0);
    counts.blockLanes.assign(program.blocks.size(), 0);
    counts.ranges.assign(program.instructions.size(), {});
    counts.memos.clear();
    counts.memos.resize(program.instructions.size());
    counts.barriers = 0;
}

void addCounts(WorkerCounts& sum, const WorkerCounts& counts) {
    for (std::size_t i = 0; i < sum.instructions.size(); ++i) {
        InstructionCounts& to = sum.instructions[i];
        const InstructionCounts& from = counts.instructions[i];
        to.executions += from.executions;
        to.threads += from.threads;
        to.sectors += from.sectors;
        to.sectorsIdeal += from.sectorsIdeal;
        to.lines += from.lines;
        to.wavefronts += from.wavefronts;
        to.wavefrontsIdeal += from.wavefrontsIdeal;
        to.serialized += from.serialized;
        to.divergent += from.divergent;
    }
    for (std::size_t i = 0; i < sum.blockWarps.size(); ++i) {
        sum.blockWarps[i] += counts.blockWarps[i];
        sum.blockLanes[i] += counts.blockLanes[i];
    }
    sum.barriers += counts.barriers;
}

} // namespace

PatternMemo& memoOf(WorkerCounts& counts, std::uint32_t index) {
    std::unique_ptr<PatternMemo>& memo = counts.memos[index];
    if (!memo) memo = std::make_unique<PatternMemo>();
    return *memo;
}

void GridRunner::work(Worker& worker, Shared& shared) {
    const Work& launch = shared.work;
    std::deque<std::unique_ptr<BlockState>> open; // begun, waiting for their next turn, oldest first
    std::uint64_t chunkNext = 0, chunkEnd = 0;
    try {
        while (!shared.stop.load(std::memory_order_relaxed)) {
            std::unique_ptr<BlockState> block;
            std::uint64_t number = shared.blocks;
            if (open.size() < shared.openLimit) {
                if (chunkNext == chunkEnd && shared.next.load(std::memory_order_relaxed) < shared.blocks) {
                    chunkNext = std::min(shared.next.fetch_add(shared.chunk), shared.blocks);
                    chunkEnd = std::min(chunkNext + shared.chunk, shared.blocks);
                }
                if (chunkNext < chunkEnd) number = chunkNext++;
            }
            if (number < shared.blocks) {
                if (worker.idle.empty()) {
                    block = std::make_unique<BlockState>();
                } else {
                    block = std::move(worker.idle.back());
                    worker.idle.pop_back();
                }
                std::optional<MemoryHierarchy::BlockPort> port;
                if (launch.hierarchy != nullptr)
                    port = launch.hierarchy->open(number,
                                                  static_cast<std::uint32_t>(number % launch.shape.smCount));
                block->begin(launch.shape, number, worker.counts, std::move(port));
            } else if (!open.empty()) {
                block = std::move(open.front());
                open.pop_front();
            } else {
                break;
            }
            BlockState::Outcome outcome;
            if (launch.hierarchy != nullptr) {
                const std::lock_guard lock(shared.smLocks[block->sm]);
                outcome = block->run(launch.deadline);
            } else {
                outcome = block->run(launch.deadline);
            }
            if (outcome == BlockState::Outcome::Suspended) {
                open.push_back(std::move(block));
                continue;
            }
            if (block->port) launch.hierarchy->close(std::move(*block->port));
            block->port.reset();
            worker.idle.push_back(std::move(block));
        }
    } catch (LocatedFault& fault) {
        shared.stop = true;
        const std::lock_guard lock(shared.faultMutex);
        // The lowest block's fault, so that what is reported does not depend on chance more than need be.
        if (!shared.fault) shared.fault = std::move(fault);
    } catch (const std::bad_alloc&) {
        shared.stop = true;
        const std::lock_guard lock(shared.faultMutex);
        if (!shared.fault)
            shared.fault = LocatedFault{
                {Fault::Kind::OutOfMemory, 0, 0, "this machine has no memory left to run the kernel"},
                ptx::kNone,
                0,
                {}};
    }
}

std::expected<WorkerCounts, LocatedFault> GridRunner::run(const Work& work) {
    Shared shared;
    shared.work = work;
    shared.work.shape.id = ++m_launches;
    shared.blocks = work.shape.grid.count();
    const unsigned use = static_cast<unsigned>(
        std::min<std::uint64_t>(m_workers.count(), std::max<std::uint64_t>(shared.blocks, 1)));
    shared.openLimit = std::max<std::size_t>(1, (work.residentBlocks + use - 1) / use);
    // Neighbouring blocks touch neighbouring memory, and two processors had better not write to the same few
    // KiB. But where a block may wait for the one before it, both must run at once.
    constexpr std::uint64_t kMostAtOnce = 16;
    if (!work.shape.program->mayWait)
        shared.chunk = std::clamp<std::uint64_t>(shared.blocks / (use * kMostAtOnce), 1, kMostAtOnce);
    shared.smLocks = std::make_unique<std::mutex[]>(work.shape.smCount);
    if (m_each.size() < use) m_each.resize(use);
    for (unsigned i = 0; i < use; ++i)
        clearCounts(m_each[i].counts, *work.shape.program);
    m_workers.run(use, [&](unsigned index) { this->work(m_each[index], shared); });
    if (shared.fault) return std::unexpected(std::move(*shared.fault));
    WorkerCounts sum = std::move(m_each[0].counts);
    for (unsigned i = 1; i < use; ++i)
        addCounts(sum, m_each[i].counts);
    return sum;
}

} // namespace dormer::emulator
