// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/replay/sm_clock.h"

#include "instrument/emulator/replay/latencies.h"
#include "instrument/emulator/replay/sm_warps.h"

#include <algorithm>
#include <limits>

namespace dormer::emulator::replay {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::uint32_t kNone = 0xFFFFFFFF;

bool isInstruction(program::Ending ending) {
    return ending != program::Ending::FallThrough && ending != program::Ending::LookBegins &&
           ending != program::Ending::LookAgain && ending != program::Ending::LookEnds;
}

} // namespace

SmClock::SmClock(TimedCode& code, const Shape& shape, const MemoryShare& memory, StallWatch* watch)
    : m_code(code), m_shape(shape), m_memory(memory), m_watch(watch) {}
SmClock::~SmClock() = default;

double SmClock::readyOf(const Warp& warp, std::int32_t source) const {
    if (source >= 0) return warp.results[static_cast<std::size_t>(source)];
    const auto value = static_cast<std::size_t>(-1 - source);
    return value < warp.values.size() ? warp.values[value] : 0;
}

void SmClock::begin(const counts::BlockTrace& trace, double now) {
    m_stale = kAllParts;
    m_memory.firstWave(m_next <= m_shape.residentBlocks);
    Block& block = *m_blocks.emplace_back(std::make_unique<Block>());
    block.left = trace.warps.size();
    for (const counts::WarpTrace& each : trace.warps) {
        Warp& warp = *block.warps.emplace_back(std::make_unique<Warp>());
        warp.trace = &each;
        warp.block = &block;
        warp.part = m_nextPart++ % kParts;
        warp.earliest = now + kBlockStart;
        warp.course.begin = warp.earliest;
        if (m_watch != nullptr) warp.course.look = m_watch->looks().size();
        m_warps[warp.part].push_back(&warp);
    }
    for (const std::unique_ptr<Warp>& warp : block.warps)
        visit(*warp, warp->earliest);
}

double SmClock::codeThere(std::uint32_t block, const TimedBlock& code, double now) {
    if (m_fetched.empty()) m_fetched.resize(m_code.program().blocks.size());
    Fetched& fetched = m_fetched[block];
    const bool isNew = fetched.there < 0;
    // What came last pushes out what came first. Warps that come while it is on its way wait together.
    const bool isGone = now > fetched.there && m_codeLines - fetched.before > kCodeLines;
    if (isNew || isGone) {
        const double lines = static_cast<double>(code.ops.size() + 1) / 8; // 16 bytes each
        fetched.before = m_codeLines;
        m_codeLines += lines;
        fetched.there = now + (isNew ? kCodeLine : kCodeAgain) * lines;
    }
    return fetched.there;
}

/// The warp comes to the next block of code of its trace, or ends.
void SmClock::visit(Warp& warp, double now) {
    if (warp.visit == warp.trace->visits.size()) {
        end(warp, now);
        return;
    }
    const counts::TracedVisit& at = warp.trace->visits[warp.visit];
    warp.code = &m_code.block(at.block);
    if (const double there = codeThere(at.block, *warp.code, now); there > warp.earliest) {
        warp.earliest = there;
        warp.course.add(there, counts::Stall::NoInstructions, StallWatch::Course::kNext);
    }
    warp.op = 0;
    warp.results.assign(warp.code->ops.size(), 0);
    const std::uint32_t last = warp.visit + 1 < warp.trace->visits.size()
                                   ? warp.trace->visits[warp.visit + 1].firstAccess
                                   : static_cast<std::uint32_t>(warp.trace->accesses.size());
    warp.accesses.assign(warp.code->memory.size(), kNone);
    std::size_t place = 0;
    for (std::uint32_t i = at.firstAccess; i < last; ++i) {
        while (place < warp.code->memory.size() && warp.code->memory[place] < warp.trace->accesses[i].inst)
            ++place;
        if (place < warp.code->memory.size() && warp.code->memory[place] == warp.trace->accesses[i].inst)
            warp.accesses[place] = i;
    }
    prepare(warp);
}

/// Finds out when its next op can issue.
void SmClock::prepare(Warp& warp) {
    warp.ready = warp.earliest;
    warp.pipe = Pipe::None;
    warp.usesLsu = false;
    if (warp.op == warp.code->ops.size()) {
        for (const std::int32_t source : warp.code->endingSources)
            warp.ready = std::max(warp.ready, readyOf(warp, source));
        return;
    }
    const TimedOp& op = warp.code->ops[warp.op];
    const std::int32_t* const sources = warp.code->sources.data() + op.firstSource;
    for (std::uint32_t i = 0; i < op.sources; ++i)
        warp.ready = std::max(warp.ready, readyOf(warp, sources[i]));
    warp.pipe = op.pipe;
    warp.usesLsu = op.memory != TimedOp::kNoMemory || op.isExchange;
}

double SmClock::access(Warp& warp, const TimedOp& op, double now) {
    const std::uint32_t number = warp.accesses[op.memory];
    if (number == kNone) return now + 1; // no lane took part
    const counts::TracedAccess& access = warp.trace->accesses[number];
    const program::InstructionFacts& facts =
        m_code.program().instructions[m_code.program().insts[access.inst].index];
    const std::span<const std::uint64_t> lines(warp.trace->lines.data() + access.firstLine, access.lines);
    if (facts.space == counts::MemorySpace::Constant) {
        const double passes = std::max<double>(access.wavefronts, 1);
        m_constantFree = std::max(m_constantFree, now) + (passes - 1) * kConstantPass + 1;
        return m_constantFree + kConstantLoad;
    }
    // One data path for L1 and shared memory: a line a cycle, 128 bytes a cycle.
    double busy = std::max({1.0, static_cast<double>(access.wavefronts),
                            static_cast<double>(access.lines) / kLinesPerCycle,
                            facts.widthBytes * static_cast<double>(instructions::kLanes) /
                                m_shape.lsuBytesPerClock * (access.lines > 0 ? 1 : 0)});
    if (facts.space == counts::MemorySpace::Texture) busy = kTextureBusy;
    m_lsuFree = std::max(m_lsuFree, now) + busy;
    // Stores that L2 does not take yet stop the path.
    if (access.kind == counts::TracedKind::Store || access.kind == counts::TracedKind::Reduce)
        m_lsuFree = std::max(m_lsuFree, m_memory.l2Free() - 200);
    const double start = m_lsuFree - 1;
    switch (access.kind) {
    case counts::TracedKind::Untouched: { // shared memory
        const bool atomic = facts.op == counts::MemoryOp::Atomic || facts.op == counts::MemoryOp::Reduce;
        return start + m_shape.sharedCycles * (atomic ? 2 : 1);
    }
    case counts::TracedKind::Load:
    case counts::TracedKind::LoadPastL1:
    case counts::TracedKind::Bulk: {
        const double ready = m_memory.load(lines, start, access.kind != counts::TracedKind::Load) +
                             (facts.space == counts::MemorySpace::Texture ? kTextureExtra : 0);
        if (facts.text.starts_with("cp.")) {
            warp.asyncReady = std::max(warp.asyncReady, ready);
            return now + 1;
        }
        return ready;
    }
    case counts::TracedKind::Store:
        warp.storesGone = start + m_shape.sharedCycles;
        m_memory.store(lines, start, true);
        return now + 1;
    case counts::TracedKind::Reduce:
        warp.storesGone = start + m_shape.sharedCycles;
        m_memory.store(lines, start, false);
        return now + 1;
    case counts::TracedKind::Atomic:
        return m_memory.atomic(lines, start) + access.serialized;
    }
    return now;
}

void SmClock::issue(Warp& warp, double now) {
    if (m_watch != nullptr && warp.course.look < m_watch->looks().size()) explain(warp, now);
    warp.course.restart();
    if (warp.op == warp.code->ops.size()) {
        ++m_steps;
        m_stale |= 1U << warp.part;
        const program::CodeBlock& block = m_code.program().blocks[warp.trace->visits[warp.visit].block];
        if (isInstruction(block.ending)) {
            m_issueFree[warp.part] = now + 1;
            m_lastPipe[warp.part] = Pipe::None;
            warp.course.add(now + 1, counts::Stall::Selected, block.endingIndex);
        }
        leaveBlockOfCode(warp, now);
        return;
    }
    const TimedOp& op = warp.code->ops[warp.op];
    m_issueFree[warp.part] = now + op.issue;
    double& pipeFree = m_pipeFree[warp.part][static_cast<std::size_t>(op.pipe)];
    m_lastPipe[warp.part] = op.pipe;
    m_lastPipeFree[warp.part] = pipeFree;
    pipeFree = now + op.busy;
    double done = now + op.latency;
    warp.earliest = now + std::max(op.issue, op.hold);
    warp.course.add(now + op.issue, counts::Stall::Selected, op.instruction);
    if (op.hold > op.issue) warp.course.add(warp.earliest, counts::Stall::Wait, op.instruction);
    m_stale |= 1U << warp.part;
    if (op.memory != TimedOp::kNoMemory) {
        done = access(warp, op, now);
        m_stale = kAllParts; // the load/store unit is busier now
    } else if (op.isExchange) {
        m_lsuFree = std::max(m_lsuFree, now) + 1;
        done = m_lsuFree + op.latency;
        m_stale = kAllParts;
    } else if (op.isFence) {
        warp.earliest = m_memory.fence(now);
        warp.course.add(warp.earliest, counts::Stall::Membar, op.instruction);
    }
    warp.results[warp.op] = done;
    ++warp.op;
    prepare(warp);
}

void SmClock::leaveBlockOfCode(Warp& warp, double now) {
    const TimedBlock& code = *warp.code;
    m_stale |= 1U << warp.part;
    // First all, then the values change: one may be another's old one.
    struct Change {
        std::uint32_t value;
        counts::Stall wait;
        double ready;
    };
    thread_local std::vector<Change> changes;
    changes.clear();
    for (const TimedBlock::Result& result : code.results)
        changes.push_back({result.value, waitOf(warp, result.source), readyOf(warp, result.source)});
    if (warp.values.size() < m_code.values()) {
        warp.values.resize(m_code.values());
        warp.waits.resize(m_code.values(), counts::Stall::Wait);
    }
    for (const Change& change : changes)
        warp.values[change.value] = -1;
    for (const Change& change : changes)
        if (change.ready > warp.values[change.value]) {
            warp.values[change.value] = change.ready;
            warp.waits[change.value] = change.wait;
        }
    const counts::TracedVisit& at = warp.trace->visits[warp.visit];
    m_steps += m_code.program().blocks[at.block].count;
    ++warp.visit;
    const program::CodeBlock& block = m_code.program().blocks[at.block];
    const bool straightOn =
        warp.visit < warp.trace->visits.size() && warp.trace->visits[warp.visit].block == block.next;
    const auto next = StallWatch::Course::kNext;
    switch (block.ending) {
    case program::Ending::Barrier:
        warp.earliest = std::max(now + 1, warp.asyncReady);
        warp.course.add(warp.earliest, counts::Stall::LongScoreboard, next);
        arrive(warp, warp.earliest);
        return;
    case program::Ending::FallThrough:
    case program::Ending::LookBegins:
    case program::Ending::LookAgain:
    case program::Ending::LookEnds:
        warp.earliest = now;
        break;
    case program::Ending::Call:
    case program::Ending::IndirectCall:
        warp.earliest = now + (code.callsLibrary ? kExternalCall : 2 * kTakenBranch);
        warp.course.add(warp.earliest,
                        code.callsLibrary ? counts::Stall::Misc : counts::Stall::BranchResolving, next);
        break;
    default:
        warp.earliest = now + (straightOn ? kBranch : kTakenBranch);
        if (block.ending == program::Ending::Yield || block.ending == program::Ending::ClusterWait) {
            const bool sleeps = block.ending == program::Ending::Yield;
            warp.course.add(warp.earliest, sleeps ? counts::Stall::Sleeping : counts::Stall::Barrier, next);
            break;
        }
        if (straightOn) {
            warp.course.add(warp.earliest, counts::Stall::Wait, next);
            break;
        }
        warp.course.add(now + kBranchWait, counts::Stall::Wait, next);
        warp.course.add(now + kBranchWait + kBranchTarget, counts::Stall::BranchResolving, next);
        warp.course.add(warp.earliest, counts::Stall::NoInstructions, next);
        break;
    }
    visit(warp, warp.earliest);
}

void SmClock::arrive(Warp& warp, double now) {
    Block& block = *warp.block;
    warp.atBarrier = true;
    warp.ready = kNever;
    block.lastArrival = std::max(block.lastArrival, now);
    if (++block.waiting == block.left) release(block, block.lastArrival + kBarrier);
}

void SmClock::release(Block& block, double now) {
    m_stale = kAllParts;
    block.waiting = 0;
    block.lastArrival = 0;
    std::vector<Warp*> go;
    for (const std::unique_ptr<Warp>& warp : block.warps)
        if (warp->atBarrier) go.push_back(warp.get());
    for (Warp* warp : go)
        warp->atBarrier = false;
    for (Warp* warp : go) {
        warp->earliest = now;
        warp->course.add(now, counts::Stall::Barrier, StallWatch::Course::kNext);
        visit(*warp, now);
    }
}

void SmClock::end(Warp& warp, double now) {
    warp.ended = true;
    warp.ready = kNever;
    m_lastEnd = std::max(m_lastEnd, now);
    if (m_watch != nullptr) leave(warp);
    Block& block = *warp.block;
    if (--block.left > 0) {
        if (block.waiting == block.left) release(block, std::max(now, block.lastArrival + kBarrier));
        return;
    }
    for (std::vector<Warp*>& warps : m_warps)
        std::erase_if(warps, [&](const Warp* each) { return each->block == &block; });
    if (m_next < m_queue->size()) begin(*(*m_queue)[m_next++], now);
}

void SmClock::choose(unsigned part) {
    m_nextAt[part] = kNever;
    for (Warp* warp : m_warps[part]) {
        double ready = std::max(warp->ready, m_issueFree[part]);
        if (warp->pipe != Pipe::None)
            ready = std::max(ready, m_pipeFree[part][static_cast<std::size_t>(warp->pipe)]);
        if (warp->usesLsu) ready = std::max(ready, m_lsuFree - kQueue);
        if (ready == kNever || ready > m_nextAt[part] ||
            (ready == m_nextAt[part] && warp->ready >= m_nextWarp[part]->ready))
            continue;
        m_nextAt[part] = ready;
        m_nextWarp[part] = warp;
    }
}

SmClock::Result SmClock::play(const std::vector<const counts::BlockTrace*>& blocks,
                              std::uint64_t totalSteps) {
    m_queue = &blocks;
    for (std::uint32_t i = 0; i < m_shape.residentBlocks && m_next < blocks.size(); ++i)
        begin(*blocks[m_next++], 0);
    Result result;
    const std::uint64_t limit = std::min(totalSteps, m_shape.stepLimit);
    std::uint64_t quarter = 0, threeQuarters = 0;
    double quarterAt = 0, threeQuartersAt = 0, now = 0;
    while (m_steps < limit) {
        // The scheduler that can issue first, and there the warp that has been there longest.
        Warp* chosen = nullptr;
        double at = kNever;
        for (unsigned part = 0; part < kParts; ++part) {
            if ((m_stale >> part & 1) != 0) choose(part);
            if (m_nextAt[part] < at) {
                at = m_nextAt[part];
                chosen = m_nextWarp[part];
            }
        }
        m_stale = 0;
        if (chosen == nullptr) { // all wait at barriers that some warps' traces do not reach
            Block* stuck = nullptr;
            for (const std::unique_ptr<Block>& block : m_blocks)
                if (block->waiting > 0) stuck = block.get();
            if (stuck == nullptr) break;
            release(*stuck, stuck->lastArrival + kBarrier);
            continue;
        }
        now = std::max(now, at);
        if (m_watch != nullptr) look(at);
        issue(*chosen, at);
        if (quarter == 0 && m_steps >= limit / 4) {
            quarter = m_steps, quarterAt = now;
            if (m_watch != nullptr) m_watch->middleBegins(now);
        }
        if (threeQuarters == 0 && m_steps >= limit / 4 * 3) {
            threeQuarters = m_steps, threeQuartersAt = now;
            if (m_watch != nullptr) m_watch->middleEnds(now);
        }
    }
    if (m_watch != nullptr) explainRest(now);
    result.cycles = std::max({now, m_lastEnd, m_steps >= totalSteps ? m_memory.drained() : 0.0});
    result.steps = m_steps;
    result.middleCycles = threeQuartersAt - quarterAt;
    result.middleSteps = threeQuarters - quarter;
    return result;
}

} // namespace dormer::emulator::replay
