// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/lines/conflict_ways.h"

#include <algorithm>

namespace dormer::lines {

namespace {

std::optional<double> waysOfLines(std::span<const session::LineCounts> lines, session::MemoryOperation op) {
    double wavefronts = 0, ideal = 0;
    for (const session::LineCounts& line : lines) {
        if (line.space != session::MemorySpace::Shared || line.op != op || !line.wavefronts ||
            !line.wavefrontsIdeal)
            continue;
        wavefronts += static_cast<double>(*line.wavefronts);
        ideal += static_cast<double>(*line.wavefrontsIdeal);
    }
    return ideal > 0 ? std::optional(wavefronts / ideal) : std::nullopt;
}

} // namespace

std::optional<double> conflictWays(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch) {
    const auto lines = metrics.session().lines(launch);
    // An absent one compares as the least.
    const auto byLines = std::max(waysOfLines(lines, session::MemoryOperation::Load),
                                  waysOfLines(lines, session::MemoryOperation::Store));
    if (byLines) return byLines;
    return std::max(metrics.value(launch, "shared_load_ways"), metrics.value(launch, "shared_store_ways"));
}

} // namespace dormer::lines
