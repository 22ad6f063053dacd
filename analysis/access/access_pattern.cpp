// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/access/access_pattern.h"

#include <algorithm>
#include <bit>
#include <cstring>

// Called for every memory access of an emulated warp: the usual patterns (unit stride, one address, rising
// addresses) take one pass of comparisons that vectorise; the rest a small table.
namespace dormer::access {

// Compiled for each vector width, chosen when the program starts. Sanitizers run before that is possible.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&     \
    !defined(__SANITIZE_THREAD__)
#define DORMER_FOR_EACH_WIDTH                                                                                \
    __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"), flatten))
#else
#define DORMER_FOR_EACH_WIDTH
#endif

namespace {

enum class Shape { UnitStride, OneAddress, Rising, Mixed };

template <typename Address>
Shape shapeOf(const Address* addresses, unsigned count, unsigned width) {
    const Address first = addresses[0];
    Address offUnit = 0, offFirst = 0;
    for (unsigned i = 0; i < count; ++i) {
        offUnit |= addresses[i] ^ (first + static_cast<Address>(i) * width);
        offFirst |= addresses[i] ^ first;
    }
    if (offUnit == 0) return Shape::UnitStride;
    if (offFirst == 0) return Shape::OneAddress;
    unsigned falls = 0;
    for (unsigned i = 1; i < count; ++i)
        falls += addresses[i] < addresses[i - 1] ? 1 : 0;
    return falls == 0 ? Shape::Rising : Shape::Mixed;
}

/// The addresses of the active lanes, side by side; those of a full warp stay where they are.
template <typename Address>
struct Active {
    Active(const Address* addresses, std::uint32_t mask) : count(static_cast<unsigned>(std::popcount(mask))) {
        if (mask == 0xFFFFFFFF) {
            data = addresses;
            return;
        }
        unsigned next = 0;
        for (; mask != 0; mask &= mask - 1)
            m_packed[next++] = addresses[std::countr_zero(mask)];
        data = m_packed;
    }
    Active(const Active&) = delete;
    Active& operator=(const Active&) = delete;

    const Address* data = nullptr;
    unsigned count;

private:
    alignas(64) Address m_packed[kWarpLanes];
};

/// Places of keys in a list of at most 32, by open addressing.
class Places {
public:
    Places() { std::memset(m_slots, kEmpty, sizeof m_slots); }
    /// Slot that holds the place of `key`, or the free one for it; `keyAt` gives the key of a place.
    template <typename KeyAt>
    std::uint8_t& find(std::uint64_t key, KeyAt keyAt) {
        std::size_t slot = (key * 0x9E3779B97F4A7C15) >> 58;
        while (m_slots[slot] != kEmpty && keyAt(m_slots[slot]) != key)
            slot = (slot + 1) % kSlots;
        return m_slots[slot];
    }
    static constexpr std::uint8_t kEmpty = 0xFF;

private:
    static constexpr std::size_t kSlots = 64;
    std::uint8_t m_slots[kSlots];
};

constexpr std::uint32_t sectorBit(std::uint64_t address) {
    return 1U << ((address / kSectorBytes) % (kLineBytes / kSectorBytes));
}

unsigned sumOfSectors(const LineAccess* lines, unsigned count) {
    unsigned sectors = 0;
    for (unsigned i = 0; i < count; ++i)
        sectors += sectorCount(lines[i].sectors);
    return sectors;
}

/// Lines of one piece of memory without gaps.
Coalesced coalesceRange(std::uint64_t begin, std::uint64_t end, LineAccess* out) {
    const std::uint64_t firstSector = begin / kSectorBytes, lastSector = (end - 1) / kSectorBytes;
    const std::uint64_t firstLine = firstSector / 4, lastLine = lastSector / 4;
    unsigned lines = 0;
    for (std::uint64_t line = firstLine; line <= lastLine; ++line)
        out[lines++] = {line, 0xF, 0};
    out[0].sectors &= 0xFU << (firstSector % 4);
    out[lines - 1].sectors &= 0xFU >> (3 - lastSector % 4);
    return {lines, static_cast<unsigned>(lastSector - firstSector + 1)};
}

Coalesced coalesceRising(const std::uint64_t* addresses, unsigned count, LineAccess* out) {
    out[0] = {addresses[0] / kLineBytes, sectorBit(addresses[0]), 0};
    unsigned last = 0;
    for (unsigned i = 1; i < count; ++i) {
        const std::uint64_t line = addresses[i] / kLineBytes;
        if (line != out[last].line) out[++last] = {line, 0, 0};
        out[last].sectors |= sectorBit(addresses[i]);
    }
    return {last + 1, sumOfSectors(out, last + 1)};
}

/// Whether no two lanes are in one line, as when accesses are scattered: one pass of comparisons for each
/// distance between lanes. May say no where lines lie 2^31 lines apart.
bool allLinesDiffer(const std::uint64_t* addresses, unsigned count) {
    constexpr std::uint32_t kNoLine = 1U << 31;
    std::uint32_t lines[2 * kWarpLanes];
    for (unsigned i = 0; i < kWarpLanes; ++i) {
        const std::uint32_t line = i < count ? addresses[i] / kLineBytes % kNoLine : kNoLine + i;
        lines[i] = lines[i + kWarpLanes] = line;
    }
    std::uint32_t equal = 0;
    for (unsigned i = 0; i < kWarpLanes; ++i)
        equal |= lines[i] == lines[i + 1] ? 1 : 0;
    if (equal != 0) return false; // neighbors in one line: not worth looking at all pairs
    for (unsigned distance = 2; distance <= kWarpLanes / 2; ++distance)
        for (unsigned i = 0; i < kWarpLanes; ++i)
            equal |= lines[i] == lines[i + distance] ? 1 : 0;
    return equal == 0;
}

Coalesced coalesceScattered(const std::uint64_t* addresses, unsigned count, LineAccess* out) {
    for (unsigned i = 0; i < count; ++i)
        out[i] = {addresses[i] / kLineBytes, sectorBit(addresses[i]), 0};
    return {count, count};
}

/// `lineOf`, if not null: each lane's place in `out`.
Coalesced coalesceMixed(const std::uint64_t* addresses, unsigned count, LineAccess* out,
                        std::uint8_t* lineOf) {
    Places places;
    unsigned lines = 0, current = 0;
    for (unsigned i = 0; i < count; ++i) {
        const std::uint64_t line = addresses[i] / kLineBytes;
        if (lines == 0 || out[current].line != line) {
            std::uint8_t& slot = places.find(line, [&](std::uint8_t place) { return out[place].line; });
            if (slot == Places::kEmpty) {
                slot = static_cast<std::uint8_t>(lines);
                out[lines++] = {line, 0, 0};
            }
            current = slot;
        }
        out[current].sectors |= sectorBit(addresses[i]);
        if (lineOf != nullptr) lineOf[i] = static_cast<std::uint8_t>(current);
    }
    return {lines, sumOfSectors(out, lines)};
}

Coalesced coalesceActive(Shape shape, const std::uint64_t* addresses, unsigned count, unsigned width,
                         LineAccess* out) {
    switch (shape) {
    case Shape::UnitStride:
        return coalesceRange(addresses[0], addresses[0] + std::uint64_t{count} * width, out);
    case Shape::OneAddress:
        out[0] = {addresses[0] / kLineBytes, sectorBit(addresses[0]), 0};
        return {1, 1};
    case Shape::Rising:
        return coalesceRising(addresses, count, out);
    case Shape::Mixed:
        break;
    }
    if (allLinesDiffer(addresses, count)) return coalesceScattered(addresses, count, out);
    return coalesceMixed(addresses, count, out, nullptr);
}

/// Distinct values of a list and how many lanes have each.
struct Tally {
    Tally(const std::uint64_t* addresses, unsigned lanes) {
        Places places;
        for (unsigned i = 0; i < lanes; ++i) {
            std::uint8_t& slot =
                places.find(addresses[i], [&](std::uint8_t place) { return address[place]; });
            if (slot == Places::kEmpty) {
                slot = static_cast<std::uint8_t>(distinct);
                address[distinct] = addresses[i];
                lane[distinct] = i;
                count[distinct++] = 0;
            }
            ++count[slot];
        }
    }
    [[nodiscard]] unsigned most() const { return *std::max_element(count, count + distinct); }

    std::uint64_t address[kWarpLanes];
    unsigned lane[kWarpLanes]; ///< the first that has it
    unsigned count[kWarpLanes];
    unsigned distinct = 0;
};

/// The most distinct values of `units` that are equal modulo `banks`, for lanes first…last.
unsigned mostInOneBank(const std::uint32_t* units, unsigned count, unsigned banks) {
    std::uint32_t words[kWarpLanes][kWarpLanes]; // [bank][n]; only what `used` covers is written
    std::uint8_t used[kWarpLanes] = {};
    unsigned most = 0;
    for (unsigned i = 0; i < count; ++i) {
        const std::uint32_t unit = units[i];
        if (i > 0 && unit == units[i - 1]) continue;
        const unsigned bank = unit & (banks - 1);
        const std::uint8_t n = used[bank];
        // Rising words can't have come before; others are looked for.
        if (n > 0 && unit <= words[bank][n - 1] &&
            std::find(words[bank], words[bank] + n, unit) != words[bank] + n)
            continue;
        // Keeps the largest last, so that the comparison above decides most cases.
        words[bank][n] = unit;
        if (n > 0 && words[bank][n - 1] > unit) std::swap(words[bank][n - 1], words[bank][n]);
        used[bank] = static_cast<std::uint8_t>(n + 1);
        most = std::max(most, n + 1U);
    }
    return most;
}

/// The same, the usual cases first: no bank met twice, one word for all, rising words.
unsigned servedOneByOne(const std::uint32_t* units, unsigned count, unsigned banks) {
    std::uint32_t met = 0;
    std::uint32_t different = 0;
    unsigned falls = 0;
    for (unsigned i = 0; i < count; ++i)
        met |= 1U << (units[i] & (banks - 1));
    if (static_cast<unsigned>(std::popcount(met)) == count) return 1;
    for (unsigned i = 1; i < count; ++i) {
        different |= units[i] ^ units[0];
        falls += units[i] <= units[i - 1] ? 1 : 0;
    }
    if (different == 0) return 1;
    if (falls > 0) return mostInOneBank(units, count, banks);
    std::uint8_t inBank[kWarpLanes] = {};
    for (unsigned i = 0; i < count; ++i)
        ++inBank[units[i] & (banks - 1)];
    std::uint8_t most = 0;
    for (const std::uint8_t lanes : inBank)
        most = std::max(most, lanes);
    return most;
}

/// An aligned access of 8 or 16 bytes fills 2 or 4 banks side by side: they act as one wider bank, and a
/// group of lanes that fills all banks once is served at a time.
struct SharedGroups {
    explicit SharedGroups(unsigned width)
        : unitShift(static_cast<unsigned>(std::countr_zero(std::max(width, 4U))))
        , banks(kLineBytes >> unitShift)
        , lanes(std::min(banks, kWarpLanes)) {}
    unsigned unitShift, banks; ///< banks: a power of two
    unsigned lanes;            ///< of a group
};

bool isUnitStride(const std::uint32_t* addresses, std::uint32_t mask, unsigned width) {
    return mask == 0xFFFFFFFF && shapeOf(addresses, kWarpLanes, width) == Shape::UnitStride;
}

/// Of the lanes first … first + lanes - 1 served as one.
unsigned groupWavefronts(const std::uint32_t* addresses, std::uint32_t mask, const SharedGroups& groups,
                         unsigned first, unsigned lanes) {
    std::uint32_t units[kWarpLanes];
    unsigned count = 0;
    if (mask == 0xFFFFFFFF) {
        for (unsigned i = 0; i < lanes; ++i)
            units[i] = addresses[first + i] >> groups.unitShift;
        count = lanes;
    } else {
        for (unsigned lane = first; lane < first + lanes; ++lane)
            if ((mask >> lane & 1) != 0) units[count++] = addresses[lane] >> groups.unitShift;
    }
    return count > 0 ? servedOneByOne(units, count, groups.banks) : 0;
}

/// For x = 1 or 2: each lane has the address of lane i ^ x, where that is active.
bool sharesInPairs(const std::uint32_t* addresses, std::uint32_t mask) {
    std::uint32_t differs[2] = {};
    for (unsigned i = 0; i < kWarpLanes; ++i) {
        for (unsigned x = 1; x <= 2; ++x) {
            const std::uint32_t both = mask >> i & mask >> (i ^ x) & 1;
            differs[x - 1] |= (addresses[i] ^ addresses[i ^ x]) & (0U - both);
        }
    }
    return differs[0] == 0 || differs[1] == 0;
}

} // namespace

DORMER_FOR_EACH_WIDTH
Coalesced coalesce(const std::uint64_t* addresses, std::uint32_t mask, unsigned width, LineAccess* out) {
    if (mask == 0) return {};
    const Active<std::uint64_t> active(addresses, mask);
    return coalesceActive(shapeOf(active.data, active.count, width), active.data, active.count, width, out);
}

DORMER_FOR_EACH_WIDTH
CoalescedAtomic coalesceAtomic(const std::uint64_t* addresses, std::uint32_t mask, unsigned width,
                               LineAccess* out) {
    if (mask == 0) return {};
    const Active<std::uint64_t> active(addresses, mask);
    const Shape shape = shapeOf(active.data, active.count, width);
    if (shape == Shape::OneAddress || shape == Shape::UnitStride) {
        const Coalesced plain = coalesceActive(shape, active.data, active.count, width, out);
        if (shape == Shape::OneAddress) {
            out[0].passes = active.count;
            return {1, 1, active.count};
        }
        for (unsigned i = 0; i < plain.lines; ++i)
            out[i].passes = sectorCount(out[i].sectors);
        return {plain.lines, plain.sectors, 1};
    }
    if (allLinesDiffer(active.data, active.count)) {
        const Coalesced plain = coalesceScattered(active.data, active.count, out);
        for (unsigned i = 0; i < plain.lines; ++i)
            out[i].passes = 1;
        return {plain.lines, plain.sectors, 1};
    }
    std::uint8_t lineOf[kWarpLanes];
    const Coalesced plain = coalesceMixed(active.data, active.count, out, lineOf);
    const Tally tally(active.data, active.count);
    unsigned most[kWarpLanes][4] = {}; // of each line's sectors
    for (unsigned k = 0; k < tally.distinct; ++k) {
        unsigned& sector = most[lineOf[tally.lane[k]]][tally.address[k] / kSectorBytes % 4];
        sector = std::max(sector, tally.count[k]);
    }
    for (unsigned i = 0; i < plain.lines; ++i)
        out[i].passes = most[i][0] + most[i][1] + most[i][2] + most[i][3];
    return {plain.lines, plain.sectors, tally.most()};
}

DORMER_FOR_EACH_WIDTH
unsigned atomicSerialization(const std::uint64_t* addresses, std::uint32_t mask) {
    if (mask == 0) return 0;
    const Active<std::uint64_t> active(addresses, mask);
    bool same = true;
    bool rising = true;
    for (unsigned i = 1; i < active.count; ++i) {
        same &= active.data[i] == active.data[0];
        rising &= active.data[i] > active.data[i - 1];
    }
    if (same) return active.count;
    return rising ? 1 : Tally(active.data, active.count).most();
}

DORMER_FOR_EACH_WIDTH
unsigned sharedStoreWavefronts(const std::uint32_t* addresses, std::uint32_t mask, unsigned width) {
    const SharedGroups groups(width);
    if (isUnitStride(addresses, mask, width)) return kWarpLanes / groups.lanes;
    unsigned wavefronts = 0;
    for (unsigned first = 0; first < kWarpLanes; first += groups.lanes)
        wavefronts += groupWavefronts(addresses, mask, groups, first, groups.lanes);
    return wavefronts;
}

DORMER_FOR_EACH_WIDTH
unsigned sharedLoadWavefronts(const std::uint32_t* addresses, std::uint32_t mask, unsigned width) {
    const SharedGroups groups(width);
    if (isUnitStride(addresses, mask, width)) return kWarpLanes / groups.lanes;
    if (groups.lanes == kWarpLanes) return groupWavefronts(addresses, mask, groups, 0, kWarpLanes);
    unsigned wavefronts = 0;
    for (unsigned first = 0; first < kWarpLanes; first += 2 * groups.lanes) {
        const std::uint32_t lanes = static_cast<std::uint32_t>((std::uint64_t{1} << 2 * groups.lanes) - 1)
                                    << first;
        if (sharesInPairs(addresses, mask & lanes) &&
            groupWavefronts(addresses, mask, groups, first, 2 * groups.lanes) == 1) {
            ++wavefronts;
            continue;
        }
        wavefronts += groupWavefronts(addresses, mask, groups, first, groups.lanes);
        wavefronts += groupWavefronts(addresses, mask, groups, first + groups.lanes, groups.lanes);
    }
    return wavefronts;
}

DORMER_FOR_EACH_WIDTH
unsigned sharedAtomicWavefronts(const std::uint32_t* addresses, std::uint32_t mask, unsigned width) {
    const SharedGroups groups(width);
    unsigned wavefronts = 0;
    for (unsigned first = 0; first < kWarpLanes; first += groups.lanes) {
        std::uint8_t inBank[kWarpLanes] = {};
        std::uint8_t most = 0;
        for (unsigned lane = first; lane < first + groups.lanes; ++lane) {
            if ((mask >> lane & 1) == 0) continue;
            most = std::max(most, ++inBank[addresses[lane] >> groups.unitShift & (groups.banks - 1)]);
        }
        wavefronts += most;
    }
    return wavefronts;
}

} // namespace dormer::access
