// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session/lane_sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

namespace dormer::session {

namespace {

constexpr std::uint64_t kLineBytes = 128;
/// Device addresses have at most 57 bits; what lies further apart is no sample.
constexpr std::int64_t kFarthest = std::int64_t{1} << 57;

} // namespace

LaneSample laneSample(std::span<const std::uint64_t, LaneSample::kLanes> addresses, std::uint32_t mask) {
    LaneSample sample;
    if (mask == 0) return sample;
    sample.mask = mask;
    std::uint64_t lowest = ~std::uint64_t{0};
    for (unsigned lane = 0; lane < LaneSample::kLanes; ++lane)
        if (sample.active(lane)) lowest = std::min(lowest, addresses[lane]);
    const std::uint64_t begin = lowest - lowest % kLineBytes;
    sample.address.resize(LaneSample::kLanes);
    for (unsigned lane = 0; lane < LaneSample::kLanes; ++lane)
        if (sample.active(lane)) sample.address[lane] = static_cast<std::int64_t>(addresses[lane] - begin);
    return sample;
}

std::string toString(const LaneSample& lanes) {
    std::string text;
    if (!lanes.seen()) return text;
    for (unsigned lane = 0; lane < LaneSample::kLanes; ++lane) {
        if (lane > 0) text += ',';
        if (lanes.active(lane)) fmt::format_to(std::back_inserter(text), "{}", lanes.address[lane]);
    }
    return text;
}

bool fromString(std::string_view text, LaneSample& lanes) {
    lanes = {};
    LaneSample sample{.mask = 0, .address = std::vector<std::int64_t>(LaneSample::kLanes)};
    for (unsigned lane = 0; lane < LaneSample::kLanes; ++lane) {
        const std::size_t comma = text.find(',');
        // As many commas as lie between 32 entries.
        if ((comma == std::string_view::npos) != (lane == LaneSample::kLanes - 1)) return false;
        const std::string_view entry = text.substr(0, comma);
        text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
        if (entry.empty()) continue;
        std::int64_t& address = sample.address[lane];
        const auto [end, error] = std::from_chars(entry.data(), entry.data() + entry.size(), address);
        if (error != std::errc{} || end != entry.data() + entry.size() || address < 0 || address > kFarthest)
            return false;
        sample.mask |= 1U << lane;
    }
    if (!sample.seen()) return false;
    lanes = std::move(sample);
    return true;
}

} // namespace dormer::session
