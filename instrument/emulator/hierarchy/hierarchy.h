// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/chip.h"
#include "instrument/emulator/counts/block_trace.h"
#include "instrument/emulator/counts/counts.h"
#include "instrument/emulator/hierarchy/access.h"

#include <memory>
#include <vector>

namespace dormer::emulator::hierarchy {

/// Caches of one launch: an L1 for each SM, one L2, DRAM behind it, all cold.
///
/// Threading: blocks are opened with their number in launch order. A block's accesses go through
/// `BlockPort`, used by one thread at a time; two open blocks of one SM must not access at the same time (the
/// caller holds the SM's lock). What L1 does not hold is buffered, and L2 sees the blocks in their order
/// whatever thread ran them, so results do not depend on the number of threads. (Only where the requests of
/// blocks that wait for an earlier, longer one outgrow kHeldRequests does L2 see them as they come.)
class MemoryHierarchy {
public:
    /// `sharedBytesPerSm`: shared memory the launch's resident blocks take, which decides the carve-out and
    /// so the size of L1. `host`: what lies in the host's memory, in order.
    MemoryHierarchy(const device::Chip& chip, std::uint64_t sharedBytesPerSm,
                    std::vector<LineRange> host = {});
    ~MemoryHierarchy();

    class BlockPort {
    public:
        BlockPort(BlockPort&&) noexcept;
        BlockPort& operator=(BlockPort&&) noexcept;
        ~BlockPort();
        /// One request of a warp. Lines must be distinct. Atomics: LineAccess::passes is set. `bytes`: active
        /// lanes times width, by which a store that leaves gaps in its sectors is told; 0 when not known.
        void access(AccessKind kind, const access::LineAccess* lines, unsigned count, unsigned bytes = 0);

        /// Lines of the accesses that follow are written there, too; null: no longer.
        void trace(std::vector<std::uint64_t>* lines);
        [[nodiscard]] counts::TracedKind tracedKind() const;

        /// What the block had accessed so far, and going back to it: as if nothing had been accessed since,
        /// but for what L1 holds.
        struct Mark {
            counts::Traffic traffic;
            std::size_t requests = 0;
            std::uint64_t passedOn = 0;
        };
        [[nodiscard]] Mark mark() const;
        /// Sectors that the block loaded and L1 did not have, so far.
        [[nodiscard]] std::uint64_t l1Misses() const;
        void goBack(const Mark& mark);

    private:
        friend class MemoryHierarchy;
        struct State;
        explicit BlockPort(std::unique_ptr<State> state);
        std::unique_ptr<State> m_state;
    };
    [[nodiscard]] BlockPort open(std::uint64_t block, std::uint32_t sm);
    /// The block is done. Simulates what of L2 can be: any thread may call it at any time.
    void close(BlockPort port);
    /// After all blocks were closed. The rest of L2, and the sums.
    [[nodiscard]] counts::Traffic finish();

    /// Requests that may wait for an earlier block: 128 MiB.
    static constexpr std::size_t kHeldRequests = std::size_t{16} << 20;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace dormer::emulator::hierarchy
