// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/exec/run_grid.h"

#include <algorithm>
#include <atomic>
#include <deque>

namespace dormer::emulator::exec {

namespace {

/// Blocks of neighbouring SMs, in their order: `width` SMs from `first` on, wave after wave. A worker stays
/// with its stripe as long as that lasts, and so with these SMs' L1s and, mostly, with its part of the
/// program's memory.
struct alignas(64) Stripe {
    std::uint64_t first = 0, width = 1, smCount = 1;
    std::atomic<std::uint64_t> taken = 0;

    /// Number of the next block, or a number that the grid does not have when there is none.
    std::uint64_t take() {
        const std::uint64_t index = taken.fetch_add(1, std::memory_order_relaxed);
        return index / width * smCount + first + index % width;
    }
};

} // namespace

/// What the workers of one launch share.
struct GridRunner::Shared {
    Work work;
    std::uint64_t blocks = 0;
    std::size_t openLimit = 1; ///< blocks one worker keeps begun
    std::unique_ptr<Stripe[]> stripes;
    std::size_t stripeCount = 1;
    std::atomic<bool> stop = false;
    std::unique_ptr<std::mutex[]> smLocks; ///< an SM's L1 serves one block at a time
    std::mutex faultMutex;
    std::optional<LocatedFault> fault;
};

namespace {

void clearCounts(WorkerCounts& counts, const program::Program& program, bool sampleLanes) {
    counts.instructions.assign(program.instructions.size(), {});
    counts.blockWarps.assign(program.blocks.size(), 0);
    counts.blockLanes.assign(program.blocks.size(), 0);
    counts.ranges.assign(program.instructions.size(), {});
    counts.memos.clear();
    counts.memos.resize(program.instructions.size());
    counts.worst.clear();
    if (sampleLanes) counts.worst.resize(program.instructions.size());
    counts.barriers = 0;
}

void addCounts(WorkerCounts& sum, WorkerCounts& counts) {
    for (std::size_t i = 0; i < sum.instructions.size(); ++i) {
        counts::InstructionCounts& to = sum.instructions[i];
        const counts::InstructionCounts& from = counts.instructions[i];
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
    for (std::size_t i = 0; i < sum.worst.size(); ++i) {
        WorstRequest& to = sum.worst[i];
        WorstRequest& from = counts.worst[i];
        if (from.rank > to.rank || (from.rank == to.rank && from.block < to.block)) to = std::move(from);
    }
    sum.barriers += counts.barriers;
}

} // namespace

PatternMemo& memoOf(WorkerCounts& counts, std::uint32_t index) {
    std::unique_ptr<PatternMemo>& memo = counts.memos[index];
    if (!memo) memo = std::make_unique<PatternMemo>();
    return *memo;
}

void keepWorst(WorstRequest& worst, std::uint32_t rank, std::uint64_t block, std::uint32_t mask,
               const std::uint64_t* addresses) {
    worst.rank = rank;
    worst.block = block;
    if (!worst.lanes) worst.lanes = std::make_unique<counts::SampledLanes>();
    worst.lanes->mask = mask;
    std::copy_n(addresses, instructions::kLanes, worst.lanes->address.begin());
}

void GridRunner::work(Worker& worker, Shared& shared) {
    const Work& launch = shared.work;
    std::deque<std::unique_ptr<BlockState>> open; // begun, waiting for their next turn, oldest first
    std::vector<bool> exhausted(shared.stripeCount);
    try {
        while (!shared.stop.load(std::memory_order_relaxed)) {
            std::unique_ptr<BlockState> block;
            std::uint64_t number = shared.blocks;
            // Its own stripe first, then what the others have left.
            for (std::size_t k = 0; k < shared.stripeCount && open.size() < shared.openLimit; ++k) {
                const std::size_t stripe = (worker.index + k) % shared.stripeCount;
                if (exhausted[stripe]) continue;
                number = shared.stripes[stripe].take();
                if (number < shared.blocks) break;
                exhausted[stripe] = true;
                number = shared.blocks;
            }
            if (number < shared.blocks) {
                if (worker.idle.empty()) {
                    block = std::make_unique<BlockState>();
                } else {
                    block = std::move(worker.idle.back());
                    worker.idle.pop_back();
                }
                std::optional<hierarchy::MemoryHierarchy::BlockPort> port;
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
                {memory::Fault::Kind::OutOfMemory, 0, 0, "this machine has no memory left to run the kernel"},
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
    // Where a block may wait for the one before it, both must run at once: then all blocks are one stripe.
    const std::uint64_t smCount = work.shape.smCount;
    shared.stripeCount = work.shape.program->mayWait ? 1 : std::min<std::uint64_t>(use, smCount);
    shared.stripes = std::make_unique<Stripe[]>(shared.stripeCount);
    for (std::size_t i = 0; i < shared.stripeCount; ++i) {
        Stripe& stripe = shared.stripes[i];
        stripe.first = smCount * i / shared.stripeCount;
        stripe.width = smCount * (i + 1) / shared.stripeCount - stripe.first;
        stripe.smCount = smCount;
    }
    shared.smLocks = std::make_unique<std::mutex[]>(work.shape.smCount);
    if (m_each.size() < use) m_each.resize(use);
    for (unsigned i = 0; i < use; ++i) {
        m_each[i].index = i;
        clearCounts(m_each[i].counts, *work.shape.program, work.sampleLanes);
    }
    m_workers.run(use, [&](unsigned index) { this->work(m_each[index], shared); });
    if (shared.fault) return std::unexpected(std::move(*shared.fault));
    WorkerCounts sum = std::move(m_each[0].counts);
    for (unsigned i = 1; i < use; ++i)
        addCounts(sum, m_each[i].counts);
    return sum;
}

} // namespace dormer::emulator::exec
