// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/architecture.h"

namespace dormer::device {

/// What kernels reach of a resource: the most that any recording in samples/ did (docs/verdicts.md has the
/// table, a test works it out again).
struct PracticalRoof {
    Resource resource;
    double perSecond = 0;
    std::string_view source; ///< workload and recording that reached it
};

/// A recorded best. For SM resources, DRAM: share of the theoretical ceiling at the clock of the launch; for
/// L2 sectors per L2 clock of the whole chip, since more slices do not widen the way to the SMs.
struct RecordedBest {
    std::int32_t computeCapabilityMajor, computeCapabilityMinor;
    Resource resource;
    double best = 0;
    std::string_view source;
};
[[nodiscard]] std::span<const RecordedBest> recordedBests();

/// Absent where none was recorded on the device's architecture, or a clock is not known. `theoretical`: the
/// ceiling at `clocks`, per second.
[[nodiscard]] std::optional<PracticalRoof> practicalRoof(const session::Device& device, Resource resource,
                                                         double theoretical, const Clocks& clocks);

/// Share of the device's SMs that work while a grid of at most one wave runs: blocks per SM on average over
/// blocks on the fullest SM, which ends last. 1 for more than a wave, and where the SMs are not known.
/// `waves`: absent where the resident blocks are not known.
[[nodiscard]] double workingSmShare(const session::Device& device, double blocks,
                                    std::optional<double> waves);
/// True for what each SM has of its own: all but L2 and DRAM.
[[nodiscard]] bool isPerSm(Resource resource);

} // namespace dormer::device
