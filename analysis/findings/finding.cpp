// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/findings/finding_checks.h"
#include "analysis/findings/finding_places.h"

#include <fmt/format.h>

#include <algorithm>

namespace dormer::findings {

bool FindingContext::boundAt(device::Resource resource) const {
    const bool bound = verdict.bound == verdict::Bound::Memory || verdict.bound == verdict::Bound::Compute ||
                       verdict.bound == verdict::Bound::Balanced;
    return bound && verdict.resource == resource;
}

void FindingContext::add(FindingKind kind, std::string evidence, std::optional<double> gainNs,
                         std::vector<FindingPlace> places) const {
    std::string library(places.empty() ? libraryOfKernel(metrics.session().kernelOf(launch).name)
                                       : libraryOf(places.front()));
    for (const FindingPlace& place : places)
        if (libraryOf(place).empty()) library.clear();
    Finding finding = makeFinding(kind, std::move(evidence), gainNs, std::move(places));
    if (!library.empty()) {
        finding.advice = fmt::format("This is inside {}, not yours to change: choose another algorithm, item "
                                     "type or size in the call, or call it less often.",
                                     library);
        finding.gainNs.reset();
    }
    out.push_back(std::move(finding));
}

std::vector<Finding> findings(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch,
                              const verdict::Verdict& verdict, std::span<const session::LineCounts> lines) {
    std::vector<Finding> found;
    const FindingContext context{metrics, launch, verdict, found, lines};
    for (const auto check :
         {checkGridBarriers, checkGlobalAccess, checkBroadcasts, checkConstantLoads, checkAccessWidth,
          checkWarpReuse, checkBankConflicts, checkSharedBound, checkLocalMemory, checkHostMemory,
          checkAtomics, checkGrid, checkOccupancy, checkDivergence, checkWeakFp64, checkUnfusedArithmetic,
          checkIdleTensorCores, checkStalls, checkConsistency})
        check(context);
    yieldToBarriers(found);
    // In the order of the checks where gains are equal or not known.
    std::ranges::stable_sort(found, std::greater{},
                             [](const Finding& each) { return each.gainNs.value_or(0); });
    return found;
}

} // namespace dormer::findings
