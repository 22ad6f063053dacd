// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/access/access_pattern.h"
#include "instrument/emulator/hierarchy/cache_storage.h"

#include <bit>
#include <cstdint>
#include <emmintrin.h>

namespace dormer::emulator::hierarchy {

/// Where a line belongs. Lines of a page lie in neighbouring sets, pages are scattered: so that strides meet
/// all sets, and streams run along the host's cache.
struct LineHash {
    std::uint64_t bits;
    explicit LineHash(std::uint64_t page) {
        // Two rounds of multiply and xor-shift (as in MurmurHash3's finalizer): all bits depend on all.
        bits = page * 0xFF51AFD7ED558CCD;
        bits ^= bits >> 33;
        bits *= 0xC4CEB9FE1A85EC53;
    }
};

/// A set-associative cache of 128-byte lines in four sectors each, filled sector by sector. Victims are found
/// by the clock algorithm: the next way around that was not hit since the hand passed it.
class SectoredCache {
public:
    /// `sets`: groups * (1 << pageBits), of an older epoch where not yet used.
    SectoredCache(CacheSet* sets, std::uint64_t epoch, std::uint32_t groups, unsigned pageBits)
        : m_sets(sets), m_epoch(epoch << kSectorBits), m_groups(groups), m_pageBits(pageBits) {}

    struct Place {
        CacheSet* set;
        std::uint32_t tag;
    };
    [[nodiscard]] Place locate(std::uint64_t line) const {
        return locate(line, LineHash(line >> m_pageBits));
    }
    [[nodiscard]] Place locate(std::uint64_t line, LineHash hash) const {
        const std::uint64_t group = ((hash.bits >> 32) * m_groups) >> 32;
        const std::uint64_t within = (line ^ (hash.bits >> 8)) & ((1U << m_pageBits) - 1);
        // 32 bits of page number: equal only for addresses 2 TB apart or more.
        return {m_sets + (group << m_pageBits) + within, static_cast<std::uint32_t>(line >> m_pageBits)};
    }

    /// Way that holds the line, or kWays.
    [[nodiscard]] unsigned find(Place place) const {
        if ((place.set->valid & ~kSectorMask) != m_epoch) {
            place.set->valid = m_epoch;
            place.set->dirty = 0;
            // No page has this number; one of the earlier launch's would take a way out of its turn.
            for (std::uint32_t& tag : place.set->tags)
                tag = 0xFFFFFFFF;
            return CacheSet::kWays;
        }
        const __m128i tag = _mm_set1_epi32(static_cast<int>(place.tag));
        const auto* tags = reinterpret_cast<const __m128i*>(place.set->tags);
        const __m128i first = _mm_cmpeq_epi32(_mm_load_si128(tags), tag);
        const __m128i second = _mm_cmpeq_epi32(_mm_load_si128(tags + 1), tag);
        const __m128i third = _mm_cmpeq_epi32(_mm_load_si128(tags + 2), tag);
        const __m128i packed =
            _mm_packs_epi16(_mm_packs_epi32(first, second), _mm_packs_epi32(third, _mm_setzero_si128()));
        const int equal = _mm_movemask_epi8(packed);
        return equal == 0 ? CacheSet::kWays : static_cast<unsigned>(std::countr_zero(unsigned(equal)));
    }

    /// Sectors of the line that are there.
    [[nodiscard]] static std::uint32_t validSectors(Place place, unsigned way) {
        return static_cast<std::uint32_t>(place.set->valid >> (4 * way)) & 0xF;
    }
    [[nodiscard]] static std::uint32_t dirtySectors(Place place, unsigned way) {
        return static_cast<std::uint32_t>(place.set->dirty >> (4 * way)) & 0xF;
    }
    /// Takes the mark of a line's dirty sectors; how many there were.
    static unsigned clean(Place place, unsigned way) {
        const unsigned count = access::sectorCount(dirtySectors(place, way));
        place.set->dirty &= ~(std::uint64_t{0xF} << (4 * way));
        return count;
    }
    static void hit(Place place, unsigned way) {
        place.set->dirty |= std::uint64_t{1} << (kSectorBits + way);
    }
    static void add(Place place, unsigned way, std::uint32_t sectors) {
        place.set->valid |= std::uint64_t{sectors} << (4 * way);
    }
    static void addDirty(Place place, unsigned way, std::uint32_t sectors) {
        add(place, way, sectors);
        place.set->dirty |= std::uint64_t{sectors} << (4 * way);
    }

    /// Makes room for the line, without sectors. Adds the number of dirty sectors that had to leave.
    static unsigned insert(Place place, std::uint64_t& writtenBack) {
        std::uint64_t dirty = place.set->dirty;
        unsigned hand = static_cast<unsigned>(dirty >> kHandShift);
        while ((dirty >> (kSectorBits + hand) & 1) != 0) {
            dirty &= ~(std::uint64_t{1} << (kSectorBits + hand));
            hand = hand + 1 == CacheSet::kWays ? 0 : hand + 1;
        }
        const unsigned way = hand;
        const std::uint64_t sectors = std::uint64_t{0xF} << (4 * way);
        writtenBack += access::sectorCount(static_cast<std::uint32_t>(dirty >> (4 * way)) & 0xF);
        hand = hand + 1 == CacheSet::kWays ? 0 : hand + 1;
        place.set->dirty = (dirty & ~sectors & ~(std::uint64_t{0xF} << kHandShift)) | std::uint64_t{hand}
                                                                                          << kHandShift;
        place.set->valid &= ~sectors;
        place.set->tags[way] = place.tag;
        return way;
    }

private:
    static constexpr unsigned kSectorBits = 4 * CacheSet::kWays, kHandShift = 60;
    static constexpr std::uint64_t kSectorMask = (std::uint64_t{1} << kSectorBits) - 1;
    CacheSet* m_sets;
    std::uint64_t m_epoch;
    std::uint32_t m_groups;
    unsigned m_pageBits;
};

} // namespace dormer::emulator::hierarchy
