// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/counts/block_trace.h"
#include "instrument/emulator/replay/memory_clock.h"
#include "instrument/emulator/replay/stall_watch.h"
#include "instrument/emulator/replay/timed_code.h"

#include <array>
#include <memory>
#include <vector>

namespace dormer::emulator::replay {

/// Plays the traces of blocks on one SM: four schedulers issue an instruction a cycle each from the warps
/// they have, in the order of each warp's code, when its operands are there and its pipe is free.
class SmClock {
public:
    struct Shape {
        std::uint32_t residentBlocks = 1;
        double sharedCycles = 0;
        double lsuBytesPerClock = 128;
        std::uint64_t stepLimit = 0; ///< instructions after which it stops
    };
    /// `watch`: counts what the warps do; may be null.
    SmClock(TimedCode& code, const Shape& shape, const MemoryShare& memory, StallWatch* watch);
    ~SmClock();

    struct Result {
        double cycles = 0;             ///< until the last warp ended, or the limit was reached
        std::uint64_t steps = 0;       ///< instructions of the traces that were played
        double middleCycles = 0;       ///< of which for the middle half of the instructions ...
        std::uint64_t middleSteps = 0; ///< ... so many
    };
    /// Blocks in the order in which they start; `totalSteps`: instructions of their traces.
    [[nodiscard]] Result play(const std::vector<const counts::BlockTrace*>& blocks, std::uint64_t totalSteps);

private:
    struct Warp;
    struct Block;
    static constexpr unsigned kParts = StallWatch::kParts, kAllParts = (1U << kParts) - 1;

    /// Finds a scheduler's next instruction: the one that can issue first, of the warp that has waited
    /// longest.
    void choose(unsigned part);
    void begin(const counts::BlockTrace& trace, double now);
    void visit(Warp& warp, double now);
    void leaveBlockOfCode(Warp& warp, double now);
    /// When a block of code has been fetched.
    [[nodiscard]] double codeThere(std::uint32_t block, const TimedBlock& code, double now);
    void prepare(Warp& warp);
    void issue(Warp& warp, double now);
    [[nodiscard]] double access(Warp& warp, const TimedOp& op, double now);
    void arrive(Warp& warp, double now);
    void release(Block& block, double now);
    void end(Warp& warp, double now);
    [[nodiscard]] double readyOf(const Warp& warp, std::int32_t source) const;
    [[nodiscard]] counts::Stall waitOf(const Warp& warp, std::int32_t source) const;

    // sm_watch.cpp: what warps are seen to do
    /// Takes the looks that are due before a time.
    void look(double until);
    /// What a warp, which issues at a time, did in the looks before.
    void explain(Warp& warp, double until);
    /// The same of those that have not ended when the play does.
    void explainRest(double now);
    [[nodiscard]] counts::Stall stateOf(const Warp& warp, const StallWatch::Look& look) const;
    void leave(const Warp& warp);

    TimedCode& m_code;
    Shape m_shape;
    MemoryClock m_memory;
    std::vector<std::unique_ptr<Block>> m_blocks;
    std::array<std::vector<Warp*>, kParts> m_warps; ///< by scheduler, oldest first
    std::array<double, kParts> m_issueFree = {};
    std::array<std::array<double, kPipes>, kParts> m_pipeFree = {};
    std::array<Pipe, kParts> m_lastPipe = {};       ///< of the last instruction ...
    std::array<double, kParts> m_lastPipeFree = {}; ///< ... and from when it was free for that
    std::array<double, kParts> m_nextAt = {};
    std::array<Warp*, kParts> m_nextWarp = {};
    unsigned m_stale = kAllParts; ///< schedulers whose next instruction has to be chosen again, as bits
    struct Fetched {
        double there = -1; ///< negative: not asked for yet
        double before = 0; ///< lines of code fetched before it
    };
    std::vector<Fetched> m_fetched; ///< by block of code
    double m_codeLines = 0;         ///< fetched so far
    double m_lsuFree = 0, m_constantFree = 0;
    const std::vector<const counts::BlockTrace*>* m_queue = nullptr;
    std::size_t m_next = 0; ///< block of the queue
    unsigned m_nextPart = 0;
    std::uint64_t m_steps = 0;
    double m_lastEnd = 0;
    StallWatch* m_watch = nullptr;
    struct Leaving {
        double exitUntil, drainUntil;
        std::uint32_t instruction;
    };
    std::array<std::vector<Leaving>, kParts> m_leaving; ///< warps that wait for their stores only
};

} // namespace dormer::emulator::replay
