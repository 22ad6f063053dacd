// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/report/report.h"

#include <nlohmann/json.hpp>

/// What the document of a session consists of.
namespace dormer::report {

/// All but what there may be millions of: launches, transfers, memory API calls.
[[nodiscard]] nlohmann::json documentHead(const diagnosis::Diagnosis& diagnosis);
/// A launch but for its numbers: `counters` and `metrics` are empty.
[[nodiscard]] nlohmann::json launchFacts(const diagnosis::Diagnosis& diagnosis, session::LaunchIndex launch,
                                         bool withLines);

/// `work_parts[]` of a launch with tensor and scalar floating-point work.
[[nodiscard]] nlohmann::json workPartsJson(const metrics::MetricEvaluator& metrics,
                                           session::LaunchIndex launch);

/// `stalls[]`: what warps were sampled doing, kernel by kernel and instruction by instruction.
[[nodiscard]] nlohmann::json stallsJson(const session::Session& session);

} // namespace dormer::report
