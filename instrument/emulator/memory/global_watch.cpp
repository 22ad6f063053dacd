// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/memory/global_watch.h"

#include <algorithm>
#include <utility>

namespace dormer::emulator::memory {

namespace {
constexpr std::uint32_t kLanes = 32;
} // namespace

void GlobalWatch::synchronize(std::uint64_t block) {
    const std::lock_guard lock(m_orderMutex);
    Order& order = m_orders[block];
    order.last = ++m_time;
    if (std::exchange(order.hasAccessed, false)) order.releases.push_back(order.last);
}

bool GlobalWatch::isOrdered(const Access& before, const Access& now, const std::uint32_t* seen) const {
    if (before.block == now.block) {
        const std::uint32_t warp = before.thread / kLanes;
        return warp == now.thread / kLanes || before.clock <= seen[warp];
    }
    const std::lock_guard lock(m_orderMutex);
    const auto released = m_orders.find(before.block), acquired = m_orders.find(now.block);
    if (released == m_orders.end() || acquired == m_orders.end()) return false;
    const std::vector<std::uint64_t>& releases = released->second.releases;
    const auto after = std::ranges::upper_bound(releases, before.time);
    return after != releases.end() && acquired->second.last > *after;
}

std::optional<GlobalWatch::Access> GlobalWatch::access(std::uint64_t word, Access now,
                                                       const std::uint32_t* seen) {
    if (!now.strong) {
        const std::lock_guard lock(m_orderMutex);
        m_orders[now.block].hasAccessed = true;
    }
    now.time = m_time;
    Shard& shard = m_shards[word % kShards];
    const std::lock_guard lock(shard.mutex);
    Word& at = shard.words[word];
    std::optional<Access> conflict;
    const auto compare = [&](const Access& before) {
        if (conflict || before.clock == 0 || (before.bytes & now.bytes) == 0) return;
        if ((before.strong && now.strong) || !(before.writes || now.writes)) return;
        if (!isOrdered(before, now, seen)) conflict = before;
    };
    compare(at.write);
    if (now.writes) compare(at.read);
    (now.writes ? at.write : at.read) = now;
    return conflict;
}

} // namespace dormer::emulator::memory
