// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/access/access_pattern.h"
#include "analysis/access/lane_pattern.h"
#include "analysis/session/model.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// One warp's access as it was seen, and the picture of it.
namespace dormer::lines {

/// Where the lanes of one warp accessed.
struct LaneSample {
    std::uint32_t mask = 0; ///< bit i: lane i took part
    /// Byte addresses, counted from the beginning of the 128-byte line of the lowest; of lanes that are off:
    /// 0.
    std::array<std::int64_t, access::kWarpLanes> address{};
};

/// The text of LineCounts::lanes: 32 entries separated by commas, empty for lanes that are off. Addresses may
/// be any; what they have in common is taken off as above. Empty without lanes.
[[nodiscard]] std::string formatLanes(std::span<const std::uint64_t, access::kWarpLanes> addresses,
                                      std::uint32_t mask);
/// Absent for text that is not of that form (a session file may hold anything), or has no lane.
[[nodiscard]] std::optional<LaneSample> parseLanes(std::string_view text);

/// The access of an instruction lane by lane, for the picture of it (pattern/pattern_picture.h).
struct LanePicture {
    access::LanePattern pattern;
    bool sampled = false; ///< true: lanes as they were seen; false: as its counts say they must lie
    std::string caption;  ///< "lanes of one warp, as seen", "as a stride of 8 elements looks": never silent
};
/// Of an access of global, local or shared memory: from its sampled lanes, else a typical pattern of its
/// class (line_class.h) where that determines one: coalesced, misaligned, strided, broadcast; k-way conflicts
/// of shared memory. Absent for scattered ones and branches.
[[nodiscard]] std::optional<LanePicture> lanePicture(const session::LineCounts& access);

} // namespace dormer::lines
