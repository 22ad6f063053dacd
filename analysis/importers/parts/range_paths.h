// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dormer::importers {

/// A named stretch of time of one thread, or of a whole process.
struct TimedRange {
    std::uint64_t track = 0; ///< which thread or process
    std::int64_t startNs = 0, endNs = 0;
    std::string name;
};

struct Moment {
    std::uint64_t track = 0;
    std::int64_t ns = 0;
};

/// For each moment the names of its track's ranges that are open then, the one that began first in front,
/// joined by " > ". Both ends belong to a range. Ranges need not nest.
[[nodiscard]] std::vector<std::string> pathsAt(std::vector<TimedRange> ranges,
                                               std::span<const Moment> moments);

} // namespace dormer::importers
