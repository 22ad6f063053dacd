// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/finding.h"
#include "analysis/gain.h"

namespace dormer::analysis {

/// What every check looks at.
struct FindingContext {
    const MetricEvaluator& metrics;
    LaunchIndex launch;
    const Verdict& verdict;
    std::vector<Finding>& out;

    [[nodiscard]] std::optional<double> value(std::string_view metric) const {
        return metrics.value(launch, metric);
    }
    [[nodiscard]] std::optional<double> utilization(Resource resource) const {
        return verdict.utilization[static_cast<std::size_t>(resource)];
    }
    /// True when `resource` is what holds the launch up, so that less of it means less time.
    [[nodiscard]] bool boundAt(Resource resource) const;
    /// What the launch would win without a fault.
    [[nodiscard]] GainModel gain() const { return {metrics, launch, verdict}; }
};

void checkGlobalAccess(const FindingContext& context);
void checkBankConflicts(const FindingContext& context);
void checkLocalMemory(const FindingContext& context);
void checkAtomics(const FindingContext& context);

void checkGrid(const FindingContext& context);
void checkOccupancy(const FindingContext& context);
void checkDivergence(const FindingContext& context);
void checkWeakFp64(const FindingContext& context);

void checkConsistency(const FindingContext& context);

} // namespace dormer::analysis
