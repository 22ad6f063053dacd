// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/metrics/metric.h"

namespace dormer::metrics {

/// Numbers for people: three significant digits, scaled unit: "61.2 µs", "3.35 TB/s", "83 %", "0.083 FLOP/B".
[[nodiscard]] std::string forPeople(double value, Unit unit);
/// The same, or a dash when absent.
[[nodiscard]] std::string forPeople(const std::optional<double>& value, Unit unit);
/// "67.0 T" with SI prefix, for axis labels and FLOP/s.
[[nodiscard]] std::string withSiPrefix(double value, int significantDigits = 3);
/// "65536", "128 x 128", "2 x 3 x 4".
[[nodiscard]] std::string forPeople(session::Dim3 dim);

} // namespace dormer::metrics
