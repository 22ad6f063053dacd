// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/access/lane_pattern.h"
#include "analysis/session/model.h"

#include <optional>
#include <string>

/// One warp's access as it was seen, and the picture of it.
namespace dormer::lines {

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
