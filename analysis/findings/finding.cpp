// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/findings/finding_checks.h"

#include <algorithm>

namespace dormer::findings {

bool FindingContext::boundAt(device::Resource resource) const {
    const bool bound = verdict.bound == verdict::Bound::Memory || verdict.bound == verdict::Bound::Compute ||
                       verdict.bound == verdict::Bound::Balanced;
    return bound && verdict.resource == resource;
}

std::vector<Finding> findings(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch,
                              const verdict::Verdict& verdict, std::span<const session::LineCounts> lines) {
    std::vector<Finding> found;
    const FindingContext context{metrics, launch, verdict, found, lines};
    for (const auto check : {checkGlobalAccess, checkBroadcasts, checkBankConflicts, checkLocalMemory,
                             checkHostMemory, checkAtomics, checkGrid, checkOccupancy, checkDivergence,
                             checkWeakFp64, checkUnfusedArithmetic, checkIdleTensorCores, checkConsistency})
        check(context);
    // In the order of the checks where gains are equal or not known.
    std::ranges::stable_sort(found, std::greater{},
                             [](const Finding& each) { return each.gainNs.value_or(0); });
    return found;
}

} // namespace dormer::findings
