// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/exec/block.h"
#include "instrument/emulator/exec/workers.h"

#include <chrono>
#include <expected>
#include <memory>
#include <mutex>

namespace dormer::emulator::exec {

/// Executes launches: deals the blocks of a grid out to worker threads in their order.
///
/// A block may wait for an earlier one (look-back scans) or, when all fit on the chip at once, for any other
/// (grid barriers). Both end: blocks begin in order, each worker always keeps the lowest block it has going,
/// and one that had its share of time makes room for the next until as many are open as the chip holds.
class GridRunner {
public:
    explicit GridRunner(unsigned threads) : m_workers(threads) {}

    struct Work {
        LaunchShape shape;
        std::uint32_t residentBlocks = 1;                  ///< on the whole chip at once
        hierarchy::MemoryHierarchy* hierarchy = nullptr;   ///< null: nothing is counted
        std::optional<std::chrono::nanoseconds> timeLimit; ///< of running; waiting between advances is free
        bool sampleLanes = false; ///< keep for each instruction where its worst request went
    };
    /// A launch under way. It may stop while its blocks wait for what others do, and go on later.
    struct Grid;
    [[nodiscard]] std::shared_ptr<Grid> begin(const Work& work);
    enum class Progress {
        Ended,
        Some, ///< got further, and waits now
        None, ///< waits
    };
    /// Runs it to its end, or until all its blocks have waited for `patience` and none got any further.
    [[nodiscard]] Progress advance(Grid& grid, std::chrono::nanoseconds patience);
    /// Counts of all workers, or the first fault, of one that has ended.
    [[nodiscard]] std::expected<WorkerCounts, LocatedFault> result(Grid& grid);
    /// Where the first of its blocks waits, of one that has not.
    [[nodiscard]] LocatedFault waiting(const Grid& grid, std::string detail) const;

    [[nodiscard]] unsigned threads() const { return m_workers.count(); }

private:
    /// Blocks that run by turns on one worker: those of a cluster, or one.
    using Unit = std::vector<std::unique_ptr<BlockState>>;
    using Units = std::vector<Unit>;
    static void work(std::size_t worker, Units& idle, Grid& grid);
    static Unit beginUnit(Units& idle, Grid& grid, std::uint64_t number, WorkerCounts& counts);
    static BlockState::Outcome runUnit(Unit& unit, Grid& grid, bool allWait);

    Workers m_workers;
    std::vector<Units> m_idle; ///< of each worker: kept for their buffers
    std::uint64_t m_launches = 0;
};

} // namespace dormer::emulator::exec
