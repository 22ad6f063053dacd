// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/access/access_class.h"

#include "analysis/access/access_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace dormer::access {

AccessClass classifyAccess(const std::int64_t* addresses, std::uint32_t mask, unsigned widthBytes) {
    std::array<std::int64_t, kWarpLanes> active{};
    std::array<unsigned, kWarpLanes> lane{};
    std::size_t count = 0;
    for (unsigned i = 0; i < kWarpLanes; ++i) {
        if ((mask >> i & 1U) == 0) continue;
        lane[count] = i;
        active[count++] = addresses[i];
    }
    if (count == 0) return {};
    std::array<std::int64_t, kWarpLanes> sorted = active;
    std::sort(sorted.begin(), sorted.begin() + count);
    if (count > 1 && sorted[0] == sorted[count - 1]) return {AccessShape::Broadcast, 0};

    const auto width = static_cast<std::int64_t>(widthBytes);
    bool sideBySide = true;
    for (std::size_t i = 1; i < count; ++i)
        sideBySide = sideBySide && sorted[i] - sorted[i - 1] == width;
    if (sideBySide) {
        const auto sector = static_cast<std::int64_t>(kSectorBytes);
        const std::int64_t bytes = static_cast<std::int64_t>(count) * width;
        const std::int64_t begin = ((sorted[0] % sector) + sector) % sector; // within its sector
        const bool needsMore = (begin + bytes + sector - 1) / sector > (bytes + sector - 1) / sector;
        return {needsMore ? AccessShape::Misaligned : AccessShape::Coalesced, 1};
    }
    // Lanes that are off leave gaps: the distance is per lane.
    const std::int64_t perLane = (active[1] - active[0]) / static_cast<std::int64_t>(lane[1] - lane[0]);
    for (std::size_t i = 1; i < count; ++i)
        if (active[i] - active[i - 1] != perLane * static_cast<std::int64_t>(lane[i] - lane[i - 1]))
            return {AccessShape::Scattered, 0};
    return {AccessShape::Strided, perLane / width};
}

std::string toString(const AccessClass& access) {
    switch (access.shape) {
    case AccessShape::None:
        return "no active lanes";
    case AccessShape::Coalesced:
        return "coalesced";
    case AccessShape::Misaligned:
        return "misaligned";
    case AccessShape::Broadcast:
        return "broadcast";
    case AccessShape::Strided:
        return fmt::format("stride of {} elements", access.stride);
    case AccessShape::Scattered:
        return "scattered";
    }
    return {};
}

} // namespace dormer::access
