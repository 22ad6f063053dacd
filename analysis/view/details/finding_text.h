// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/diagnosis/group_finding.h"

namespace dormer::view::details {

/// A line of a finding in words.
struct FindingPlaceText {
    findings::FindingPlace at;
    std::string evidence; ///< "62 % · load: 32 sectors/request (ideal 4)"; may be empty
    std::string inlined;  ///< "inlined at load.h:12 < main.cu:40"; empty where it was not
};

/// A finding of one launch as the details show it.
struct FindingText {
    std::string title;
    std::string savings{}; ///< "−3.85 ms per launch · ×2.1"; empty without an estimate
    std::string evidence;
    std::string advice;
    std::vector<FindingPlaceText> places{}; ///< the worst few
    std::string morePlaces{};               ///< "and 3 more lines"; empty when all are there
};
inline constexpr std::string_view kFindingSavingsTip = "Estimated savings per launch, and estimated speedup";

/// `launchNs`: duration of the launch, absent when it was not timed.
[[nodiscard]] FindingText findingText(const findings::Finding& finding, std::optional<double> launchNs);
/// Of a group: for the launch in which it costs most, and in how many it is found.
[[nodiscard]] FindingText findingText(const session::Session& session,
                                      const diagnosis::GroupFinding& finding);

/// "Recommendations (5)"
[[nodiscard]] std::string recommendationsHeading(std::size_t count);

} // namespace dormer::view::details
