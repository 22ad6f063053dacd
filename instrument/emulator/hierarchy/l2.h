// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/chip.h"
#include "instrument/emulator/counts/counts.h"
#include "instrument/emulator/hierarchy/access.h"
#include "instrument/emulator/hierarchy/sectored_cache.h"

#include <array>
#include <span>
#include <vector>

namespace dormer::emulator::hierarchy {

/// What L1 sends to L2, in 64 bits: buffers of it are most of what a launch's memory accesses cost.
class L2Request {
public:
    enum class Kind : std::uint8_t { Load, Store, Atomic, Reduce };
    L2Request(std::uint64_t line, std::uint32_t sectors, Kind kind, unsigned partition,
              std::uint32_t passes = 0, bool partial = false)
        : m_bits(line << kLineShift | std::uint64_t{passes & 0xFF} << 8 | sectors << 4 |
                 static_cast<unsigned>(partial) << 3 | partition << 2 | static_cast<unsigned>(kind)) {}
    [[nodiscard]] std::uint64_t line() const { return m_bits >> kLineShift; } ///< 48 bits
    [[nodiscard]] std::uint32_t sectors() const { return m_bits >> 4 & 0xF; }
    [[nodiscard]] Kind kind() const { return static_cast<Kind>(m_bits & 3); }
    [[nodiscard]] unsigned partition() const { return m_bits >> 2 & 1; }
    [[nodiscard]] bool partial() const { return (m_bits >> 3 & 1) != 0; } ///< a store that leaves gaps
    [[nodiscard]] unsigned passes() const { return m_bits >> 8 & 0xFF; }  ///< of atomics: at most 4 * 32

private:
    static constexpr unsigned kLineShift = 16;
    std::uint64_t m_bits;
};

/// L2 of a launch: sectored, write-back, with DRAM behind it. Divided into shards by address, which share
/// nothing: each may be used by another thread.
///
/// Chips with two partitions (A100, H100): every address has a home in one of them. An SM asks its own
/// partition; what is at home in the other is looked up there as well, and what was read is kept in both.
/// Recorded counters show it: L2 reads and writes are 1.5 times what L1 asks for when each line is used once.
class L2Cache {
public:
    static constexpr unsigned kShards = 16;
    static constexpr unsigned kPageBits = 4; ///< lines of a page: the least that share shard and home

    /// `host`: what lies in the host's memory, in order.
    explicit L2Cache(const device::Chip& chip, std::vector<LineRange> host = {});
    [[nodiscard]] static unsigned shardOf(std::uint64_t line) {
        return static_cast<unsigned>(LineHash(line >> kPageBits).bits >> 60);
    }
    /// Requests of one shard in the order L2 sees them.
    void process(unsigned shard, std::span<const L2Request> requests);
    [[nodiscard]] counts::Traffic traffic() const; ///< L2 and DRAM fields

private:
    /// Line with the most atomic passes among those that share a slot, by majority vote: exact for a line
    /// that takes more than half of them, and only such lines delay a kernel.
    struct HotSlot {
        std::uint64_t line = 0, passes = 0;
    };
    struct alignas(64) Shard {
        counts::Traffic traffic;
        std::array<HotSlot, 64> hot = {};
        std::vector<std::uint64_t> partial; ///< ring of lines written with gaps, the oldest at `oldest`
        std::size_t oldest = 0;
    };
    void load(counts::Traffic& traffic, const L2Request& request, LineHash hash);
    void store(Shard& shard, const L2Request& request, LineHash hash);
    /// Notes a line written with gaps, and writes out the one that has been there longest.
    void limitPartial(Shard& shard, std::uint64_t line);
    void atomic(Shard& shard, const L2Request& request, LineHash hash);
    [[nodiscard]] bool isOnHost(std::uint64_t line) const;
    /// The GPU keeps nothing of the host's memory: each request goes over the bus (CUDA C++ Best Practices
    /// Guide, zero copy).
    void host(counts::Traffic& traffic, const L2Request& request, LineHash hash) const;
    [[nodiscard]] unsigned homeOf(LineHash hash) const { return m_partitions == 2 ? hash.bits >> 20 & 1 : 0; }

    std::uint64_t m_bytes;
    unsigned m_partitions;
    std::uint32_t m_groups; ///< of each partition
    std::vector<LineRange> m_host;
    CacheStorage m_storage;
    std::array<SectoredCache, 2> m_caches;
    std::array<Shard, kShards> m_shards = {};
};

} // namespace dormer::emulator::hierarchy
