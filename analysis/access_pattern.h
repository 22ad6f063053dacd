// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// How the addresses of a warp's access become cache lines, sectors and passes of shared memory. Widths are
/// 1, 2, 4, 8, 16 or 32 bytes a lane; addresses are multiples of the width. Bit i of a mask stands for lane
/// i; addresses of lanes that are off are not looked at.
namespace dormer::analysis {

inline constexpr unsigned kWarpLanes = 32;
inline constexpr unsigned kSectorBytes = 32, kLineBytes = 128;
/// Aligned accesses never cross a line, so a warp touches at most one for each lane.
inline constexpr unsigned kMaxLines = kWarpLanes;

/// One 128-byte line that a warp's request touches.
struct LineAccess {
    std::uint64_t line = 0;    ///< byte address / 128
    std::uint32_t sectors = 0; ///< bits 0…3: which of its 32-byte sectors
    /// Atomics: passes that L2 needs for the line: one serves every word of a sector once, so each sector
    /// takes as many as the most lanes that meet on one of its words. 0 for loads and stores.
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

/// Passes of shared memory for byte addresses within it: the most distinct 4-byte words in one of the 32
/// banks, a word's readers being served together. Accesses of 8 bytes go by half-warps, of 16 by quarters.
[[nodiscard]] unsigned sharedWavefronts(const std::uint32_t* addresses, std::uint32_t mask, unsigned width);

/// Sectors that as many lanes take when neighbours touch neighbouring bytes.
[[nodiscard]] constexpr unsigned idealSectors(unsigned activeLanes, unsigned width) {
    return (activeLanes * width + kSectorBytes - 1) / kSectorBytes;
}
/// Wavefronts of shared memory that as many lanes take without a bank conflict.
[[nodiscard]] constexpr unsigned idealWavefronts(unsigned activeLanes, unsigned width) {
    return (activeLanes * width + kLineBytes - 1) / kLineBytes;
}

} // namespace dormer::analysis
