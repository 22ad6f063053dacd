// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/diagnosis/diagnosis.h"
#include "analysis/view/table.h"
#include "analysis/view/timeline/timeline.h"

namespace dormer::view::timeline {

/// "12.3 µs", "1.50 s"
[[nodiscard]] std::string timeText(double ns);
/// Times of an axis that reaches so far, all in one unit: "0", "250 µs".
[[nodiscard]] std::string tickText(double ns, double longestNs);

/// What a bar is: name, times, verdict, cause; a line each.
[[nodiscard]] std::vector<std::string> barText(const diagnosis::Diagnosis& diagnosis,
                                               const Timeline& timeline, const TimelineRow& row,
                                               const Bar& bar);
/// What can be written into a bar: a kernel's short name, the innermost range, a cause.
[[nodiscard]] std::string barLabel(const session::Session& session, const Timeline& timeline,
                                   const TimelineRow& row, const Bar& bar);
/// "62 % of 3.35 TB/s"
[[nodiscard]] std::string stepText(const TimelineRow& row, double share);

/// Where the time of each GPU went: kernels, and what it waited for, most time first.
[[nodiscard]] Table gpuTimeTable(const session::Session& session, const Timeline& timeline);

} // namespace dormer::view::timeline
