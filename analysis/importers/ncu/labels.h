// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace dormer::importers {

/// Metric behind a label of Nsight Compute's details page, "Registers Per Thread"; the label itself where it
/// is a metric's name already. Empty for a label that is not known. Some stand for two metrics, which the
/// unit tells apart.
[[nodiscard]] std::string metricOfLabel(std::string_view label, std::string_view unit);

} // namespace dormer::importers
