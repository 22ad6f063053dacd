// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace dormer::view::plot {

/// An axis of numbers, linear or logarithmic, onto the interval from 0 to 1.
struct PlotAxis {
    double low = 0, high = 1; ///< low < high; low > 0 where logarithmic
    bool logarithmic = false;
    std::vector<double> ticks; ///< ascending, within [low, high]

    /// Where a value lies: 0 at `low`, 1 at `high`.
    [[nodiscard]] double fraction(double value) const;
    /// The same axis with room at its ends, in shares of its length.
    [[nodiscard]] PlotAxis padded(double below, double above) const;
};

/// Axis of the values measured. Linear ones begin at zero, so that lengths compare as the values do, unless
/// there are negative values; values that metrics::spansDecades() get whole decades. Without any finite value
/// it is [0, 1].
[[nodiscard]] PlotAxis valueAxis(std::span<const double> values);
/// Axis of a parameter: from its least to its greatest value, a tick at each value that occurs.
[[nodiscard]] PlotAxis parameterAxis(std::span<const double> values, bool logarithmic);

} // namespace dormer::view::plot
