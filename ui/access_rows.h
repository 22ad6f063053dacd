// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/source_view.h"
#include "ui/fact_model.h"

#include <span>

namespace dormer::ui {

/// Columns of the table of a line's memory accesses and branches.
[[nodiscard]] std::vector<FactColumn> accessColumns();
/// One row each: kind, pattern, and what a warp moved against the ideal. The key is the access's index
/// in the source.
[[nodiscard]] std::vector<FactRow> accessRows(const analysis::KernelSource& source,
                                              std::span<const std::size_t> accesses);
/// The access of most waste, then of most traffic, then the first; absent when there are none.
[[nodiscard]] std::optional<std::size_t> worstAccess(const analysis::KernelSource& source,
                                                     std::span<const std::size_t> accesses);

} // namespace dormer::ui
