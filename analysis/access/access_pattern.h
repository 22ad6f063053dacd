// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// How the addresses of a warp's access become cache lines, sectors and passes of shared memory. Widths are
/// 1, 2, 4, 8, 16 or 32 bytes per lane; addresses are multiples of the width. Bit i of a mask stands for lane
/// i; addresses of lanes that are off are not looked at.
namespace dormer::access {

inline constexpr unsigned kWarpLanes = 32;
inline constexpr unsigned kSectorBytes = 32, kLineBytes = 128;
/// Aligned accesses never cross a line, so a warp touches at most one for each lane.
inline constexpr unsigned kMaxLines = kWarpLanes;

/// One 128-byte line that a warp's request touches.
struct LineAccess {
    std::uint64_t line = 0;    ///< byte address / 128
    std::uint32_t sectors = 0; ///< bits 0…3: which of its 32-byte sectors
    /// Atomics: passes that L2 needs for the line: one serves every word of a sector once, so each sector
    /// takes as many as the most lanes that contend for one of its words. 0 for loads and stores.
    std::uint32_t passes = 0;
};

/// Sectors in a set of four. (A bit count costs a call on processors that can't be taken to have one.)
[[nodiscard]] constexpr unsigned sectorCount(std::uint32_t sectors) {
    return static_cast<unsigned>(0x4332322132212110ULL >> (4 * sectors)) & 0xF;
}

struct Coalesced {
    unsigned lines = 0, sectors = 0;
};
/// Distinct lines in the order of the first lane that touches them. `out` has room for kMaxLines.
Coalesced coalesce(const std::uint64_t* addresses, std::uint32_t mask, unsigned width, LineAccess* out);

/// The same for an atomic: fills LineAccess::passes too. `serialized` is the most lanes on one address.
struct CoalescedAtomic {
    unsigned lines = 0, sectors = 0, serialized = 0;
};
CoalescedAtomic coalesceAtomic(const std::uint64_t* addresses, std::uint32_t mask, unsigned width,
                               LineAccess* out);

/// Most active lanes that share one address: how often an atomic has to be repeated. 0 without lanes.
[[nodiscard]] unsigned atomicSerialization(const std::uint64_t* addresses, std::uint32_t mask);

/// Passes of shared memory ("wavefronts") for byte addresses within it, as an H100 counts them
/// (docs/access-counts.md). A warp's lanes go in groups: all 32 of up to 4 bytes, halves of 8, quarters
/// of 16.
///
/// Stores: for each group the most distinct 4-byte words in one of the 32 banks.
[[nodiscard]] unsigned sharedStoreWavefronts(const std::uint32_t* addresses, std::uint32_t mask,
                                             unsigned width);
/// Loads: the same, but two neighbouring groups of wide accesses are served at once if all their words lie in
/// different banks and lanes share addresses in pairs: i with i ^ 1, or i with i ^ 2.
[[nodiscard]] unsigned sharedLoadWavefronts(const std::uint32_t* addresses, std::uint32_t mask,
                                            unsigned width);
/// Atomics: for each group the most lanes in one bank; lanes on one word wait for each other.
[[nodiscard]] unsigned sharedAtomicWavefronts(const std::uint32_t* addresses, std::uint32_t mask,
                                              unsigned width);

/// Sectors that as many lanes take when neighbours touch neighbouring bytes: never more than the access has,
/// since lanes that share an address need no sector each.
[[nodiscard]] constexpr unsigned idealSectors(unsigned activeLanes, unsigned width, unsigned sectors) {
    const unsigned apart = (activeLanes * width + kSectorBytes - 1) / kSectorBytes;
    return apart < sectors ? apart : sectors;
}
/// Wavefronts of shared memory that as many lanes take without a bank conflict; never more than there are.
[[nodiscard]] constexpr unsigned idealWavefronts(unsigned activeLanes, unsigned width, unsigned wavefronts) {
    const unsigned apart = (activeLanes * width + kLineBytes - 1) / kLineBytes;
    return apart < wavefronts ? apart : wavefronts;
}

} // namespace dormer::access
