// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/verdict/verdict.h"

#include <QString>

#include <optional>
#include <string_view>

namespace dormer::ui::look {

/// Sectors a warp's request moved and would have moved had its lanes been neighbours, of the worse of a
/// launch's global loads and stores.
struct SectorsPerRequest {
    double actual = 0;
    std::optional<double> ideal;
    bool ofStores = false;
};
[[nodiscard]] std::optional<SectorsPerRequest> sectorsPerRequest(const metrics::MetricEvaluator& metrics,
                                                                 session::LaunchIndex launch);

/// Title and meaning of a catalogue metric as a tooltip's rich text; empty when there is no such metric.
[[nodiscard]] QString definitionOf(std::string_view metric);
/// "not collected: NAME", in plain words for a tooltip.
[[nodiscard]] QString missingReason(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch,
                                    std::string_view metric);
/// A dash, as shown for numbers that are not known.
[[nodiscard]] QString dash();
/// `value` with this many decimals, '.' and no digit grouping, as columns need it.
[[nodiscard]] QString fixed(double value, int decimals);

} // namespace dormer::ui::look
