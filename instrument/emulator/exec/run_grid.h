// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/exec/block.h"
#include "instrument/emulator/exec/workers.h"

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
        std::uint32_t residentBlocks = 1;                ///< on the whole chip at once
        hierarchy::MemoryHierarchy* hierarchy = nullptr; ///< null: nothing is counted
        Deadline deadline;
        bool sampleLanes = false; ///< keep for each instruction where its worst request went
    };
    /// Counts of all workers, or the first fault.
    [[nodiscard]] std::expected<WorkerCounts, LocatedFault> run(const Work& work);

    [[nodiscard]] unsigned threads() const { return m_workers.count(); }

private:
    struct Worker {
        std::size_t index = 0;
        WorkerCounts counts;
        std::vector<std::unique_ptr<BlockState>> idle; ///< kept for their buffers
    };
    struct Shared;
    void work(Worker& worker, Shared& shared);

    Workers m_workers;
    std::vector<Worker> m_each;
    std::uint64_t m_launches = 0;
};

} // namespace dormer::emulator::exec
