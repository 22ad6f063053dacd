// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/lines/annotated_source.h"
#include "analysis/view/table.h"

#include <span>

namespace dormer::view::details {

/// The memory accesses and branches of a source line, one row each: kind, pattern, and what a warp moved
/// against the ideal. A row's key is the access's index in the source.
[[nodiscard]] Table accessTable(const lines::KernelSource& source, std::span<const std::size_t> accesses);
/// The access of most waste, then of most traffic, then the first; absent when there are none.
[[nodiscard]] std::optional<std::size_t> worstAccess(const lines::KernelSource& source,
                                                     std::span<const std::size_t> accesses);

} // namespace dormer::view::details
