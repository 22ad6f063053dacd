// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/model.h"

#include <optional>
#include <string>

namespace dormer::metrics {

/// Where the true time of a launch is in nine of ten predictions of its kind.
struct PredictedRange {
    double fromNs = 0, toNs = 0;
};
/// Absent where the time is not predicted, or nothing is known of how far off such predictions are.
[[nodiscard]] std::optional<PredictedRange> predictedRange(const session::Launch& launch);
/// ", 9.1 µs to 16.6 µs in nine of ten", behind a time; empty without a range.
[[nodiscard]] std::string predictedRangeText(const session::Launch& launch);

} // namespace dormer::metrics
