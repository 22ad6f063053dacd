// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dormer::session {

/// Where the lanes of one warp accessed. Most instructions have none, as GPUs tell no addresses.
struct LaneSample {
    static constexpr unsigned kLanes = 32;

    std::uint32_t mask = 0; ///< bit i: lane i took part; 0 = nothing was seen
    /// Byte addresses, counted from the beginning of the 128-byte line of the lowest; of lanes that are off:
    /// 0. One per lane, or none at all where nothing was seen.
    std::vector<std::int64_t> address;

    [[nodiscard]] bool seen() const { return mask != 0; }
    [[nodiscard]] bool active(unsigned lane) const { return (mask >> lane & 1U) != 0; }
    bool operator==(const LaneSample&) const = default;
};

/// Addresses may be any; what they have in common is taken off as above.
[[nodiscard]] LaneSample laneSample(std::span<const std::uint64_t, LaneSample::kLanes> addresses,
                                    std::uint32_t mask);

/// As stream and file have it: 32 entries separated by commas, empty for lanes that are off. Empty when
/// nothing was seen.
[[nodiscard]] std::string toString(const LaneSample& lanes);
/// False, and nothing seen, for text that is not of that form (a session file may hold anything), or has no
/// lane.
bool fromString(std::string_view text, LaneSample& lanes);

} // namespace dormer::session
