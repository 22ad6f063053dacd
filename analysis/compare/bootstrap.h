// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace dormer::compare {

/// Durations of one kernel, run by run: launches of a run share its clocks and its temperature.
using Runs = std::vector<std::vector<double>>;

[[nodiscard]] std::size_t launchesOf(const Runs& runs);
/// Of all runs together; of an even number the mean of the two in the middle. Precondition: not empty.
[[nodiscard]] double medianOf(const Runs& runs);

struct Interval {
    double low = 0, high = 0;
};

/// Share of the resampled ratios that lie in the interval. With five launches a side it excludes 1 for fewer
/// than 2 in 100 pairs of equal kernels, whose times spread by 2 %.
inline constexpr double kConfidence = 0.99;

/// Bootstrap percentile interval (Efron 1979) of median(fresh) / median(base): runs are drawn with
/// replacement, then launches within each, 2000 times, by a generator whose seed is fixed. Precondition: no
/// side is empty, all values are positive.
[[nodiscard]] Interval ratioInterval(const Runs& base, const Runs& fresh);

} // namespace dormer::compare
