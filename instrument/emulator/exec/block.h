// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/exec/look.h"
#include "instrument/emulator/exec/run_warp.h"
#include "instrument/emulator/exec/warp.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace dormer::emulator::exec {

/// Memory for lane arrays: aligned to 128 bytes, kept between blocks.
class AlignedBuffer {
public:
    /// At least `bytes`; contents are lost when it grows.
    std::byte* reserve(std::size_t bytes);
    [[nodiscard]] std::byte* data() const { return m_data.get(); }

private:
    struct Free {
        void operator()(std::byte* data) const;
    };
    std::unique_ptr<std::byte, Free> m_data;
    std::size_t m_bytes = 0;
};

/// Barriers of a block that programs name; behind them stand those of its groups of four warps.
inline constexpr std::uint32_t kNamedBarriers = 16, kGroupWarps = 4, kGroups = 8;
struct Barrier {
    std::uint32_t arrivedWarps = 0;
    std::uint32_t expectedWarps = 0; ///< 0: all warps that have not exited
    std::uint32_t lanesTrue = 0;     ///< bar.red: lanes that came with a true predicate …
    std::uint32_t lanesFalse = 0;    ///< … and with a false one
    [[nodiscard]] bool used() const { return arrivedWarps != 0; }
};

/// Which blocks write down what they do: the first ones of some SMs.
struct TracePlan {
    std::array<std::uint32_t, 3> sms = {}; ///< `count` of them, ascending
    std::uint32_t count = 0;
    std::uint64_t blocksOfSm = 0;
    std::uint64_t stepsOfWarp = 0; ///< instructions of each warp

    /// Whether it is for the block that is `place` blocks behind the SM's first.
    [[nodiscard]] bool holds(std::uint32_t sm, std::uint64_t place) const {
        const auto end = sms.begin() + count;
        return place < blocksOfSm && std::find(sms.begin(), end, sm) != end;
    }
};

/// What the clocks show that a kernel reads.
struct SmClock {
    std::span<const CodeCycles> ofCode; ///< by CodeBlock; empty where the kernel reads no clock
    double beginNs = 0;                 ///< of the launch, on the emulated clock
    double hz = 1;                      ///< of the SMs
};

/// What all blocks of a launch share.
struct LaunchShape {
    std::uint64_t id = 0; ///< differs between launches
    const program::Program* program = nullptr;
    memory::DeviceMemory* memory = nullptr;
    session::Dim3 grid, block;
    session::Dim3 cluster;         ///< in blocks; divides the grid
    std::uint64_t sharedBytes = 0; ///< static and dynamic
    std::span<const std::byte> parameters;
    std::byte* constants = nullptr; ///< filled table of Program::constants
    std::uint32_t smCount = 1;
    TracePlan traces;
    Checks checks;
    memory::GlobalWatch* globalWatch = nullptr; ///< null: nobody watches global memory
    bool dropFaults = false;                    ///< leave out accesses that would stop the kernel
    SmClock clock;
};

/// A block that runs: its shared memory, its warps, its barriers.
struct BlockState {
    std::uint64_t number = 0; ///< in launch order, cluster by cluster
    session::Dim3 coordinates;
    std::vector<BlockState*> cluster; ///< its blocks, by rank, this one among them
    bool dropFaults = false;
    bool ended = false; ///< all its warps have exited
    std::uint32_t sm = 0;
    std::vector<WarpState> warps;
    std::array<Barrier, kNamedBarriers + kGroups> barriers = {};
    std::uint32_t warpsLeft = 0;
    std::uint32_t warpsAtBarriers = 0; ///< arrived at one that still waits for others
    std::optional<hierarchy::MemoryHierarchy::BlockPort> port;
    Look look; ///< of the running warp
    SharedWatch* watch = nullptr;
    std::uint64_t traceSteps = 0; ///< instructions a warp's trace may hold
    SmClock clock;

    /// Makes the block number `blockNumber` of the launch ready to run. Contents of shared memory and
    /// registers are undefined, as on hardware.
    void begin(const LaunchShape& launch, std::uint64_t blockNumber, WorkerCounts& counts,
               std::optional<hierarchy::MemoryHierarchy::BlockPort> blockPort);

    enum class Outcome {
        Done,
        Suspended, ///< had its share of time
        Waits,     ///< its warps only look whether something has changed
    };
    /// Runs its warps in turn until all have exited or another block, for which this one may wait, is to get
    /// its turn. `allWait`: so do all other blocks, so that lanes which wait for the looking ones of their
    /// warp are to go ahead. Throws LocatedFault.
    Outcome run(const Deadline& deadline, bool allWait);
    /// Where a warp of it is that has not exited, with what is to be said of that.
    [[nodiscard]] LocatedFault at(memory::Fault::Kind kind, std::string detail) const;

    /// All lanes of a warp that have not exited wait at a barrier: counts it and lets the waiting ones go
    /// when all are there. False when it need not wait (bar.arrive).
    bool arrive(WarpState& warp);
    /// Lets the cluster's barrier go when all lanes of its blocks that have not exited are there.
    void checkClusterBarrier();
    [[nodiscard]] std::byte* shared() const { return m_shared.data(); }

private:
    void prepare(const LaunchShape& launch, WorkerCounts& counts);
    void release(std::uint32_t id);
    void checkBarriers();
    [[noreturn]] void failDeadlocked();

    SharedWatch m_watch;
    std::uint64_t m_launch = 0; ///< whose buffers and tables these are
    AlignedBuffer m_shared, m_registers, m_values, m_local, m_parameterArea;
};

} // namespace dormer::emulator::exec
