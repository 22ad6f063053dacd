// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/diagnosis/parts.h"
#include "analysis/findings/finding.h"

namespace dormer::diagnosis {

/// A finding of the launches of a group. Words, places and gainNs are those of the launch in which it costs
/// most.
struct GroupFinding : findings::Finding {
    session::LaunchIndex launch{};       ///< that launch
    std::size_t launches = 0;            ///< that have it
    std::optional<double> totalGainNs{}; ///< over all launches of the group; absent without an estimate
    /// "in 1 of 10 launches, worst: launch 7": where not all launches are alike; else empty. Launches are
    /// numbered from 1 in launch order, as the app does.
    std::string scope{};
};

/// A part of a group with what was found in its representative.
struct JudgedPart {
    GroupPart part;
    Traits traits;
    std::string verdict; ///< headline
    std::vector<findings::Finding> findings;
};

/// Findings of all parts: equal ones are one, whose savings are the sum over the parts, each scaled from its
/// representative by time. The largest savings first. Where parts differ in verdict, in sectors per request
/// or by more than 2x in time, and those that do take 5 % of the time, a finding says so.
[[nodiscard]] std::vector<GroupFinding> groupFindings(const session::Session& session,
                                                      const metrics::LaunchGroup& group,
                                                      std::vector<JudgedPart> parts);

} // namespace dormer::diagnosis
