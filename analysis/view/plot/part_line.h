// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/verdict/work_parts.h"
#include "analysis/view/plot/chart_frame.h"

/// Tensor and scalar work of one kernel on a chart, each with a roof of its own.
namespace dormer::view::plot {

/// A launch's parts on the chart of one memory level. They move the same bytes in the same time, so all stand
/// on one line of constant bytes per second.
struct PartLine {
    struct Stop {
        std::string name;
        double intensity = 0; ///< operations per byte of the level
        double rate = 0;
        bool own = false; ///< what the chart is about: the kernel's marker stands there, or beside it
        std::optional<double> share;
        /// Flat at the part's own roof, right of where it meets the level's.
        Roof roof;
        std::string label; ///< "FP16 tensor 830 TFLOP/s"
    };
    std::vector<Stop> stops; ///< tensor first
    /// Index of what the chart is about; of several tensor formats the first.
    [[nodiscard]] std::optional<std::size_t> own() const;
};
/// Less than this share of its roof is no part of a chart: it lies below what charts show.
inline constexpr double kLeastPartShare = 0.001;
/// Empty where workParts() is, the chart does not count FLOPs, or nothing but the chart's own work is left.
[[nodiscard]] PartLine partLine(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch,
                                verdict::Work work, verdict::MemoryLevel level);

/// Where they go on a chart of so many pixels.
struct PartMarks {
    struct Mark {
        std::string name;
        Spot at;
    };
    struct Flat {
        Spot from, to;
        std::string label;
    };
    Spot from, to;           ///< the line through all parts, as far as it lies in the frame
    std::vector<Mark> marks; ///< parts other than the chart's own; each lies whole in the frame
    std::vector<Flat> flats; ///< their roofs, where in view
};
/// Absent where there is nothing to draw. `radius` is a mark's.
[[nodiscard]] std::optional<PartMarks> partMarks(const PartLine& line, const ChartFrame& frame,
                                                 double radius);

} // namespace dormer::view::plot
