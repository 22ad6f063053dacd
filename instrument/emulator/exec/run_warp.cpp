// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/exec/run_warp.h"

#include "instrument/emulator/exec/block.h"
#include "instrument/emulator/exec/calls.h"

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

/// Executes one warp. Holds the running path in registers; the stack's top is brought up to date when it
/// matters.
class Runner {
public:
    Runner(WarpState& warp, std::uint64_t budget)
        : m_w(warp), m_program(*warp.program), m_budget(budget), m_path(warp.paths.back()) {}

    Stop run() {
        try {
            return loop();
        } catch (FaultSignal& signal) {
            LocatedFault fault{std::move(signal), m_current, m_w.index, m_w.block->coordinates};
            throw fault;
        }
    }

private:
    Stop loop() {
        const program::CodeBlock* const blocks = m_program.blocks.data();
        const instructions::Inst* const insts = m_program.insts.data();
        while (true) {
            if (m_path.pc == m_path.reconverge || m_path.mask == 0) {
                if (!popPath()) return Stop::Done;
                continue;
            }
            const program::CodeBlock& block = blocks[m_path.pc];
            const std::uint32_t active = m_path.mask;
            ++m_w.counts->blockWarps[m_path.pc];
            m_w.counts->blockLanes[m_path.pc] += static_cast<unsigned>(std::popcount(active));
            m_w.active = active;
            const instructions::Inst* const end = insts + block.first + block.count;
            for (const instructions::Inst* inst = insts + block.first; inst != end; ++inst) {
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
                m_current = inst->index;
                inst->run(m_w, *inst);
            }
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
                leave(block, lanes);
                break;
            }
            case program::Ending::Call:
            case program::Ending::IndirectCall:
                call(block, active);
                break;
            case program::Ending::Barrier:
                switch (barrier(block, active)) {
                case AtBarrier::Passes:
                    break;
                case AtBarrier::Waits:
                    return Stop::Barrier;
                case AtBarrier::WaitsForOwnLanes:
                    return Stop::Pause;
                }
                break;
            case program::Ending::Yield:
                m_path.pc = block.next;
                return stop(Stop::Pause);
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

    Stop stop(Stop why) {
        m_w.paths.back() = m_path;
        return why;
    }

    [[nodiscard]] std::size_t base() const { return m_w.calls.empty() ? 0 : m_w.calls.back().pathBase; }

    /// The running path is done: goes on with the next one. False when the warp has exited.
    bool popPath() {
        m_w.paths.pop_back();
        while (m_w.paths.size() == base()) {
            if (m_w.calls.empty()) return false;
            returnFromCall(m_w); // copies results; the caller's path is on top then
        }
        m_path = m_w.paths.back();
        m_path.mask &= m_w.alive;
        return true;
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
        m_path.pc = block.next;
        m_w.paths.back() = m_path;
        enterCall(m_w, block.operands, function, lanes);
        m_path = m_w.paths.back();
    }

    enum class AtBarrier { Passes, Waits, WaitsForOwnLanes };
    AtBarrier barrier(const program::CodeBlock& block, std::uint32_t active) {
        std::uint32_t lanes = guardLanes(m_w, block.guard, block.guardNegated, active);
        if (lanes == 0) {
            m_path.pc = block.next;
            return AtBarrier::Passes;
        }
        if (lanes != m_w.alive) {
            // Lanes that spin on another block were passed by the rest of their warp (rotatePaths): the rest
            // waits here for them, as threads do that are scheduled independently.
            Path* const other = sibling();
            if (other != nullptr && lanes == active && other->pc == m_path.pc) {
                m_w.paths.pop_back();
                m_w.paths.back().mask |= lanes;
                m_path = m_w.paths.back();
                lanes = m_path.mask & m_w.alive;
            } else if (other != nullptr && lanes == active &&
                       m_program.blocks[other->pc].ending != program::Ending::Barrier) {
                m_w.paths.back() = m_path;
                std::swap(*other, m_w.paths.back());
                return AtBarrier::WaitsForOwnLanes;
            }
        }
        if (lanes != m_w.alive)
            throw FaultSignal{memory::Fault::Kind::DivergentBarrier, firstLane(m_w.alive & ~lanes), 0,
                              "a barrier was reached by some threads of a warp while others, this one among "
                              "them, are elsewhere"};
        m_path.pc = block.next;
        ++m_w.counts->barriers;
        m_w.exec = lanes;
        m_w.barrierOperands = block.operands;
        m_w.barrierPlace = block.endingIndex;
        const program::BarrierOperands& operands = m_program.barriers[block.operands];
        m_w.paths.back() = m_path;
        const bool waits = operands.kind != program::BarrierOperands::Kind::Arrive;
        if (waits) m_w.status = WarpState::Status::AtBarrier;
        m_w.block->arrive(m_w, operands, lanes);
        return waits ? AtBarrier::Waits : AtBarrier::Passes;
    }

    /// The other arm of the branch the running path comes from, if it is still on its way.
    Path* sibling() {
        if (m_w.paths.size() < base() + 2) return nullptr;
        Path& below = m_w.paths[m_w.paths.size() - 2];
        const bool runs = below.reconverge == m_path.reconverge && (below.mask & m_w.alive) != 0 &&
                          below.pc < m_program.blocks.size() && below.pc != below.reconverge;
        return runs ? &below : nullptr;
    }

    WarpState& m_w;
    const program::Program& m_program;
    std::uint64_t m_budget;
    Path m_path;
    std::uint32_t m_current = ptx::kNone;
};

} // namespace

Stop runWarp(WarpState& warp, std::uint64_t budget) {
    return Runner(warp, budget).run();
}

void rotatePaths(WarpState& warp) {
    const std::size_t base = warp.calls.empty() ? 0 : warp.calls.back().pathBase;
    if (warp.paths.size() < base + 2) return;
    Path& below = warp.paths[warp.paths.size() - 2];
    Path& top = warp.paths.back();
    if (below.reconverge == top.reconverge) { // the other arm of the branch
        std::swap(below, top);
        return;
    }
    if (below.pc != top.reconverge) return;
    // Lanes wait where the running ones will arrive: they go on without them and meet at the next point.
    const std::uint32_t waiting = below.mask & warp.alive & ~top.mask;
    if (waiting == 0) return;
    const Path ahead{below.pc, below.reconverge, waiting};
    below = {top.pc, below.reconverge, top.mask};
    top = ahead;
}

} // namespace dormer::emulator::exec
