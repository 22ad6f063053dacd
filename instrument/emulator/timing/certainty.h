// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/chip.h"

#include <cstddef>
#include <span>
#include <string_view>

namespace dormer::emulator::timing {

/// Predictions of one kind, and how far off they are: docs/emulator-foreign.md has the kernels.
struct PredictionClass {
    double fromNs = 0;       ///< predicted time from which on it is of this kind
    double factor = 1;       ///< nine of ten are off by no more
    std::size_t kernels = 0; ///< of public programs, nothing fitted to them
};
/// By predicted time, from 0 on.
[[nodiscard]] std::span<const PredictionClass> predictionClasses();

/// Nine of ten predictions of this kind are off by no more than this factor. 0 for chips other than the H100,
/// the only one whose predictions were compared with a GPU, and for kernels that print or allocate
/// (`callsDriver`), whose time is not modelled.
[[nodiscard]] double durationFactor(const device::Chip& chip, double durationNs, bool callsDriver);

} // namespace dormer::emulator::timing
