// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/instructions/operation.h"

#include <array>
#include <cstdint>
#include <vector>

namespace dormer::emulator::counts {

/// Exact counts of one PTX instruction over a launch. What does not apply is zero.
struct InstructionCounts {
    std::uint64_t executions = 0; ///< by warps, with the guard true in at least one lane
    std::uint64_t threads = 0;    ///< lanes with the guard true
    std::uint64_t sectors = 0, sectorsIdeal = 0, lines = 0; ///< global and local; lines are 128-byte tags
    std::uint64_t wavefronts = 0, wavefrontsIdeal = 0;      ///< shared
    std::uint64_t serialized = 0; ///< atomics: sum over requests of (most lanes on one address - 1)
    std::uint64_t divergent = 0;  ///< branches: executions whose lanes took more than one way
};

/// Where the lanes of one warp accessed.
struct SampledLanes {
    std::uint32_t mask = 0;                     ///< 0: no access was sampled
    std::array<std::uint64_t, 32> address = {}; ///< of the lanes in `mask`
};

enum class MemorySpace : std::uint8_t { Global, Local, Shared, Constant, Texture };
enum class MemoryOp : std::uint8_t { Load, Store, Atomic, Reduce };

/// Sum over the instructions of one space and kind.
struct MemoryCounts {
    std::uint64_t requests = 0, threads = 0;
    std::uint64_t bytes = 0; ///< requested by the lanes
    std::uint64_t sectors = 0, sectorsIdeal = 0, lines = 0;
    std::uint64_t wavefronts = 0, wavefrontsIdeal = 0;
    std::uint64_t serialized = 0;
};

inline constexpr std::size_t kWorkKinds = static_cast<std::size_t>(instructions::Work::Memory) + 1;

/// What a launch did, summed over all its warps.
struct LaunchCounts {
    std::uint64_t warps = 0, threads = 0, blocks = 0;
    std::uint64_t ptxInstructions = 0;         ///< warp instructions, as PTX has them
    std::uint64_t ptxThreadInstructions = 0;   ///< lanes active
    std::uint64_t ptxThreadInstructionsOn = 0; ///< lanes with the guard true
    double instructions = 0;                   ///< hardware instructions, estimated (Operation::instructions)
    /// Warp instructions (hardware, estimated), exact thread executions of the PTX instruction.
    std::array<double, kWorkKinds> warpsByWork = {};
    std::array<std::uint64_t, kWorkKinds> threadsByWork = {};
    std::uint64_t fp16Packed = 0; ///< of threadsByWork[Fp16*], those on two halves at once
    std::array<double, instructions::kTensorFormats> tensorMacs = {}; ///< multiply-adds, by TensorFormat
    std::uint64_t branches = 0, divergentBranches = 0, barriers = 0;  ///< barriers: warps that arrived
    MemoryCounts memory[5][4];                                        ///< [MemorySpace][MemoryOp]
    [[nodiscard]] const MemoryCounts& of(MemorySpace space, MemoryOp op) const {
        return memory[static_cast<int>(space)][static_cast<int>(op)];
    }
    /// Dependent latency of a warp's path through the code, summed over warps: cycles of arithmetic, and how
    /// often the path waits for each kind of memory (independent loads in a row count as one wait).
    double chainCycles = 0;
    double chainGlobalLoads = 0, chainSharedLoads = 0, chainAtomics = 0, chainBarriers = 0;
};

/// What playing the traces of one SM gave.
struct Replayed {
    double cycles = 0;       ///< of the SM that ends last; 0: nothing was played
    std::uint64_t steps = 0; ///< instructions played
};

/// Bytes and sectors between the levels, from the memory hierarchy.
struct Traffic {
    std::uint64_t l1LookupHits = 0, l1LookupMisses = 0; ///< sectors, loads and stores of L1
    std::uint64_t l1LoadSectors = 0, l1LoadSectorHits = 0, l1StoreSectors = 0, l1StoreSectorHits = 0;
    std::uint64_t bulkSectors = 0; ///< between L2 and shared memory, past L1
    std::uint64_t l2Reads = 0, l2Writes = 0, l2Atomics = 0, l2Reductions = 0; ///< sectors, by operation
    std::uint64_t l2Hits = 0, l2Misses = 0;                                   ///< sectors
    std::uint64_t l2Tags = 0, l2WriteTags = 0; ///< tag lookups, and those of them for writes
    std::uint64_t dramReadSectors = 0, dramWriteSectors = 0;
    std::uint64_t hostReadSectors = 0, hostWriteSectors = 0; ///< of the host's memory, over the bus
    std::uint64_t dirtySectorsLeft = 0;    ///< written, and still in L2 when the launch ends
    std::uint64_t hottestAtomicPasses = 0; ///< of the line with the most: its atomics go one after the other
};

} // namespace dormer::emulator::counts
