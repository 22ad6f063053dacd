// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/access/pattern_picture.h"

#include <QString>

#include <optional>

namespace dormer::ui::pattern {

// What the picture of lanes says of its parts in words.

/// "lane 5: bytes 0x14 to 0x17, sector 0 of the line at 0x0", "..., bank 5"; of a lane that is off: that.
[[nodiscard]] QString laneHint(const access::LanePattern& pattern, unsigned lane);
/// Of a word: its bytes, its sector or bank, which lanes ask for it, and what that costs.
[[nodiscard]] QString wordHint(const access::LanePattern& pattern,
                               const std::vector<access::PictureRow>& rows, std::size_t row, unsigned word);
/// Lanes that touch any byte of the 4-byte word that begins at `word`.
[[nodiscard]] std::uint32_t lanesAt(const access::LanePattern& pattern, std::int64_t word);
/// "0, 4 to 7 and 31"
[[nodiscard]] QString laneList(std::uint32_t mask);
/// The row of a lane's first byte; absent for a lane that is off.
[[nodiscard]] std::optional<std::size_t>
rowOfLane(const access::LanePattern& pattern, const std::vector<access::PictureRow>& rows, unsigned lane);
/// "0x80", "-0x20"
[[nodiscard]] QString addressText(std::int64_t byte);

/// What the word is drawn as.
enum class WordLook {
    Used,     ///< a lane asks for it
    Conflict, ///< the same, and other words of its bank are requested, too
    Wasted,   ///< moved, and nobody requested it
    Idle      ///< not moved
};
[[nodiscard]] WordLook lookOf(const access::LanePattern& pattern, const access::PictureRow& row,
                              unsigned word, const std::array<unsigned, access::kWarpLanes>& banks);

} // namespace dormer::ui::pattern
