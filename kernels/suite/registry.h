// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/workload.h"

#include <span>

namespace dormer::kernels {

/// Every family of the suite, in the order of `dormer list`. Touches no GPU.
[[nodiscard]] std::span<const Family> families();

/// One variant's place in the registry.
struct Selected {
    std::size_t family = 0;
    std::size_t group = 0;
    std::size_t variant = 0;
    auto operator<=>(const Selected&) const = default;
};
[[nodiscard]] const Variant& variantOf(const Selected& place);
/// "vector_sum/coalesced"
[[nodiscard]] std::string pathOf(const Selected& place);
/// All variants, in registry order.
[[nodiscard]] std::vector<Selected> everything();

} // namespace dormer::kernels
