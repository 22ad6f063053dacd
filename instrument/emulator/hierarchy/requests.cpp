// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/hierarchy/requests.h"

namespace dormer::emulator::hierarchy {

void RequestQueue::append(std::span<const L2Request> requests) {
    if (m_open == nullptr) {
        const std::lock_guard lock(m_mutex);
        if (m_spare.empty()) {
            m_open = std::make_unique<Batch>();
        } else {
            m_open = std::move(m_spare.back());
            m_spare.pop_back();
        }
    }
    for (const L2Request& request : requests)
        m_open->buckets[L2Cache::shardOf(request.line())].push_back(request);
    m_open->size += requests.size();
    if (m_open->size >= kBatchRequests) seal();
}

void RequestQueue::seal() {
    m_open->shardsLeft = L2Cache::kShards;
    const std::lock_guard lock(m_mutex);
    m_sealed.push_back(std::move(m_open));
}

RequestQueue::Batch* RequestQueue::batch(std::uint64_t number) {
    const std::lock_guard lock(m_mutex);
    return number - m_first < m_sealed.size() ? m_sealed[number - m_first].get() : nullptr;
}

void RequestQueue::drainShard(unsigned shard) {
    Shard& mine = m_shards[shard];
    while (Batch* next = batch(mine.next)) {
        m_l2.process(shard, next->buckets[shard]);
        ++mine.next;
        if (next->shardsLeft.fetch_sub(1) == 1) release();
    }
}

void RequestQueue::release() {
    // Batches may be finished out of order; only those at the front can leave.
    const std::lock_guard lock(m_mutex);
    while (!m_sealed.empty() && m_sealed.front()->shardsLeft == 0) {
        std::unique_ptr<Batch> done = std::move(m_sealed.front());
        m_sealed.pop_front();
        ++m_first;
        for (auto& bucket : done->buckets)
            bucket.clear();
        done->size = 0;
        m_spare.push_back(std::move(done));
    }
}

void RequestQueue::drain() {
    std::size_t backlog = 0;
    {
        const std::lock_guard lock(m_mutex);
        backlog = m_sealed.size();
    }
    if (backlog == 0) return;
    for (unsigned shard = 0; shard < L2Cache::kShards; ++shard) {
        std::unique_lock lock(m_shards[shard].mutex, std::defer_lock);
        if (backlog > kBacklog)
            lock.lock(); // another thread is at it: wait, and then help
        else if (!lock.try_lock())
            continue;
        drainShard(shard);
    }
}

void RequestQueue::finish() {
    if (m_open != nullptr) seal();
    for (unsigned shard = 0; shard < L2Cache::kShards; ++shard) {
        const std::lock_guard lock(m_shards[shard].mutex);
        drainShard(shard);
    }
}

} // namespace dormer::emulator::hierarchy
