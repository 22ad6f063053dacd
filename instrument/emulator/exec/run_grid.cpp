// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/exec/run_grid.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <iterator>
#include <thread>

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
struct GridRunner::Grid {
    Work work;
    Deadline deadline; ///< of this advance
    std::chrono::nanoseconds patience{0};
    std::uint64_t units = 0;
    std::size_t openLimit = 1; ///< units one worker keeps begun
    std::unique_ptr<Stripe[]> stripes;
    std::size_t stripeCount = 1;
    std::atomic<bool> stop = false;                        ///< for good
    std::atomic<bool> pause = false;                       ///< all blocks wait
    std::atomic<std::uint64_t> progress{0};                ///< counts what may let a waiting block go on
    std::atomic<std::uint64_t> stuckAt{~std::uint64_t{0}}; ///< `progress` at which all blocks waited
    std::unique_ptr<std::mutex[]> smLocks;                 ///< an SM's L1 serves one block at a time
    std::mutex faultMutex;
    std::optional<LocatedFault> fault;

    static constexpr std::uint64_t kWorks = ~std::uint64_t{0}, kLeft = kWorks - 1;
    /// One worker's part.
    struct Part {
        WorkerCounts counts;
        std::deque<Unit> open;                         ///< begun, waiting for their next turn, oldest first
        std::vector<bool> exhausted;                   ///< stripes without further units
        std::atomic<std::uint64_t> waitsSince{kWorks}; ///< `progress` after which all its blocks only waited
    };
    std::unique_ptr<Part[]> parts;
    unsigned partCount = 1;

    [[nodiscard]] bool allWait(std::uint64_t since) const {
        return std::all_of(parts.get(), parts.get() + partCount, [since](const Part& part) {
            const std::uint64_t waits = part.waitsSince.load();
            return waits == since || waits == kLeft;
        });
    }
};

namespace {

void clearCounts(WorkerCounts& counts, const program::Program& program, std::uint32_t smCount,
                 bool sampleLanes) {
    counts.instructions.assign(program.instructions.size(), {});
    counts.blockWarps.assign(program.blocks.size(), 0);
    counts.blockLanes.assign(program.blocks.size(), 0);
    counts.ranges.assign(program.instructions.size(), {});
    counts.memos.clear();
    counts.memos.resize(program.instructions.size());
    counts.worst.clear();
    if (sampleLanes) counts.worst.resize(program.instructions.size());
    counts.undefined.clear();
    counts.hazards.clear();
    counts.dropped.clear();
    counts.barriers = 0;
    counts.traces.clear();
    counts.stepsOfSm.assign(smCount, 0);
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
    for (const std::uint32_t index : counts.undefined)
        noteUndefined(sum, index);
    for (DroppedFault& fault : counts.dropped) {
        const auto known = std::ranges::find(sum.dropped, fault.instruction, &DroppedFault::instruction);
        if (known == sum.dropped.end()) {
            sum.dropped.push_back(std::move(fault));
            continue;
        }
        const std::uint64_t lanes = known->lanes + fault.lanes;
        if (fault.blockNumber < known->blockNumber) *known = std::move(fault);
        known->lanes = lanes;
    }
    for (const Hazard& hazard : counts.hazards)
        if (const auto known =
                std::ranges::find_if(sum.hazards, [&](const Hazard& other) { return other.isLike(hazard); });
            known == sum.hazards.end())
            sum.hazards.push_back(hazard);
        else if (hazard.blockNumber < known->blockNumber)
            *known = hazard;
    sum.barriers += counts.barriers;
    std::ranges::move(counts.traces, std::back_inserter(sum.traces));
    for (std::size_t sm = 0; sm < sum.stepsOfSm.size(); ++sm)
        sum.stepsOfSm[sm] += counts.stepsOfSm[sm];
}

} // namespace

PatternMemo& memoOf(WorkerCounts& counts, std::uint32_t index, unsigned request) {
    std::unique_ptr<PatternMemo>& memo = counts.memos[index];
    if (!memo) memo = std::make_unique<PatternMemo>();
    if (request == 0) return *memo;
    if (memo->others.size() < request) memo->others.resize(request);
    return memo->others[request - 1];
}

void noteUndefined(WorkerCounts& counts, std::uint32_t index) {
    if (std::ranges::find(counts.undefined, index) == counts.undefined.end())
        counts.undefined.push_back(index);
}

void keepWorst(WorstRequest& worst, std::uint32_t rank, std::uint64_t block, std::uint32_t mask,
               const std::uint64_t* addresses) {
    worst.rank = rank;
    worst.block = block;
    if (!worst.lanes) worst.lanes = std::make_unique<counts::SampledLanes>();
    worst.lanes->mask = mask;
    std::copy_n(addresses, instructions::kLanes, worst.lanes->address.begin());
}

namespace {

/// Whether one worker's blocks all wait: a round of them in which no worker got any further.
class WaitWatch {
public:
    using Clock = std::chrono::steady_clock;
    static constexpr Clock::time_point kNever = Clock::time_point::max();

    /// `progress` before the block's turn. True when all have waited for `patience`.
    template <typename Grid>
    bool waits(Grid& grid, typename Grid::Part& part, std::uint64_t progress, Clock::duration patience) {
        if (progress != m_progress) {
            m_progress = progress;
            m_blocks = 0;
            m_since = kNever;
        }
        if (++m_blocks <= part.open.size()) return false;
        part.waitsSince.store(progress);
        std::this_thread::yield(); // what they wait for may need this very processor
        if (!grid.allWait(progress)) return false;
        grid.stuckAt = progress;
        const Clock::time_point now = Clock::now();
        if (m_since == kNever) m_since = now;
        return now - m_since >= patience;
    }

private:
    std::uint64_t m_progress = 0;
    std::size_t m_blocks = 0;
    Clock::time_point m_since = kNever;
};

} // namespace

GridRunner::Unit GridRunner::beginUnit(Units& idle, Grid& grid, std::uint64_t number, WorkerCounts& counts) {
    const Work& launch = grid.work;
    const std::uint64_t size = launch.shape.cluster.count();
    Unit unit;
    if (!idle.empty()) {
        unit = std::move(idle.back());
        idle.pop_back();
    }
    while (unit.size() < size)
        unit.push_back(std::make_unique<BlockState>());
    unit.resize(size);
    for (std::uint64_t rank = 0; rank < size; ++rank) {
        const std::uint64_t block = number * size + rank;
        std::optional<hierarchy::MemoryHierarchy::BlockPort> port;
        if (launch.hierarchy != nullptr)
            port = launch.hierarchy->open(block, static_cast<std::uint32_t>(block % launch.shape.smCount));
        unit[rank]->begin(launch.shape, block, counts, std::move(port));
    }
    if (size > 1)
        for (std::unique_ptr<BlockState>& block : unit) {
            block->cluster.clear();
            for (std::unique_ptr<BlockState>& other : unit)
                block->cluster.push_back(other.get());
        }
    return unit;
}

BlockState::Outcome GridRunner::runUnit(Unit& unit, Grid& grid, bool allWait) {
    BlockState::Outcome outcome = BlockState::Outcome::Done;
    for (std::unique_ptr<BlockState>& block : unit) {
        if (block->ended) continue;
        std::unique_lock<std::mutex> lock;
        if (grid.work.hierarchy != nullptr) lock = std::unique_lock(grid.smLocks[block->sm]);
        const BlockState::Outcome one = block->run(grid.deadline, allWait);
        // One that ends may be what the others waited for.
        if (one != BlockState::Outcome::Waits && unit.size() > 1)
            outcome = BlockState::Outcome::Suspended;
        else if (outcome != BlockState::Outcome::Suspended)
            outcome = one;
    }
    const bool ended = std::ranges::all_of(unit, [](const auto& block) { return block->ended; });
    return ended ? BlockState::Outcome::Done : outcome;
}

void GridRunner::work(std::size_t worker, Units& idle, Grid& grid) {
    const Work& launch = grid.work;
    Grid::Part& part = grid.parts[worker];
    WaitWatch watch;
    part.waitsSince = Grid::kWorks;
    try {
        while (!grid.stop.load(std::memory_order_relaxed) && !grid.pause.load(std::memory_order_relaxed)) {
            Unit unit;
            const std::uint64_t progress = grid.progress.load();
            std::uint64_t number = grid.units;
            // Its own stripe first, then what the others have left.
            for (std::size_t k = 0; k < grid.stripeCount && part.open.size() < grid.openLimit; ++k) {
                const std::size_t stripe = (worker + k) % grid.stripeCount;
                if (part.exhausted[stripe]) continue;
                number = grid.stripes[stripe].take();
                if (number < grid.units) break;
                part.exhausted[stripe] = true;
                number = grid.units;
            }
            const bool begins = number < grid.units;
            if (begins) {
                unit = beginUnit(idle, grid, number, part.counts);
            } else if (!part.open.empty()) {
                unit = std::move(part.open.front());
                part.open.pop_front();
            } else {
                break;
            }
            const BlockState::Outcome outcome = runUnit(unit, grid, grid.stuckAt == progress);
            if (begins || outcome != BlockState::Outcome::Waits)
                grid.progress.fetch_add(1, std::memory_order_relaxed);
            if (outcome == BlockState::Outcome::Done) {
                for (std::unique_ptr<BlockState>& block : unit) {
                    if (block->port) launch.hierarchy->close(std::move(*block->port));
                    block->port.reset();
                }
                idle.push_back(std::move(unit));
                continue;
            }
            part.open.push_back(std::move(unit));
            if (outcome == BlockState::Outcome::Waits && !begins &&
                watch.waits(grid, part, progress, grid.patience))
                grid.pause = true;
        }
    } catch (LocatedFault& fault) {
        grid.stop = true;
        const std::lock_guard lock(grid.faultMutex);
        // The lowest block's fault, so that what is reported does not depend on chance more than need be.
        if (!grid.fault) grid.fault = std::move(fault);
    } catch (const std::bad_alloc&) {
        grid.stop = true;
        const std::lock_guard lock(grid.faultMutex);
        if (!grid.fault)
            grid.fault = LocatedFault{
                {memory::Fault::Kind::OutOfMemory, 0, 0, "this machine has no memory left to run the kernel"},
                ptx::kNone,
                0,
                {}};
    }
    part.waitsSince = Grid::kLeft;
}

std::shared_ptr<GridRunner::Grid> GridRunner::begin(const Work& work) {
    auto grid = std::make_shared<Grid>();
    grid->work = work;
    grid->work.shape.id = ++m_launches;
    const std::uint64_t unitSize = work.shape.cluster.count();
    grid->units = work.shape.grid.count() / unitSize;
    const unsigned use = static_cast<unsigned>(
        std::min<std::uint64_t>(m_workers.count(), std::max<std::uint64_t>(grid->units, 1)));
    grid->openLimit = std::max<std::size_t>(1, (work.residentBlocks / unitSize + use - 1) / use);
    // Where a block may wait for the one before it, both must run at once: then all blocks are one stripe.
    const std::uint64_t smCount = work.shape.smCount;
    grid->stripeCount =
        work.shape.program->mayWait || unitSize > 1 ? 1 : std::min<std::uint64_t>(use, smCount);
    grid->stripes = std::make_unique<Stripe[]>(grid->stripeCount);
    for (std::size_t i = 0; i < grid->stripeCount; ++i) {
        Stripe& stripe = grid->stripes[i];
        stripe.first = smCount * i / grid->stripeCount;
        stripe.width = smCount * (i + 1) / grid->stripeCount - stripe.first;
        stripe.smCount = smCount;
    }
    grid->smLocks = std::make_unique<std::mutex[]>(work.shape.smCount);
    if (m_idle.size() < use) m_idle.resize(use);
    grid->partCount = use;
    grid->parts = std::make_unique<Grid::Part[]>(use);
    for (unsigned i = 0; i < use; ++i) {
        grid->parts[i].exhausted.resize(grid->stripeCount);
        clearCounts(grid->parts[i].counts, *work.shape.program, work.shape.smCount, work.sampleLanes);
    }
    return grid;
}

GridRunner::Progress GridRunner::advance(Grid& grid, std::chrono::nanoseconds patience) {
    const auto start = std::chrono::steady_clock::now();
    const std::uint64_t before = grid.progress;
    grid.patience = patience;
    grid.pause = false;
    std::optional<std::chrono::nanoseconds>& left = grid.work.timeLimit;
    if (left) grid.deadline = start + *left;
    m_workers.run(grid.partCount, [&](unsigned index) { work(index, m_idle[index], grid); });
    if (left) *left -= std::chrono::steady_clock::now() - start;
    if (!grid.pause || grid.stop) return Progress::Ended;
    return grid.progress != before ? Progress::Some : Progress::None;
}

std::expected<WorkerCounts, LocatedFault> GridRunner::result(Grid& grid) {
    for (unsigned i = 0; i < grid.partCount; ++i) // blocks that a fault kept from their end
        for (Unit& unit : grid.parts[i].open)
            for (std::unique_ptr<BlockState>& block : unit)
                block->port.reset();
    if (grid.fault) return std::unexpected(std::move(*grid.fault));
    WorkerCounts sum = std::move(grid.parts[0].counts);
    for (unsigned i = 1; i < grid.partCount; ++i)
        addCounts(sum, grid.parts[i].counts);
    std::ranges::sort(sum.traces, {}, [](const auto& trace) { return trace->block; });
    return sum;
}

LocatedFault GridRunner::waiting(const Grid& grid, std::string detail) const {
    const BlockState* first = nullptr;
    for (unsigned i = 0; i < grid.partCount; ++i)
        for (const Unit& unit : grid.parts[i].open)
            for (const std::unique_ptr<BlockState>& block : unit)
                if (!block->ended && (first == nullptr || block->number < first->number)) first = block.get();
    if (first != nullptr) return first->at(memory::Fault::Kind::TimeLimit, std::move(detail));
    return {{memory::Fault::Kind::TimeLimit, 0, 0, std::move(detail)}, ptx::kNone, 0, {}};
}

} // namespace dormer::emulator::exec
