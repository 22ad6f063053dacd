// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/view/kernel_rows.h"

#include <array>

namespace dormer::view {

/// What stands first in a report: what bounds the GPU's time.
struct ReportSummary {
    struct Share {
        verdict::Bound bound = verdict::Bound::Unknown;
        std::size_t kernels = 0;
        double ns = 0;
        double share = 0; ///< of all GPU time
    };
    std::vector<Share> shares; ///< bounds that occur, most time first
    std::string sentence;      ///< "Memory bounds 83 % of the GPU time: 5 of 7 kernels."
};

[[nodiscard]] ReportSummary summarize(const KernelRows& rows);

/// How the numbers were taken, as pairs of what and value: program, host, device, driver, clocks, counter
/// set, passes, cache control, date.
[[nodiscard]] std::vector<std::pair<std::string, std::string>>
reportFacts(const metrics::MetricEvaluator& metrics);

/// How the counters of a process were got on a GPU: "in 5 passes", "sampled at intervals of 5.00 µs or more",
/// "none: timing only".
[[nodiscard]] std::string howCounted(const session::Process& process);

} // namespace dormer::view
