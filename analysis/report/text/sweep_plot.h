// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/metrics/sweep.h"

namespace dormer::report {

/// Plot of a sweep's first metric for a terminal of so many columns: points over an axis of numbers where
/// there is one, else a bar a point. Ends with a line break.
[[nodiscard]] std::string sweepPlotText(const metrics::SweepTable& table, std::size_t columns = 80);

} // namespace dormer::report
