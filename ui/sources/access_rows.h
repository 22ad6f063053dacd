// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/lines/annotated_source.h"
#include "ui/tables/fact_model.h"

#include <span>

namespace dormer::ui::sources {

/// Columns of the table of a line's memory accesses and branches.
[[nodiscard]] std::vector<tables::FactColumn> accessColumns();
/// One row each: kind, pattern, and what a warp moved against the ideal. The key is the access's index
/// in the source.
[[nodiscard]] std::vector<tables::FactRow> accessRows(const lines::KernelSource& source,
                                                      std::span<const std::size_t> accesses);
/// The access of most waste, then of most traffic, then the first; absent when there are none.
[[nodiscard]] std::optional<std::size_t> worstAccess(const lines::KernelSource& source,
                                                     std::span<const std::size_t> accesses);

} // namespace dormer::ui::sources
