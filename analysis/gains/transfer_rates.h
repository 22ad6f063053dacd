// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace dormer::gains {

/// Time of one copy between host and device, call and all, of one size.
struct TransferRate {
    double bytes = 0;
    double ns = 0;
    std::string_view source; ///< workload of samples/h100-suite.dormer that it was recorded with
};

/// From ordinary memory, by size, smallest first.
[[nodiscard]] std::span<const TransferRate> pageableRates();
/// From page-locked memory.
[[nodiscard]] std::span<const TransferRate> pinnedRates();
/// Whose they are, for people: "an H100 SXM".
[[nodiscard]] std::string_view transferRatesOf();

/// Time of a copy of `bytes` by such a table, in ns: on a line between two sizes, no less than the smallest
/// takes, in proportion beyond the largest.
[[nodiscard]] double copyNs(std::span<const TransferRate> rates, double bytes);

} // namespace dormer::gains
