// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/architecture.h"
#include "analysis/device/ceiling.h"
#include "analysis/metrics/metric.h"

#include <array>

namespace dormer::verdict {

/// What counts as work on the chart's vertical axis.
enum class Work { Fp32, Fp64, Tensor, IntegerAndFp, WarpInstructions };
inline constexpr std::array kWorks = {Work::Fp32, Work::Fp64, Work::Tensor, Work::IntegerAndFp,
                                      Work::WarpInstructions};
/// Which level's bytes stand on the horizontal axis.
enum class MemoryLevel { Dram, L2, L1, Shared };

[[nodiscard]] std::string_view
toString(Work work);                             ///< "fp32", "fp64", "tensor", "int_fp", "warp_instructions"
[[nodiscard]] std::string_view title(Work work); ///< "FP32", "FP64", "tensor", "all ops", "warp instructions"
[[nodiscard]] std::string_view toString(MemoryLevel level); ///< "dram", ...
[[nodiscard]] std::string_view title(MemoryLevel level);    ///< "DRAM", ...

struct RooflinePoint {
    session::LaunchIndex launch{};
    double intensity = 0; ///< work per byte
    double rate = 0;      ///< work per second
    double durationNs = 0;
};

struct Roofline {
    Work work = Work::Fp32;
    MemoryLevel level = MemoryLevel::Dram;
    std::vector<device::Ceiling> memory; ///< of the chosen level, bytes/s; theoretical first
    /// Of the chosen work, theoretical first, then the highest. Tensor: those of the formats that launches
    /// used, of FP16 when no launch says.
    std::vector<device::Ceiling> compute;
    std::optional<double> ridge; ///< compute / memory of the theoretical pair
    std::vector<RooflinePoint> points;
    std::vector<session::LaunchIndex>
        withoutWork; ///< no such work, or no bytes at this level: shown at the edge, never dropped
    std::vector<session::LaunchIndex> unknown; ///< a counter it needs was not collected
};

/// Chart of a session for one kind of work and one memory level, for the launches of the session's first
/// device (or `device`, an index into Session::devices()). Pure function of the session.
[[nodiscard]] Roofline roofline(const metrics::MetricEvaluator& metrics, Work work, MemoryLevel level,
                                std::size_t device = 0);

/// Where one launch stands: for charts that grow. nullopt when counters are missing; rate 0 when it did no
/// such work or moved nothing at this level.
[[nodiscard]] std::optional<RooflinePoint> rooflinePoint(const metrics::MetricEvaluator& metrics,
                                                         session::LaunchIndex launch, Work work,
                                                         MemoryLevel level);

/// Seconds that a launch's tensor work takes at the ceilings of its formats; nullopt when it was not counted
/// or the device's ceilings are not known.
[[nodiscard]] std::optional<double> tensorSeconds(const metrics::MetricEvaluator& metrics,
                                                  session::LaunchIndex launch, const session::Device& device,
                                                  const device::Clocks& clocks);

/// The work a launch is best judged by: the floating-point or tensor kind that takes most time at its
/// ceiling, else all ops. Tensor, too, where tensor instructions ran that no counter tells the operations of.
[[nodiscard]] Work dominantWork(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch);

} // namespace dormer::verdict
