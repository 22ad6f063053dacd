// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace dormer::emulator::memory {

/// Watches what the blocks of one launch do to global memory: who accessed each word last, and what orders
/// them. Warps of one block are ordered as the watch of its shared memory knows (the clocks it hands on). A
/// block comes after what another did before one of its strong accesses (atomics, volatile, fences of
/// cuda::atomic), once it has made one itself after that. So what is reported is never ordered by these.
/// Thread-safe.
class GlobalWatch {
public:
    struct Access {
        std::uint64_t block = 0; ///< number in launch order
        std::uint64_t time = 0;  ///< of the strong accesses of all blocks, set by the watch
        std::uint32_t instruction = 0;
        std::uint32_t thread = 0; ///< number in its block
        std::uint32_t clock = 0;  ///< of its warp; 0: no access
        std::uint8_t bytes = 0;   ///< of the word, a bit each
        bool strong = false;
        bool writes = false;
        std::array<std::uint32_t, 3> place = {}; ///< of the block in the grid
    };
    /// Notes an access to the word (address / 4) and returns the earlier one that nothing orders against it,
    /// if one of both writes. `seen`: clocks of the warps of its block before which all comes earlier.
    [[nodiscard]] std::optional<Access> access(std::uint64_t word, Access now, const std::uint32_t* seen);
    /// The block made a strong access.
    void synchronize(std::uint64_t block);

private:
    static constexpr std::size_t kShards = 64;
    struct Word {
        Access write, read;
    };
    struct Shard {
        std::mutex mutex;
        std::unordered_map<std::uint64_t, Word> words;
    };
    /// Of a block's strong accesses: the last one's time, and the times of those that follow a plain one,
    /// ascending. Spinning adds none.
    struct Order {
        std::uint64_t last = 0;
        std::vector<std::uint64_t> releases;
        bool hasAccessed = false; ///< since the last of them
    };
    [[nodiscard]] bool isOrdered(const Access& before, const Access& now, const std::uint32_t* seen) const;

    std::array<Shard, kShards> m_shards;
    std::atomic<std::uint64_t> m_time{1};
    mutable std::mutex m_orderMutex;
    std::unordered_map<std::uint64_t, Order> m_orders;
};

} // namespace dormer::emulator::memory
