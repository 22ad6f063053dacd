// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/ceiling.h"
#include "analysis/diagnosis/diagnosis.h"
#include "analysis/findings/finding_catalogue.h"
#include "analysis/metrics/metric.h"

#include <optional>
#include <string>

/// What a number, a verdict, a finding or a roof is, and what it rests on in the session on screen: pages of
/// Markdown. Links begin with what they lead to: "metric:dram_bytes", "doc:verdicts.md".
namespace dormer::view::explain {

/// A launch whose numbers are told along, of a session with this diagnosis; absent for definitions alone.
struct ExplainedLaunch {
    const diagnosis::Diagnosis* diagnosis = nullptr;
    std::optional<session::LaunchIndex> launch;
};

/// Meaning, formula, unit, Nsight Compute's name and inputs of a metric; of a launch also its value, and each
/// input's value and how it was got.
[[nodiscard]] std::string metricPage(const metrics::Metric& metric, const ExplainedLaunch& of);
/// Advice, corresponding rule, and the kernels of the session that have it.
[[nodiscard]] std::string findingPage(std::string_view code, const ExplainedLaunch& of);
/// Ceilings of a resource on each device of the session, with their sources.
[[nodiscard]] std::string roofPage(device::Resource resource, const ExplainedLaunch& of);
/// Headline and evidence of the launch, a paragraph that begins with its name; empty without one.
[[nodiscard]] std::string launchVerdict(const ExplainedLaunch& of);

/// How a counter of a launch was got: "measured on NVIDIA H100", "sampled over 12 launches, ±0.3 %".
[[nodiscard]] std::string howCounted(const session::Session& session, session::LaunchIndex launch,
                                     std::string_view counter);

} // namespace dormer::view::explain
