// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/metrics/predicted_range.h"

#include "analysis/metrics/format.h"

#include <fmt/format.h>

namespace dormer::metrics {

std::optional<PredictedRange> predictedRange(const session::Launch& launch) {
    if (!launch.durationNs || launch.durationFactor < 1) return std::nullopt;
    return PredictedRange{*launch.durationNs / launch.durationFactor,
                          *launch.durationNs * launch.durationFactor};
}

std::string predictedRangeText(const session::Launch& launch) {
    const auto range = predictedRange(launch);
    if (!range) return {};
    return fmt::format(", {} to {} in nine of ten", forPeople(range->fromNs, Unit::Nanoseconds),
                       forPeople(range->toNs, Unit::Nanoseconds));
}

} // namespace dormer::metrics
