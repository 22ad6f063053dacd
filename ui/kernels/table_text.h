// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/kernels/kernel_table_model.h"

class QTableView;

namespace dormer::ui::kernels {

/// A metric of the catalogue as a column, in the unit that suits the groups of the hub's session. Must not
/// outlive the hub.
[[nodiscard]] ExtraColumn metricColumn(const sessions::SessionHub& hub, const metrics::Metric& metric);

/// The rows and columns of a kernel table that are shown, in their order. The marker is its word.
[[nodiscard]] view::Table shownTable(const QTableView& kernels);
/// Heads and cells as on screen, fields quoted where they have to be (RFC 4180).
[[nodiscard]] QString csvText(const view::Table& table);

} // namespace dormer::ui::kernels
