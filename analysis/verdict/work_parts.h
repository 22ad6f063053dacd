// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/ceiling.h"
#include "analysis/metrics/metric.h"
#include "analysis/verdict/roofline.h"

#include <optional>
#include <string>
#include <vector>

/// Tensor and scalar work of one kernel apart: each has a roof of its own.
namespace dormer::verdict {

/// One kind of a launch's work: of the tensor cores by number format, or FP32, FP64, FP16 outside of them.
struct WorkPart {
    device::Resource resource{};
    device::TensorFormat format{}; ///< of tensor work
    std::string name;              ///< "FP16 tensor", "FP32"
    double operations = 0;
    double rate = 0;                     ///< operations per second
    std::optional<device::Ceiling> roof; ///< the measured one if there is one
    /// Of the roof, 1 for all of it; absent where no roof is known.
    [[nodiscard]] std::optional<double> share() const;
};
/// Parts of a launch that did tensor work and scalar floating-point work, tensor first. Empty where it did
/// only one of both, or the counters don't tell.
[[nodiscard]] std::vector<WorkPart> workParts(const metrics::MetricEvaluator& metrics,
                                              session::LaunchIndex launch);

/// Bytes that a launch moved at a level; absent where they were not counted, or none were.
[[nodiscard]] std::optional<double> bytesAt(const metrics::MetricEvaluator& metrics,
                                            session::LaunchIndex launch, MemoryLevel level);

} // namespace dormer::verdict
