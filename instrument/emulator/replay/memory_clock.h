// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/chip.h"
#include "instrument/emulator/counts/block_trace.h"

#include <cstdint>
#include <deque>
#include <span>
#include <unordered_map>

namespace dormer::emulator::replay {

/// What the memory behind an SM is for the SM that is played: its own L1, and its share of what all share.
struct MemoryShare {
    std::uint64_t l1Lines = 0;
    double l1Cycles = 0, l2Cycles = 0, dramCycles = 0; ///< until a load's data are there
    double l2Sectors = 0, dramSectors = 0;             ///< a cycle
    double dramReads = 0;  ///< DRAM sectors read for each sector that L1 misses, over the whole launch
    double dramWrites = 0; ///< written, for each sector that L2 was sent
};

/// When loads have their data. Lines in flight are waited for, not fetched again. What the SM asks for the
/// first time comes from DRAM, as far as other SMs cannot have fetched it before.
class MemoryClock {
public:
    explicit MemoryClock(const MemoryShare& share) : m_share(share) {}

    /// Blocks of the first wave run: nobody was here before.
    void firstWave(bool first) { m_firstWave = first; }
    /// Lines (number * 16 + sectors) that a load wants at `now`: when the last is there.
    [[nodiscard]] double load(std::span<const std::uint64_t> lines, double now, bool pastL1);
    /// Stores and reductions: nobody waits for them.
    void store(std::span<const std::uint64_t> lines, double now, bool keepsInL1);
    [[nodiscard]] double atomic(std::span<const std::uint64_t> lines, double now);
    /// When all that was written is there for others to see.
    [[nodiscard]] double fence(double now) const {
        return (m_l2Free > now ? m_l2Free : now) + m_share.l2Cycles;
    }
    /// When all that was sent so far has been taken.
    [[nodiscard]] double drained() const { return m_l2Free > m_dramFree ? m_l2Free : m_dramFree; }
    [[nodiscard]] double l2Free() const { return m_l2Free; }

private:
    struct Line {
        unsigned sectors = 0;
        double ready = 0;
    };
    [[nodiscard]] double fetch(std::uint64_t line, unsigned sectors, double now);
    Line& take(std::uint64_t line);

    MemoryShare m_share;
    bool m_firstWave = true;
    double m_l2Free = 0, m_dramFree = 0;
    double m_first = 0, m_missed = 0; ///< sectors: never asked for before, all that L1 missed
    std::unordered_map<std::uint64_t, Line> m_l1;
    std::deque<std::uint64_t> m_order;                  ///< of m_l1, oldest first
    std::unordered_map<std::uint64_t, unsigned> m_seen; ///< sectors asked for so far
};

} // namespace dormer::emulator::replay
