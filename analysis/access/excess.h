// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

namespace dormer::access {

/// Less than this share beyond the ideal is no fault: a last warp that is part full, a row that straddles.
inline constexpr double kExcessShare = 0.1;

/// The one rule of what is excessive, for sectors, wavefronts and bytes alike: more than a tenth of the
/// actual amount is beyond the ideal one.
[[nodiscard]] constexpr bool isExcess(double actual, double ideal) {
    return actual - ideal > kExcessShare * actual;
}
/// False where either is not known.
[[nodiscard]] constexpr bool isExcess(const std::optional<double>& actual,
                                      const std::optional<double>& ideal) {
    return actual && ideal && isExcess(*actual, *ideal);
}

} // namespace dormer::access
