// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/metrics/metric.h"

#include <span>
#include <string>
#include <string_view>

namespace dormer::view {

/// How the numbers of one column or axis are written: divided by `factor`, all with these decimals.
struct NumberScale {
    double factor = 1;
    std::string unit; ///< "µs", "GB/s", "%", "M"; empty for plain numbers
    int decimals = 0;

    [[nodiscard]] std::string text(double value) const;
    /// "duration, µs"
    [[nodiscard]] std::string titled(std::string_view title) const;
};

/// One scale for all these numbers, in SI units: the largest has one to three digits before the point, up to
/// five where the smallest would else vanish; the smallest keeps two that count, as far as three decimals go.
/// Without numbers there is no unit either.
[[nodiscard]] NumberScale scaleFor(metrics::Unit unit, std::span<const double> values);

} // namespace dormer::view
