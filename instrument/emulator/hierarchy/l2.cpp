// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/hierarchy/l2.h"

#include <algorithm>
#include <utility>

namespace dormer::emulator::hierarchy {

namespace {

constexpr std::uint32_t kGroupBytes = CacheSet::kWays * access::kLineBytes << L2Cache::kPageBits;

/// Groups of one partition: a multiple of the shards, so that no group belongs to two.
std::uint32_t groupsOf(const device::Chip& chip) {
    const std::uint64_t bytes = chip.device.l2Bytes / chip.l2Partitions;
    const auto groups = static_cast<std::uint32_t>((bytes + kGroupBytes / 2) / kGroupBytes);
    return std::max(groups / L2Cache::kShards, 1U) * L2Cache::kShards;
}

} // namespace

L2Cache::L2Cache(const device::Chip& chip, std::vector<LineRange> host)
    : m_bytes(chip.device.l2Bytes)
    , m_partitions(chip.l2Partitions)
    , m_groups(groupsOf(chip))
    , m_host(std::move(host))
    , m_storage(std::size_t{m_groups << kPageBits} * m_partitions)
    , m_caches{SectoredCache(m_storage.sets(), m_storage.epoch(), m_groups, kPageBits),
               SectoredCache(m_storage.sets() + (m_partitions == 2 ? m_groups << kPageBits : 0),
                             m_storage.epoch(), m_groups, kPageBits)} {}

void L2Cache::load(counts::Traffic& traffic, const L2Request& request, LineHash hash) {
    const std::uint32_t sectors = request.sectors();
    const auto lookUp = [&](SectoredCache& cache, SectoredCache::Place place, std::uint32_t wanted) {
        unsigned way = cache.find(place);
        std::uint32_t there = 0;
        if (way == CacheSet::kWays) {
            way = SectoredCache::insert(place, traffic.dramWriteSectors);
        } else {
            there = SectoredCache::validSectors(place, way) & wanted;
            SectoredCache::hit(place, way);
        }
        const std::uint32_t missing = wanted & ~there;
        SectoredCache::add(place, way, missing);
        traffic.l2Reads += access::sectorCount(wanted);
        traffic.l2Hits += access::sectorCount(there);
        traffic.l2Misses += access::sectorCount(missing);
        return missing;
    };
    SectoredCache& near = m_caches[request.partition()];
    ++traffic.l2Tags;
    std::uint32_t missing = lookUp(near, near.locate(request.line(), hash), sectors);
    const unsigned home = homeOf(hash);
    if (missing != 0 && home != request.partition()) {
        // Between the partitions two sectors go together: recorded lookups of coalesced kernels.
        traffic.l2Tags += (access::sectorCount(missing) + 1) / 2;
        missing = lookUp(m_caches[home], m_caches[home].locate(request.line(), hash), missing);
    }
    traffic.dramReadSectors += access::sectorCount(missing);
}

void L2Cache::limitPartial(Shard& shard, std::uint64_t line) {
    // Recorded on an H100: kernels that write word by word leave 4 to 7 MB behind in L2 when they end, where
    // others leave 20. So lines with gaps are given up early; a tenth of L2 is in between.
    const std::size_t most = m_bytes / 10 / access::kLineBytes / kShards;
    if (shard.partial.size() < most) {
        shard.partial.push_back(line);
        return;
    }
    const std::uint64_t oldest = std::exchange(shard.partial[shard.oldest], line);
    shard.oldest = shard.oldest + 1 == most ? 0 : shard.oldest + 1;
    const LineHash hash(oldest >> kPageBits);
    SectoredCache& cache = m_caches[homeOf(hash)];
    const SectoredCache::Place place = cache.locate(oldest, hash);
    const unsigned way = cache.find(place);
    if (way != CacheSet::kWays) shard.traffic.dramWriteSectors += SectoredCache::clean(place, way);
    const std::uint64_t next = shard.partial[shard.oldest];
    const LineHash nextHash(next >> kPageBits);
    _mm_prefetch(m_caches[homeOf(nextHash)].locate(next, nextHash).set, _MM_HINT_T0);
}

void L2Cache::store(Shard& shard, const L2Request& request, LineHash hash) {
    counts::Traffic& traffic = shard.traffic;
    // A write needs nothing from DRAM: it counts as a hit, whether the line was there or not.
    const std::uint32_t sectors = request.sectors();
    const unsigned count = access::sectorCount(sectors);
    const unsigned home = homeOf(hash);
    unsigned tags = 1;
    traffic.l2Writes += count;
    traffic.l2Hits += count;
    if (home != request.partition()) {
        tags += (count + 1) / 2;
        traffic.l2Writes += count;
        traffic.l2Hits += count;
    }
    traffic.l2Tags += tags;
    traffic.l2WriteTags += tags;
    SectoredCache& cache = m_caches[home];
    const SectoredCache::Place place = cache.locate(request.line(), hash);
    unsigned way = cache.find(place);
    if (way == CacheSet::kWays)
        way = SectoredCache::insert(place, traffic.dramWriteSectors);
    else
        SectoredCache::hit(place, way);
    const std::uint32_t wasDirty = SectoredCache::dirtySectors(place, way);
    traffic.dirtySectorsLeft += access::sectorCount(sectors & ~wasDirty);
    SectoredCache::addDirty(place, way, sectors);
    if (request.partial() && wasDirty == 0) limitPartial(shard, request.line());
}

void L2Cache::atomic(Shard& shard, const L2Request& request, LineHash hash) {
    counts::Traffic& traffic = shard.traffic;
    const unsigned sectorCount = access::sectorCount(request.sectors());
    const unsigned passes = std::max(request.passes(), sectorCount);
    const unsigned home = homeOf(hash);
    const unsigned lookUps = home == request.partition() ? 1 : 2;
    (request.kind() == L2Request::Kind::Atomic ? traffic.l2Atomics : traffic.l2Reductions) +=
        passes * lookUps;
    traffic.l2Tags += (passes + sectorCount - 1) / sectorCount * lookUps;

    SectoredCache& cache = m_caches[home];
    const SectoredCache::Place place = cache.locate(request.line(), hash);
    unsigned way = cache.find(place);
    if (way == CacheSet::kWays)
        way = SectoredCache::insert(place, traffic.dramWriteSectors);
    else
        SectoredCache::hit(place, way);
    const unsigned missing =
        access::sectorCount(request.sectors() & ~SectoredCache::validSectors(place, way));
    traffic.dirtySectorsLeft +=
        access::sectorCount(request.sectors() & ~SectoredCache::dirtySectors(place, way));
    SectoredCache::addDirty(place, way, request.sectors());
    traffic.dramReadSectors += missing;
    traffic.l2Misses += missing;
    traffic.l2Hits += passes * lookUps - missing;

    HotSlot& slot = shard.hot[request.line() % shard.hot.size()];
    if (slot.line == request.line()) {
        slot.passes += passes;
    } else if (slot.passes > passes) {
        slot.passes -= passes;
    } else {
        slot = {request.line(), passes - slot.passes};
    }
}

bool L2Cache::isOnHost(std::uint64_t line) const {
    const auto after = std::ranges::upper_bound(m_host, line, {}, &LineRange::begin);
    return after != m_host.begin() && line < std::prev(after)->end;
}

void L2Cache::host(counts::Traffic& traffic, const L2Request& request, LineHash hash) const {
    const unsigned sectors = access::sectorCount(request.sectors());
    const unsigned lookUps = homeOf(hash) == request.partition() ? 1 : 2;
    ++traffic.l2Tags;
    if (lookUps == 2) traffic.l2Tags += (sectors + 1) / 2;
    switch (request.kind()) {
    case L2Request::Kind::Load:
        traffic.l2Reads += sectors * lookUps;
        traffic.l2Misses += sectors * lookUps;
        traffic.hostReadSectors += sectors;
        break;
    case L2Request::Kind::Store:
        traffic.l2WriteTags += lookUps == 2 ? 1 + (sectors + 1) / 2 : 1;
        traffic.l2Writes += sectors * lookUps;
        traffic.l2Hits += sectors * lookUps;
        traffic.hostWriteSectors += sectors;
        break;
    case L2Request::Kind::Atomic:
    case L2Request::Kind::Reduce: {
        const unsigned passes = std::max(request.passes(), sectors);
        (request.kind() == L2Request::Kind::Atomic ? traffic.l2Atomics : traffic.l2Reductions) +=
            passes * lookUps;
        traffic.l2Misses += passes * lookUps;
        traffic.hostReadSectors += passes;
        traffic.hostWriteSectors += passes;
        break;
    }
    }
}

void L2Cache::process(unsigned shard, std::span<const L2Request> requests) {
    Shard& mine = m_shards[shard];
    // Sets are scattered over megabytes: requested early, their way from the host's memory costs nothing.
    constexpr std::size_t kAhead = 12;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        if (i + kAhead < requests.size()) {
            const L2Request& later = requests[i + kAhead];
            const LineHash hash(later.line() >> kPageBits);
            _mm_prefetch(m_caches[later.partition()].locate(later.line(), hash).set, _MM_HINT_T0);
            _mm_prefetch(m_caches[homeOf(hash)].locate(later.line(), hash).set, _MM_HINT_T0);
        }
        const L2Request& request = requests[i];
        const LineHash hash(request.line() >> kPageBits);
        if (!m_host.empty() && isOnHost(request.line())) {
            host(mine.traffic, request, hash);
            continue;
        }
        switch (request.kind()) {
        case L2Request::Kind::Load:
            load(mine.traffic, request, hash);
            break;
        case L2Request::Kind::Store:
            store(mine, request, hash);
            break;
        case L2Request::Kind::Atomic:
        case L2Request::Kind::Reduce:
            atomic(mine, request, hash);
            break;
        }
    }
}

counts::Traffic L2Cache::traffic() const {
    counts::Traffic sum;
    for (const Shard& shard : m_shards) {
        const counts::Traffic& each = shard.traffic;
        sum.l2Reads += each.l2Reads;
        sum.l2Writes += each.l2Writes;
        sum.l2Atomics += each.l2Atomics;
        sum.l2Reductions += each.l2Reductions;
        sum.l2Hits += each.l2Hits;
        sum.l2Misses += each.l2Misses;
        sum.l2Tags += each.l2Tags;
        sum.l2WriteTags += each.l2WriteTags;
        sum.dirtySectorsLeft += each.dirtySectorsLeft;
        sum.dramReadSectors += each.dramReadSectors;
        sum.dramWriteSectors += each.dramWriteSectors;
        sum.hostReadSectors += each.hostReadSectors;
        sum.hostWriteSectors += each.hostWriteSectors;
        for (const HotSlot& slot : shard.hot)
            sum.hottestAtomicPasses = std::max(sum.hottestAtomicPasses, slot.passes);
    }
    sum.dirtySectorsLeft -= sum.dramWriteSectors; // until here: all that became dirty
    return sum;
}

} // namespace dormer::emulator::hierarchy
