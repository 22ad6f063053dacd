// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/hierarchy/adaptive_mutex.h"
#include "instrument/emulator/hierarchy/l2.h"

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

namespace dormer::emulator::hierarchy {

/// Takes requests in their final order and hands them to the shards of L2, on whatever threads call.
class RequestQueue {
public:
    explicit RequestQueue(L2Cache& l2) : m_l2(l2) {}

    /// Adds requests behind those added before. One caller at a time.
    void append(std::span<const L2Request> requests);
    /// Simulates what is ready and no other thread is at. Any thread, any number.
    void drain();
    /// Simulates all. No other call at the same time.
    void finish();

private:
    /// Requests by shard, in order.
    struct Batch {
        std::array<std::vector<L2Request>, L2Cache::kShards> buckets;
        std::size_t size = 0;
        std::atomic<unsigned> shardsLeft = L2Cache::kShards;
    };
    struct Shard {
        std::mutex mutex;
        std::uint64_t next = 0; ///< number of the batch it has to see next
    };
    void seal();
    /// Batch of a number, or null when it is not sealed yet.
    [[nodiscard]] Batch* batch(std::uint64_t number);
    void drainShard(unsigned shard);
    void release();

    static constexpr std::size_t kBatchRequests = std::size_t{1} << 13;
    /// Sealed batches beyond which callers help until there are fewer: bounds memory to some 16 MiB.
    static constexpr std::size_t kBacklog = 256;

    L2Cache& m_l2;
    std::unique_ptr<Batch> m_open;
    AdaptiveMutex m_mutex; ///< of what follows
    std::deque<std::unique_ptr<Batch>> m_sealed;
    std::uint64_t m_first = 0; ///< number of m_sealed's front
    std::vector<std::unique_ptr<Batch>> m_spare;
    std::array<Shard, L2Cache::kShards> m_shards;
};

} // namespace dormer::emulator::hierarchy
