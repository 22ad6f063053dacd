// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/model.h"

#include <map>
#include <span>
#include <string_view>

namespace dormer::instrument::cupti::sass {

/// Metrics of CUPTI's SASS metrics that the counts of a line are made of, where the chip offers them. All of
/// them together take one pass.
[[nodiscard]] std::span<const std::string_view> sassLineMetrics();

/// What was counted at one instruction, by metric.
using SassValues = std::map<std::string_view, std::uint64_t>;

/// The counts of one instruction without its place; nothing for one that neither accesses memory nor
/// branches, or that did not run. Space, operation and width follow from which per-kind counter ran.
[[nodiscard]] std::optional<session::LineCounts> lineCounts(const SassValues& values);

} // namespace dormer::instrument::cupti::sass
