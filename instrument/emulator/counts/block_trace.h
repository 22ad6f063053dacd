// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

/// What the warps of some blocks did, in their order: enough to play it again with clocks.
namespace dormer::emulator::counts {

/// How the caches saw an access.
enum class TracedKind : std::uint8_t { Untouched, Load, LoadPastL1, Store, Atomic, Reduce, Bulk };

/// One memory instruction of a warp.
struct TracedAccess {
    std::uint32_t inst = 0;       ///< place in Program::insts
    std::uint32_t firstLine = 0;  ///< of WarpTrace::lines
    std::uint32_t wavefronts = 0; ///< of shared memory, or passes over constants
    std::uint32_t serialized = 0; ///< atomics: lanes that waited for others at their address
    std::uint16_t lines = 0;
    TracedKind kind = TracedKind::Untouched;
};

/// A warp came to a block of code.
struct TracedVisit {
    std::uint32_t block = 0;       ///< place in Program::blocks
    std::uint32_t firstAccess = 0; ///< of WarpTrace::accesses; those before the next visit's are its own
};

struct WarpTrace {
    std::vector<TracedVisit> visits;
    std::vector<TracedAccess> accesses;
    std::vector<std::uint64_t> lines; ///< number of the 128-byte line * 16 + its sectors
    std::uint64_t steps = 0;          ///< instructions of the visits kept
    bool isWhole = true;              ///< nothing is missing at its end

    /// How much there was at some time, and going back to it.
    struct Mark {
        std::size_t visits = 0, accesses = 0, lines = 0;
        std::uint64_t steps = 0;
    };
    [[nodiscard]] Mark mark() const { return {visits.size(), accesses.size(), lines.size(), steps}; }
    void goBack(const Mark& to) {
        visits.resize(to.visits);
        accesses.resize(to.accesses);
        lines.resize(to.lines);
        steps = to.steps;
    }
};

struct BlockTrace {
    std::uint64_t block = 0; ///< number in the grid
    std::uint32_t sm = 0;
    std::vector<WarpTrace> warps;
};

} // namespace dormer::emulator::counts
