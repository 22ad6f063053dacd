// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

namespace dormer::access {

/// Excess beyond this share of what was moved or done is worth naming (docs/metrics.md).
inline constexpr double kExcess = 0.1;

/// Whether sectors or wavefronts exceed their ideal by enough to be named.
[[nodiscard]] constexpr bool isExcess(double actual, double ideal) {
    return actual - ideal > kExcess * actual;
}
[[nodiscard]] constexpr bool isExcess(const std::optional<double>& actual,
                                      const std::optional<double>& ideal) {
    return actual && ideal && isExcess(*actual, *ideal);
}

} // namespace dormer::access
