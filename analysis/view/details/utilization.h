// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/verdict/verdict.h"

namespace dormer::view::details {

inline constexpr std::string_view kUtilizationTitle = "Utilization (% of peak)";

/// One resource's share of its roof.
struct UtilizationBar {
    std::string name;              ///< "DRAM"
    double share = 0;              ///< may pass 1: the bar then stays full and the text says so
    std::string text;              ///< "88 %"
    std::optional<double> solid{}; ///< the part in full colour, the rest pale; absent: all of it
    verdict::Bound side = verdict::Bound::Unknown; ///< colour: memory, compute or latency
    std::string tooltip{};                         ///< plain text, a line each
};

struct Utilization {
    std::vector<UtilizationBar> bars; ///< most used first
    std::string idle;                 ///< "below 1 %: FP64, L1"; empty without any
};

/// Of the resources that were counted: the three most used have bars, and all that reach 1 % of their roof.
[[nodiscard]] Utilization utilization(const session::Session& session, session::LaunchIndex launch,
                                      const verdict::Verdict& verdict);

} // namespace dormer::view::details
