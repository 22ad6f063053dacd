// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/access/lane_pattern.h"

#include <nlohmann/json_fwd.hpp>

namespace dormer::access {

/// 128 bytes that a warp touches: a cache line of four sectors, or a row of the 32 banks of shared memory.
struct PictureRow {
    std::int64_t firstByte = 0;
    std::array<std::uint8_t, kWarpLanes> lanes{}; ///< how many lanes touch each 4-byte word
    std::uint32_t moved = 0;                      ///< global: bits 0..3, which sectors are moved
};
/// By ascending address: the same picture in the terminal, the SVG and the app.
[[nodiscard]] std::vector<PictureRow> pictureRows(const LanePattern& pattern);
/// Shared memory: distinct words requested from each bank.
[[nodiscard]] std::array<unsigned, kWarpLanes> wordsPerBank(const std::vector<PictureRow>& rows);

/// "8 sectors (ideal 4): stride of 2 elements", "32 wavefronts (ideal 1): 32-way bank conflict".
[[nodiscard]] std::string patternHeadline(const LanePattern& pattern);
/// "128 of 256 bytes moved were requested, 50 %"; empty when nothing is moved.
[[nodiscard]] std::string patternUse(const LanePattern& pattern);
/// What to change; empty when there is nothing to improve.
[[nodiscard]] std::string patternAdvice(const LanePattern& pattern);
/// "global", "shared", "local"
[[nodiscard]] const char* patternSpace(const PatternQuestion& question);
/// "4-byte loads from global memory, warp 0 of a 256 x 1 x 1 block, compute capability 9.0"; of given lanes
/// "4-byte loads from global memory, lanes of one warp, as seen"
[[nodiscard]] std::string patternSubject(const LanePattern& pattern);

/// For terminals, in at most 88 columns if the expression is no longer.
[[nodiscard]] std::string patternText(const LanePattern& pattern);
/// Documented in docs/json.md.
[[nodiscard]] nlohmann::ordered_json patternJson(const LanePattern& pattern);

} // namespace dormer::access
