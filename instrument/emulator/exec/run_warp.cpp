// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/exec/run_warp.h"

#include "instrument/emulator/exec/block.h"
#include "instrument/emulator/exec/calls.h"
#include "instrument/emulator/exec/dropped_faults.h"
#include "instrument/emulator/exec/lane_paths.h"
#include "instrument/emulator/exec/trace.h"

#include <bit>

namespace dormer::emulator::exec {

namespace {

std::uint32_t guardLanes(const WarpState& w, std::uint32_t guard, bool negated, std::uint32_t active) {
    if (guard == instructions::Ref::kNowhere) return active;
    const std::uint32_t value = w.predicate(instructions::Ref{guard});
    return active & (negated ? ~value : value);
}

std::uint32_t firstLane(std::uint32_t mask) {
    return static_cast<std::uint32_t>(std::countr_zero(mask));
}

FaultSignal divergentBarrier(std::uint32_t missing) {
    return {
        memory::Fault::Kind::DivergentBarrier, firstLane(missing), 0,
        "a barrier was reached by some threads of a warp while others, this one among them, are elsewhere"};
}

/// Executes one warp. Holds the running path in registers; the stack's top is brought up to date when it
/// matters.
class Runner {
public:
    Runner(WarpState& warp, std::uint64_t budget)
        : m_w(warp)
        , m_program(*warp.program)
        , m_budget(budget)
        , m_look(warp.block->look)
        , m_path(warp.paths.back()) {
        m_path.mask &= m_w.alive;
        if (m_w.trace != nullptr) [[unlikely]]
            m_w.port->trace(&m_w.trace->lines);
        if (m_w.codeCycles != nullptr && m_w.port != nullptr) m_l1Misses = m_w.port->l1Misses();
    }

    Stop run() {
        try {
            while (true) {
                AwaitsMembers waits;
                try {
                    return loop();
                } catch (const AwaitsMembers& thrown) {
                    waits = thrown;
                } catch (const FaultSignal& signal) {
                    if (m_at == nullptr || !leaveFaultsOut(m_w, *m_at, signal)) throw;
                    goOnBehind();
                    continue;
                }
                awaitMembers(waits);
            }
        } catch (FaultSignal& signal) {
            LocatedFault fault{std::move(signal), m_at != nullptr ? m_at->index : m_current, m_w.index,
                               m_w.block->coordinates};
            throw fault;
        }
    }

private:
    Stop loop() {
        const program::CodeBlock* const blocks = m_program.blocks.data();
        const instructions::Inst* const insts = m_program.insts.data();
        while (true) {
            if (m_path.pc == m_path.reconverge || m_path.mask == 0) {
                if (const std::optional<Stop> why = popPath()) return *why;
                continue;
            }
            const program::CodeBlock& block = blocks[m_path.pc];
            const std::uint32_t active = m_path.mask;
            ++m_w.counts->blockWarps[m_path.pc];
            m_w.counts->blockLanes[m_path.pc] += static_cast<unsigned>(std::popcount(active));
            m_w.active = active;
            const instructions::Inst* const end = insts + block.first + block.count;
            const instructions::Inst* const inst = insts + block.first + m_path.done;
            m_w.steps += static_cast<std::uint64_t>(end - inst) + 1;
            if (m_w.trace == nullptr) {
                m_path.done = 0;
                straight<false>(inst, end, active);
            } else {
                if (m_path.done == 0) traceVisit(m_w, m_path.pc);
                m_path.done = 0;
                straight<true>(inst, end, active);
            }
            if (m_w.codeCycles != nullptr) [[unlikely]]
                tick(m_w.codeCycles[m_path.pc]);
            m_at = nullptr;
            m_current = block.endingIndex;
            switch (block.ending) {
            case program::Ending::FallThrough:
                m_path.pc = block.next;
                break;
            case program::Ending::Branch:
                branch(block, active);
                break;
            case program::Ending::IndexedBranch:
                indexedBranch(block, active);
                break;
            case program::Ending::Return:
                if (!m_w.calls.empty()) {
                    leave(block, guardLanes(m_w, block.guard, block.guardNegated, active));
                    break;
                }
                [[fallthrough]];
            case program::Ending::Exit: {
                const std::uint32_t lanes = guardLanes(m_w, block.guard, block.guardNegated, active);
                m_w.alive &= ~lanes;
                if (m_program.clusterBarriers) m_w.block->checkClusterBarrier();
                leave(block, lanes);
                break;
            }
            case program::Ending::Call:
            case program::Ending::IndirectCall:
                call(block, active);
                break;
            case program::Ending::Barrier:
                if (const std::optional<Stop> why = barrier(block, active)) return *why;
                break;
            case program::Ending::ClusterArrive:
                m_w.clusterArrived |= guardLanes(m_w, block.guard, block.guardNegated, active);
                m_w.block->checkClusterBarrier();
                m_path.pc = block.next;
                break;
            case program::Ending::ClusterWait:
                if ((guardLanes(m_w, block.guard, block.guardNegated, active) & m_w.clusterArrived) != 0) {
                    uncount(block); // it counts when it goes on
                    return stop(m_budget == m_granted ? Stop::StillWaits : Stop::Waits);
                }
                ++m_w.counts->barriers;
                m_path.pc = block.next;
                break;
            case program::Ending::Yield:
                m_path.pc = block.next;
                if (m_look.began()) break; // the look behind it tells whether there is anything to wait for
                return stop(Stop::Pause);
            case program::Ending::LookBegins:
                m_moved = true;
                beginLook(block);
                break;
            case program::Ending::LookAgain:
                if (m_look.isOf(m_w, m_program.polls[block.operands], active)) {
                    const bool wasInVain = m_look.wasInVain(m_w);
                    if (wasInVain || m_look.wasNotTheLast(m_w)) m_look.undo(m_w);
                    if (wasInVain) return stop(m_moved ? Stop::Waits : Stop::StillWaits);
                    m_moved = true;
                }
                beginLook(block);
                break;
            case program::Ending::LookEnds:
                m_moved = true;
                endLook(block, active);
                break;
            case program::Ending::Trap:
                if (const std::uint32_t lanes = guardLanes(m_w, block.guard, block.guardNegated, active))
                    throw FaultSignal{memory::Fault::Kind::Trap, firstLane(lanes), 0,
                                      "the kernel executed trap"};
                m_path.pc = block.next;
                break;
            }
            if (m_budget-- == 0) return stop(Stop::OutOfBudget);
        }
    }

    /// The block's instructions but for its ending.
    template <bool Traced>
    void straight(const instructions::Inst* inst, const instructions::Inst* end, std::uint32_t active) {
        for (; inst != end; ++inst) {
            std::uint32_t exec = active;
            if (inst->guard != instructions::Ref::kNowhere) {
                exec = guardLanes(m_w, inst->guard, inst->guardNegated, active);
                if (exec == 0) continue;
                if (inst->countsGuard) {
                    counts::InstructionCounts& counts = m_w.counts->instructions[inst->index];
                    ++counts.executions;
                    counts.threads += static_cast<unsigned>(std::popcount(exec));
                }
            }
            m_w.exec = exec;
            m_at = inst;
            if constexpr (Traced)
                traceRun(m_w, *inst);
            else
                inst->run(m_w, *inst);
        }
    }

    /// The warp's clock goes on by what a block of code takes.
    void tick(const CodeCycles& block) {
        m_w.cycles += block.cycles;
        if (block.onMiss == 0 || m_w.port == nullptr) return;
        const std::uint64_t misses = m_w.port->l1Misses();
        if (misses > m_l1Misses) m_w.cycles += block.onMiss;
        m_l1Misses = misses;
    }

    Stop stop(Stop why) {
        if (m_look.began()) m_look.end(m_w);
        m_w.paths.back() = m_path;
        return why;
    }

    void beginLook(const program::CodeBlock& block) {
        m_look.begin(m_w, m_program.polls[block.operands], m_path.mask);
        constexpr std::uint64_t kRound = std::uint64_t{4} * program::PollLoop::kMostBlocks;
        constexpr unsigned kMostRounds = 8; // loops that count their looks never look in vain
        if (m_budget < kRound && m_rounds++ < kMostRounds) m_budget = kRound; // a whole one
        m_path.pc = block.next;
    }

    void endLook(const program::CodeBlock& block, std::uint32_t active) {
        const program::PollLoop& loop = m_program.polls[block.operands];
        // Had it been there at once, the look in front of the loop would have been the only one.
        if (loop.looksBefore && m_look.isOf(m_w, loop, active)) m_look.undo(m_w);
        if (m_look.began()) m_look.end(m_w);
        m_path.pc = block.next;
    }

    [[nodiscard]] std::size_t base() const { return m_w.calls.empty() ? 0 : m_w.calls.back().pathBase; }

    /// The running path is done: goes on with the next one, unless all wait or have exited.
    std::optional<Stop> popPath() {
        m_w.paths.pop_back();
        if (m_look.isLeft(m_w)) m_look.end(m_w);
        while (m_w.paths.size() == base()) {
            if (m_w.calls.empty()) return Stop::Done;
            returnFromCall(m_w); // copies results; the caller's path is on top then
        }
        if (m_w.paths.back().waits == Path::Waits::AtBarrier) return waitAtBarrier();
        takeTop(); // who waited for members looks again which are missing
        return std::nullopt;
    }

    void takeTop() {
        Path& top = m_w.paths.back();
        if (top.waits == Path::Waits::ForMembers) top.waits = Path::Waits::No;
        m_path = top;
        m_path.mask &= m_w.alive;
    }

    void branch(const program::CodeBlock& block, std::uint32_t active) {
        const std::uint32_t taken = guardLanes(m_w, block.guard, block.guardNegated, active);
        if (taken == active)
            m_path.pc = block.target;
        else if (taken == 0)
            m_path.pc = block.next;
        else
            diverge(block, block.target, taken, block.next, active & ~taken);
    }

    /// Both ways are taken: the first at once, the second when the first has arrived where they meet.
    void diverge(const program::CodeBlock& block, std::uint32_t firstPc, std::uint32_t first,
                 std::uint32_t secondPc, std::uint32_t second) {
        ++m_w.counts->instructions[block.endingIndex].divergent;
        const std::uint32_t meet =
            block.postDominator == program::kFunctionEnd ? m_path.reconverge : block.postDominator;
        if (meet == m_path.reconverge)
            m_w.paths.pop_back(); // who waits there waits already
        else
            m_w.paths.back() = {meet, m_path.reconverge, m_path.mask};
        if (secondPc != meet) m_w.paths.push_back({secondPc, meet, second});
        if (firstPc != meet) m_w.paths.push_back({firstPc, meet, first});
        m_path = m_w.paths.back();
        m_path.mask &= m_w.alive;
    }

    void indexedBranch(const program::CodeBlock& block, std::uint32_t active) {
        const program::Program::BranchTargets& targets = m_program.branchTargets[block.operands];
        const std::uint32_t lanes = guardLanes(m_w, block.guard, block.guardNegated, active);
        if (lanes == 0) {
            m_path.pc = block.next;
            return;
        }
        const auto* index = m_w.lanes<std::uint32_t>(targets.index);
        const std::uint32_t chosen = index[firstLane(lanes)];
        std::uint32_t same = 0;
        for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1)
            if (index[firstLane(rest)] == chosen) same |= rest & -rest;
        if (chosen >= targets.blocks.size())
            throw FaultSignal{memory::Fault::Kind::Trap, firstLane(lanes), 0,
                              "brx index beyond its list of targets"};
        // Lanes with another index execute this block's ending again: its straight part is empty.
        if (same == active)
            m_path.pc = targets.blocks[chosen];
        else
            diverge(block, targets.blocks[chosen], same, m_path.pc, active & ~same);
    }

    void leave(const program::CodeBlock& block, std::uint32_t lanes) {
        m_path.mask &= ~lanes;
        m_path.pc = block.next; // the rest goes on, if there is one
    }

    void call(const program::CodeBlock& block, std::uint32_t active) {
        std::uint32_t lanes = guardLanes(m_w, block.guard, block.guardNegated, active);
        if (lanes == 0) {
            m_path.pc = block.next;
            return;
        }
        const program::CallOperands& operands = m_program.calls[block.operands];
        if (!operands.external.empty()) {
            m_w.exec = lanes;
            callExternal(m_w, operands);
            m_w.paths.back() = m_path;
            m_path.pc = block.next;
            return;
        }
        std::uint32_t function = operands.function;
        if (block.ending == program::Ending::IndirectCall) {
            std::uint32_t same = 0;
            function = indirectTarget(m_w, operands, lanes, same);
            if (same != lanes) { // the others come back to this call when these have returned
                m_w.paths.back() = {block.next, m_path.reconverge, m_path.mask};
                const std::uint32_t again = m_path.pc;
                m_w.paths.push_back({again, block.next, lanes & ~same});
                m_w.paths.push_back({again, block.next, same});
                m_path = m_w.paths.back();
                lanes = same;
            }
        }
        const std::uint32_t here = m_path.pc;
        m_path.pc = block.next;
        m_w.paths.back() = m_path;
        enterCall(m_w, here, function, lanes);
        m_path = m_w.paths.back();
    }

    std::optional<Stop> barrier(const program::CodeBlock& block, std::uint32_t active) {
        const std::uint32_t lanes = guardLanes(m_w, block.guard, block.guardNegated, active);
        if (lanes == 0) {
            m_path.pc = block.next;
            return std::nullopt;
        }
        if (lanes != active) { // those that the guard keeps from it go on for themselves
            m_w.paths.back() = {block.next, m_path.reconverge, active & ~lanes};
            m_w.paths.push_back({m_path.pc, m_path.reconverge, lanes});
            m_path = m_w.paths.back();
        }
        m_path.waits = Path::Waits::AtBarrier;
        m_w.paths.back() = m_path;
        return waitAtBarrier();
    }

    /// The top path waits at a barrier: with all others of its warp or, when not all have come, while these
    /// run. A barrier counts whole warps, and threads that have exited do not keep it waiting.
    std::optional<Stop> waitAtBarrier() {
        m_current = m_program.blocks[m_w.paths.back().pc].endingIndex;
        if ((m_w.paths.back().mask & m_w.alive) != m_w.alive) {
            while (joinTop(m_w)) {
            }
            const std::uint32_t missing = m_w.alive & ~lanesAtBarriers(m_w);
            if (missing != 0) {
                // Who spins meanwhile has its look and leaves the turn to others.
                if (bringAnother(m_w, Bring::AnyPreferred) || bringWaiting(m_w)) return Stop::Pause;
                // In a function: of the caller's lanes those that only have to exit do so at once.
                if (!onlyExit(m_w, missing)) throw divergentBarrier(missing);
                m_w.alive &= ~missing;
            }
        }
        const bool waits = m_w.block->arrive(m_w);
        takeTop();
        return waits ? std::optional(Stop::Barrier) : std::nullopt;
    }

    /// The running block of code is left before its end, and counts when it goes on.
    void uncount(const program::CodeBlock& block) {
        const auto index = static_cast<std::size_t>(&block - m_program.blocks.data());
        --m_w.counts->blockWarps[index];
        m_w.counts->blockLanes[index] -= static_cast<unsigned>(std::popcount(m_path.mask));
    }

    /// The failing instruction was executed without the lanes that it fails for: goes on behind it.
    void goOnBehind() {
        const program::CodeBlock& block = m_program.blocks[m_path.pc];
        uncount(block);
        m_path.done = static_cast<std::uint32_t>(m_at + 1 - (m_program.insts.data() + block.first));
        m_at = nullptr;
    }

    /// An instruction waits for lanes that its member mask names: those that run on another arm of a branch
    /// can come. Those that wait where the running ones are to arrive can't: it executes without them.
    void awaitMembers(const AwaitsMembers& waits) {
        const program::CodeBlock& block = m_program.blocks[m_path.pc];
        if (m_look.began()) m_look.end(m_w);
        uncount(block);
        m_path.done = static_cast<std::uint32_t>(waits.at - (m_program.insts.data() + block.first));
        m_path.waits = Path::Waits::ForMembers;
        m_w.paths.back() = m_path;
        if (!joinTop(m_w) && !bringAnother(m_w, Bring::Branches, waits.missing)) {
            m_w.withoutMembers = true;
            if (!onlyExit(m_w, waits.missing)) noteUndefined(*m_w.counts, waits.at->index);
        }
        takeTop();
    }

    WarpState& m_w;
    const program::Program& m_program;
    std::uint64_t m_budget;
    const std::uint64_t m_granted = m_budget;
    const instructions::Inst* m_at = nullptr; ///< executes; null at the end of a block
    Look& m_look;
    unsigned m_rounds = 0;        ///< for which it got time beyond its budget
    bool m_moved = false;         ///< did more than to go on looking
    std::uint64_t m_l1Misses = 0; ///< of the running block's, when the clock went on last
    Path m_path;
    std::uint32_t m_current = ptx::kNone;
};

} // namespace

Stop runWarp(WarpState& warp, std::uint64_t budget) {
    return Runner(warp, budget).run();
}

} // namespace dormer::emulator::exec
