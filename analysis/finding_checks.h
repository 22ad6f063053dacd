// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/finding.h"

#include <initializer_list>

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
    /// Time won when a share of the bound disappears: what is left can't get shorter than the other resources
    /// need at their ceilings. `shrinking` ones are part of what disappears.
    [[nodiscard]] std::optional<double> gainOf(double share, std::initializer_list<Resource> shrinking) const;
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
