// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/importers/parts/range_paths.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace dormer::importers {

std::vector<std::string> pathsAt(std::vector<TimedRange> ranges, std::span<const Moment> moments) {
    // Of those that begin together the longer one is outside.
    std::ranges::sort(ranges, {},
                      [](const TimedRange& r) { return std::tuple(r.track, r.startNs, -r.endNs); });
    std::vector<std::size_t> order(moments.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return std::tuple(moments[i].track, moments[i].ns); });

    std::vector<std::string> paths(moments.size());
    std::vector<const TimedRange*> open;
    std::size_t next = 0;
    for (const std::size_t i : order) {
        const Moment& moment = moments[i];
        while (next < ranges.size() &&
               std::tuple(ranges[next].track, ranges[next].startNs) <= std::tuple(moment.track, moment.ns))
            open.push_back(&ranges[next++]);
        std::erase_if(open,
                      [&](const TimedRange* r) { return r->track != moment.track || r->endNs < moment.ns; });
        for (const TimedRange* range : open)
            paths[i] += (paths[i].empty() ? "" : " > ") + range->name;
    }
    return paths;
}

} // namespace dormer::importers
