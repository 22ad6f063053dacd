// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/view/plot/roof_geometry.h"

/// The hierarchical roofline: one kernel at every memory level on the chart of one of them.
namespace dormer::view::plot {

/// Work is the same at every level, so the places differ in intensity alone.
struct LevelLine {
    struct Stop {
        verdict::MemoryLevel level{};
        double intensity = 0; ///< work per byte of the level
    };
    double rate = 0; ///< work per second
    std::vector<Stop>
        stops; ///< by ascending intensity; levels that moved nothing, or were not counted, are left out
};
/// Empty where the launch did no such work.
[[nodiscard]] LevelLine levelLine(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch,
                                  verdict::Work work);

/// The roof of a level, the measured one if there is one; or of two whose roofs lie on each other.
struct LevelRoof {
    verdict::MemoryLevel level{};
    Roof roof;         ///< its slope; flat where the chart's own roof is
    std::string label; ///< "L2 5.51 TB/s", "shared memory / L1 33.1 TB/s"
};
/// Roofs of the levels that the chart is not about. `device` is an index into Session::devices().
[[nodiscard]] std::vector<LevelRoof> levelRoofs(const session::Session& session, verdict::Work work,
                                                verdict::MemoryLevel chart, std::size_t device);

} // namespace dormer::view::plot
