// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/exec/block.h"

#include "instrument/emulator/exec/context_ops.h"
#include "instrument/emulator/exec/lane_paths.h"
#include "instrument/emulator/exec/values.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>

namespace dormer::emulator::exec {

namespace {

/// Code blocks a warp executes before another one gets its turn, and turns before the whole block makes room.
constexpr std::uint64_t kWarpBudget = 2048;
constexpr unsigned kTurnsOfBlock = 64;
/// A turn with so many accesses to what others may change is taken for spinning. Other loops never wait for
/// anybody, and their lanes had better stay together.
constexpr std::uint64_t kSpinningAccesses = kWarpBudget / 16;
/// The same is asked, more strictly, after each part of a turn: a warp that only waits soon lets others run.
/// What it asks in vain is counted, and a GPU, where all run at once, asks but a few times.
constexpr std::uint64_t kPartBudget = 64;
constexpr std::uint64_t kSpinningAccessesOfPart = kPartBudget / 8;
/// Turns in which all warps of a block only spin, before it makes room. Two let a warp's own lanes change
/// places.
constexpr unsigned kIdleTurns = 3;
/// Pauses (nanosleep) of a warp before its lanes change places.
constexpr std::uint32_t kPausesOfPath = 8;
/// Where the caches see local memory: far from every address of the host.
constexpr std::uint64_t kLocalMemory = std::uint64_t{1} << 48;

constexpr std::size_t roundUp(std::size_t bytes, std::size_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

/// Per-lane bytes for the deepest chain of calls, by a sum over all functions. Recursion gets room for a few
/// levels.
std::uint32_t stackBytes(const program::Program& program, std::uint32_t program::CodeFunction::*bytes) {
    constexpr std::uint32_t kRecursionDepth = 24;
    std::uint64_t sum = 0;
    for (std::size_t i = 1; i < program.functions.size(); ++i)
        sum += program.functions[i].*bytes;
    if (program.mayRecurse) sum *= kRecursionDepth;
    return static_cast<std::uint32_t>(sum + program.functions[0].*bytes);
}

session::Dim3 placeOf(std::uint64_t number, session::Dim3 extent) {
    return {static_cast<std::uint32_t>(number % extent.x),
            static_cast<std::uint32_t>(number / extent.x % extent.y),
            static_cast<std::uint32_t>(number / extent.x / extent.y)};
}

struct Turn {
    Stop stop = Stop::OutOfBudget;
    bool spun = false;
};

Turn takeTurn(WarpState& warp) {
    const std::uint64_t before = warp.strongAccesses;
    for (std::uint64_t steps = 0; steps < kWarpBudget; steps += kPartBudget) {
        const std::uint64_t partBefore = warp.strongAccesses;
        const Stop stop = runWarp(warp, kPartBudget);
        if (stop == Stop::StillWaits && steps > 0) return {Stop::Waits, false};
        if (stop != Stop::OutOfBudget) return {stop, false};
        if (warp.strongAccesses - partBefore >= kSpinningAccessesOfPart) return {stop, true};
    }
    const Path& path = warp.paths.back();
    const program::CodeBlock& block = warp.program->blocks[path.pc];
    const bool forever = block.count == 0 && block.guard == instructions::Ref::kNowhere &&
                         block.ending == program::Ending::Branch && block.target == path.pc;
    return {Stop::OutOfBudget, forever || warp.strongAccesses - before >= kSpinningAccesses};
}

/// What the system keeps of a block's shared memory is zero when it starts; that comes before all its warps
/// do.
void clearReservedShared(const BlockState& block) {
    std::memset(block.shared(), 0, kReservedSharedBytes);
    if (block.watch == nullptr) return;
    const std::uint64_t begin[instructions::kLanes] = {};
    block.watch->access({0, 0, 1, kReservedSharedBytes, SharedWatch::Access::Write, false, false, false},
                        begin);
    block.watch->arrives(0, 0);
    for (std::uint32_t i = 0; i < block.warps.size(); ++i)
        block.watch->leaves(i, 0);
}

} // namespace

void AlignedBuffer::Free::operator()(std::byte* data) const {
    std::free(data); // NOLINT: taken with aligned_alloc
}

std::byte* AlignedBuffer::reserve(std::size_t bytes) {
    if (bytes > m_bytes) {
        m_data.reset();
        const std::size_t rounded = roundUp(bytes + bytes / 2, 128);
        m_data.reset(static_cast<std::byte*>(std::aligned_alloc(128, rounded)));
        if (!m_data) throw std::bad_alloc();
        m_bytes = rounded;
    }
    return m_data.get();
}

void BlockState::prepare(const LaunchShape& launch, WorkerCounts& counts) {
    const program::Program& program = *launch.program;
    const auto threads = static_cast<std::uint32_t>(launch.block.count());
    const std::uint32_t warpCount = (threads + instructions::kLanes - 1) / instructions::kLanes;
    const std::uint32_t registerBytes = stackBytes(program, &program::CodeFunction::registerBytes);
    const auto localStride =
        static_cast<std::uint32_t>(roundUp(stackBytes(program, &program::CodeFunction::localBytes), 16));
    const auto parameterStride =
        static_cast<std::uint32_t>(roundUp(stackBytes(program, &program::CodeFunction::parameterBytes), 16));
    std::byte* registerFile = m_registers.reserve(std::size_t{warpCount} * registerBytes + 128);
    std::byte* valueBytes =
        m_values.reserve(program.blockValues.bytes + std::size_t{warpCount} * program.warpValues.bytes + 128);
    std::byte* localBytes =
        m_local.reserve(std::size_t{warpCount} * instructions::kLanes * localStride + 128);
    std::byte* parameterBytes =
        m_parameterArea.reserve(std::size_t{warpCount} * instructions::kLanes * parameterStride + 128);
    std::byte* sharedBytes = m_shared.reserve(launch.sharedBytes + 128);

    warps.resize(warpCount);
    for (std::uint32_t i = 0; i < warpCount; ++i) {
        WarpState& w = warps[i];
        w.block = this;
        w.counts = &counts;
        w.program = &program;
        w.memory = launch.memory;
        w.shared = sharedBytes;
        w.sharedBytes = launch.sharedBytes;
        w.kernelParameters = launch.parameters.data();
        w.kernelParameterBytes = launch.parameters.size();
        w.local = localBytes + std::size_t{i} * instructions::kLanes * localStride;
        w.localStride = localStride;
        w.parameterArea = parameterBytes + std::size_t{i} * instructions::kLanes * parameterStride;
        w.parameterStride = parameterStride;
        w.registerFile = registerFile + std::size_t{i} * registerBytes;
        w.registerBytes = registerBytes;
        w.index = i;
        w.undefined = [](instructions::Warp& of, const instructions::Inst& in) {
            noteUndefined(*stateOf(of).counts, in.index);
        };
        std::byte* warpBytes =
            valueBytes + program.blockValues.bytes + std::size_t{i} * program.warpValues.bytes;
        fillWarpValues(program.warpValues, launch.block, i, warpBytes);
        w.bases[instructions::kConstants] = launch.constants;
        w.bases[instructions::kBlockValues] = valueBytes;
        w.bases[instructions::kWarpValues] = warpBytes;
    }
    m_launch = launch.id;
}

void BlockState::begin(const LaunchShape& launch, std::uint64_t blockNumber, WorkerCounts& counts,
                       std::optional<hierarchy::MemoryHierarchy::BlockPort> blockPort) {
    if (m_launch != launch.id) prepare(launch, counts);
    const program::Program& program = *launch.program;
    number = blockNumber;
    const std::uint64_t size = launch.cluster.count();
    BlockPlace place;
    place.rank = static_cast<std::uint32_t>(blockNumber % size);
    place.inCluster = placeOf(place.rank, launch.cluster);
    place.cluster =
        placeOf(blockNumber / size, {launch.grid.x / launch.cluster.x, launch.grid.y / launch.cluster.y,
                                     launch.grid.z / launch.cluster.z});
    place.block = {place.cluster.x * launch.cluster.x + place.inCluster.x,
                   place.cluster.y * launch.cluster.y + place.inCluster.y,
                   place.cluster.z * launch.cluster.z + place.inCluster.z};
    coordinates = place.block;
    cluster.assign(1, this);
    dropFaults = launch.dropFaults;
    clock = launch.clock;
    ended = false;
    sm = static_cast<std::uint32_t>(blockNumber % launch.smCount);
    port = std::move(blockPort);
    if (warpsAtBarriers != 0) barriers = {};
    warpsAtBarriers = 0;
    warpsLeft = static_cast<std::uint32_t>(warps.size());
    place.sm = sm;
    fillBlockValues(program.blockValues, place, m_values.data());
    // What other blocks of a cluster do to its memory is not watched.
    const bool watched =
        launch.checks.any() && size == 1 &&
        (launch.checks.everyBlock || blockNumber == 0 || blockNumber + 1 == launch.grid.count());
    watch = watched ? &m_watch : nullptr;
    if (watched)
        m_watch.begin(launch.checks, launch.sharedBytes, blockNumber, coordinates, counts.hazards,
                      launch.globalWatch);
    const program::CodeBlock& entry = program.blocks[program.functions[0].firstBlock];
    if (entry.count > 0 && program.insts[entry.first].run == usesReservedShared) clearReservedShared(*this);
    counts::BlockTrace* trace = nullptr;
    if (port && launch.traces.holds(sm, blockNumber / launch.smCount)) {
        trace = counts.traces.emplace_back(std::make_unique<counts::BlockTrace>()).get();
        trace->block = blockNumber;
        trace->sm = sm;
        trace->warps.resize(warps.size());
        traceSteps = launch.traces.stepsOfWarp;
    }
    std::uint32_t threads = static_cast<std::uint32_t>(launch.block.count());
    for (WarpState& w : warps) {
        w.watch = watch;
        w.trace = trace != nullptr ? &trace->warps[w.index] : nullptr;
        w.steps = 0;
        w.codeCycles = clock.ofCode.empty() ? nullptr : clock.ofCode.data();
        w.cycles = 0;
        const std::uint32_t lanes = std::min(instructions::kLanes, threads);
        threads -= lanes;
        w.port = port ? &*port : nullptr;
        w.alive = lanes == instructions::kLanes ? instructions::kAllLanes : (1u << lanes) - 1;
        w.localOffset = w.parameterOffset = w.registerOffset = 0;
        w.localAddress = kLocalMemory + (std::uint64_t{sm} * 64 + w.index) * instructions::kLanes *
                                            roundUp(w.localStride, 128);
        w.status = WarpState::Status::Ready;
        w.bases[instructions::kRegisters] = w.registerFile;
        w.calls.clear();
        w.withoutMembers = false;
        w.clusterArrived = 0;
        w.pauses = w.changes = w.wrote = 0;
        w.paths.assign(1, {program.functions[0].firstBlock, program::kFunctionEnd, w.alive});
    }
}

BlockState::Outcome BlockState::run(const Deadline& deadline, bool allWait) {
    unsigned idleTurns = 0;
    bool everProgressed = false;
    for (unsigned turn = 0; turn < kTurnsOfBlock; ++turn) {
        bool ran = false, progressed = false;
        for (WarpState& warp : warps) {
            if (warp.status != WarpState::Status::Ready) continue;
            ran = true;
            const Turn taken = takeTurn(warp);
            switch (taken.stop) {
            case Stop::Done:
                warp.status = WarpState::Status::Done;
                --warpsLeft;
                if (watch != nullptr) watch->exits(warp.index);
                checkBarriers(); // those who wait need not wait for this one any more
                progressed = true;
                break;
            case Stop::OutOfBudget:
                if (taken.spun)
                    changePaths(warp);
                else
                    progressed = true;
                break;
            case Stop::Barrier:
            case Stop::Waits:
                progressed = true;
                break;
            case Stop::StillWaits:
                // What it waits for may be in the hands of other lanes of this warp, as locks often are.
                // Those that can only go to a barrier, which needs all of them, had better stay together.
                if (allWait || waitsToTake(warp) || othersCanGoOn(warp)) changePaths(warp);
                break;
            case Stop::Pause:
                if (++warp.pauses % kPausesOfPath == 0) changePaths(warp);
                break;
            }
        }
        if (warpsLeft == 0) {
            ended = true;
            for (const WarpState& warp : warps)
                warp.counts->stepsOfSm[sm] += warp.steps;
            return Outcome::Done;
        }
        if (!ran) failDeadlocked();
        if (deadline && std::chrono::steady_clock::now() > *deadline)
            throw at(memory::Fault::Kind::TimeLimit, "the kernel did not end within the time limit");
        // Waiting for another block, it seems: which may need this very processor to go on.
        idleTurns = progressed ? 0 : idleTurns + 1;
        everProgressed = everProgressed || progressed;
        if (idleTurns == kIdleTurns) return everProgressed ? Outcome::Suspended : Outcome::Waits;
    }
    return Outcome::Suspended;
}

LocatedFault BlockState::at(memory::Fault::Kind kind, std::string detail) const {
    const auto ready = std::ranges::find(warps, WarpState::Status::Ready, &WarpState::status);
    if (ready == warps.end()) return {{kind, 0, 0, std::move(detail)}, ptx::kNone, 0, coordinates};
    const std::uint32_t pc = ready->paths.empty() ? 0 : ready->paths.back().pc;
    const std::uint32_t mask = (ready->paths.empty() ? 0 : ready->paths.back().mask) & ready->alive;
    const std::vector<program::CodeBlock>& blocks = ready->program->blocks;
    return {{kind, static_cast<unsigned>(std::countr_zero(mask | 1u << 31)), 0, std::move(detail)},
            pc < blocks.size() ? blocks[pc].placeIndex : ptx::kNone,
            ready->index,
            coordinates};
}

void BlockState::failDeadlocked() {
    for (WarpState& warp : warps) {
        if (warp.status != WarpState::Status::AtBarrier) continue;
        throw LocatedFault{{memory::Fault::Kind::Deadlock,
                            static_cast<unsigned>(std::countr_zero(warp.alive)), 0,
                            "every warp of the block waits at a barrier that not all of them reach"},
                           warp.barrierPlace,
                           warp.index,
                           coordinates};
    }
    throw LocatedFault{
        {memory::Fault::Kind::Deadlock, 0, 0, "no warp of the block can go on"}, ptx::kNone, 0, coordinates};
}

} // namespace dormer::emulator::exec
