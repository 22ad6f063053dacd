// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/verdict.h"

namespace dormer::analysis {

/// Something wrong with a launch that can be named, with what it costs and what to do.
struct Finding {
    std::string code;     ///< "uncoalesced-global-access"
    std::string title;    ///< "Uncoalesced global access"
    std::string evidence; ///< one sentence with the numbers
    std::string advice;   ///< what to change
    std::optional<double>
        gainNs; ///< estimated time to be won from this launch; absent when no estimate is honest
};

/// Findings of one launch from its counters, largest gain first. Thresholds are those of docs/metrics.md.
[[nodiscard]] std::vector<Finding> findings(const MetricEvaluator& metrics, LaunchIndex launch,
                                            const Verdict& verdict);

} // namespace dormer::analysis
