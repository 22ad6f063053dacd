// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/hierarchy/cache_storage.h"

#include <algorithm>
#include <mutex>
#include <vector>

namespace dormer::emulator::hierarchy {

namespace {

struct Spare {
    std::unique_ptr<CacheSet[]> sets;
    std::size_t count = 0;
    std::uint64_t epoch = 0;
};

/// Launches go one after the other, so two caches for each of a few carve-outs are all there is to keep.
constexpr std::size_t kMostSpares = 8;
constexpr std::uint64_t kLastEpoch = 0xFFFF;

struct Spares {
    std::mutex mutex;
    std::vector<Spare> list; ///< the last was given back last
};

Spares& spares() {
    static auto* all = new Spares; // lives as long as the process: engines may be destroyed at exit
    return *all;
}

} // namespace

CacheStorage::CacheStorage(std::size_t sets) : m_count(sets) {
    Spares& all = spares();
    {
        const std::lock_guard lock(all.mutex);
        const auto found = std::ranges::find(all.list, sets, &Spare::count);
        if (found != all.list.end()) {
            m_sets = std::move(found->sets);
            m_epoch = found->epoch;
            all.list.erase(found);
        }
    }
    if (m_sets == nullptr) m_sets = std::make_unique<CacheSet[]>(sets);
    if (m_epoch == kLastEpoch) {
        std::fill_n(m_sets.get(), m_count, CacheSet{});
        m_epoch = 0;
    }
    ++m_epoch;
}

CacheStorage::~CacheStorage() {
    Spares& all = spares();
    const std::lock_guard lock(all.mutex);
    if (all.list.size() == kMostSpares) all.list.erase(all.list.begin());
    all.list.push_back({std::move(m_sets), m_count, m_epoch});
}

} // namespace dormer::emulator::hierarchy
