// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/metrics/sweep.h"

#include <functional>

namespace dormer::report {

struct SweepDrawing {
    double width = 900;
    double height = 320; ///< of a plot over an axis; bars take what they need
    /// Row of the kernel table that a point's workload has, for the page's selection; may be empty.
    std::function<std::optional<std::size_t>(const std::string& workload)> rowOf;
};

/// Plot of a sweep's first metric as an `svg` element in the roofline's colours and type: points over an axis
/// of numbers, or bars. Empty when there is nothing to plot.
[[nodiscard]] std::string drawSweep(const metrics::SweepTable& table, const SweepDrawing& drawing);

} // namespace dormer::report
