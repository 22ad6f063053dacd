// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/access/excess.h"
#include "analysis/findings/finding_catalogue.h"
#include "analysis/gains/gain.h"

namespace dormer::findings {

/// What has less than this share of a launch's accesses is not reported.
inline constexpr double kNegligible = 0.01;

/// What every check looks at.
struct FindingContext {
    const metrics::MetricEvaluator& metrics;
    session::LaunchIndex launch;
    const verdict::Verdict& verdict;
    std::vector<Finding>& out;
    /// Counts per instruction of this launch or of the same signature; empty without.
    std::span<const session::LineCounts> lines;

    [[nodiscard]] std::optional<double> value(std::string_view metric) const {
        return metrics.value(launch, metric);
    }
    [[nodiscard]] std::optional<double> utilization(device::Resource resource) const {
        return verdict.utilization[static_cast<std::size_t>(resource)];
    }
    /// True when `resource` bounds the launch, so that less of it means less time.
    [[nodiscard]] bool boundAt(device::Resource resource) const;
    /// What the launch would save without a fault.
    [[nodiscard]] gains::GainModel gain() const { return {metrics, launch, verdict}; }
    /// Where all of it is inside a library, the advice says that it is not the user's to change.
    void add(FindingKind kind, std::string evidence, std::optional<double> gainNs,
             std::vector<FindingPlace> places = {}) const;
};

/// Which share of the global loads are of one address for all lanes, if the launch's counters are just those
/// of such loads and of coalesced ones, all of one width. Absent where they are not.
[[nodiscard]] std::optional<double> broadcastShareOfLoads(const FindingContext& context);

void checkGlobalAccess(const FindingContext& context);
void checkBroadcasts(const FindingContext& context);
void checkBankConflicts(const FindingContext& context);
void checkLocalMemory(const FindingContext& context);
void checkHostMemory(const FindingContext& context);
void checkAtomics(const FindingContext& context);
void checkConstantLoads(const FindingContext& context);
void checkAccessWidth(const FindingContext& context);
void checkWarpReuse(const FindingContext& context);
void checkSharedBound(const FindingContext& context);
void checkGridBarriers(const FindingContext& context);
/// Where grid-wide barriers are what a launch waits for, nothing else saves time: gains go, and the
/// divergence of lanes that wait.
void yieldToBarriers(std::vector<Finding>& found);

void checkGrid(const FindingContext& context);
void checkOccupancy(const FindingContext& context);

void checkDivergence(const FindingContext& context);
void checkWeakFp64(const FindingContext& context);
void checkUnfusedArithmetic(const FindingContext& context);
void checkIdleTensorCores(const FindingContext& context);

/// What warps wait for, where they were sampled.
void checkStalls(const FindingContext& context);

void checkConsistency(const FindingContext& context);

} // namespace dormer::findings
