// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/verdict/verdict.h"

#include <array>

namespace dormer::view {

/// How a verdict looks and is called everywhere: colour and shape always together, so that neither is needed
/// alone.
struct VerdictMark {
    std::string_view word;     ///< "memory-bound"
    std::string_view symbol;   ///< "●", one column wide
    std::string_view cssClass; ///< "memory"
    std::string_view light;    ///< "#rrggbb" on a light ground
    std::string_view dark;     ///< and on a dark one
};

[[nodiscard]] const VerdictMark& markOf(verdict::Bound bound);

/// What a resource's utilization is coloured as: memory, compute, or latency for issue slots.
[[nodiscard]] verdict::Bound sideOf(device::Resource resource);

} // namespace dormer::view
