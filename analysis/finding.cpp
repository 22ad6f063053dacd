// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/finding_checks.h"

#include <algorithm>

namespace dormer::analysis {

bool FindingContext::boundAt(Resource resource) const {
    const bool bound =
        verdict.bound == Bound::Memory || verdict.bound == Bound::Compute || verdict.bound == Bound::Balanced;
    return bound && verdict.resource == resource;
}

std::vector<Finding> findings(const MetricEvaluator& metrics, LaunchIndex launch, const Verdict& verdict) {
    std::vector<Finding> found;
    const FindingContext context{metrics, launch, verdict, found};
    checkGlobalAccess(context);
    checkBankConflicts(context);
    checkLocalMemory(context);
    checkAtomics(context);
    checkGrid(context);
    checkOccupancy(context);
    checkDivergence(context);
    checkWeakFp64(context);
    checkConsistency(context);
    std::ranges::stable_sort(found, std::greater{},
                             [](const Finding& each) { return each.gainNs.value_or(0); });
    return found;
}

} // namespace dormer::analysis
