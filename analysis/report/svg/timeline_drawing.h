// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/diagnosis/diagnosis.h"
#include "analysis/view/timeline/timeline.h"

#include <functional>

namespace dormer::report {

struct TimelineDrawing {
    double width = 1100;
    std::size_t mostRows = 24;
    /// Row of the kernel table that a launch belongs to, for the page's selection; may be empty.
    std::function<std::optional<std::size_t>(session::LaunchIndex launch)> rowOf;
};

/// All of a timeline as an `svg` element in the page's colours. Of more rows than `mostRows` the first are
/// drawn.
[[nodiscard]] std::string drawTimeline(const diagnosis::Diagnosis& diagnosis,
                                       const view::timeline::Timeline& timeline,
                                       const TimelineDrawing& drawing);

} // namespace dormer::report
