// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/timing/certainty.h"

#include <algorithm>
#include <array>

namespace dormer::emulator::timing {

namespace {

/// docs/emulator-foreign.md, "How sure a prediction is": made by scripts/emulator-foreign from the kernels
/// that nothing was fitted to. Of n factors by which predictions are off, the one at place 0.9 (n + 1) in
/// their order: a further kernel of the kind is off by no more with a probability of nine in ten (split
/// conformal prediction: Vovk, Gammerman, Shafer 2005).
constexpr std::array kClasses{
    PredictionClass{0, 1.35, 21},
    PredictionClass{5000, 1.47, 29},
};
constexpr std::string_view kComparedChip = "H100";

} // namespace

std::span<const PredictionClass> predictionClasses() {
    return kClasses;
}

double durationFactor(const device::Chip& chip, double durationNs, bool callsDriver) {
    if (chip.key != kComparedChip || durationNs <= 0 || callsDriver) return 0;
    const auto behind =
        std::ranges::find_if(kClasses, [&](const PredictionClass& each) { return each.fromNs > durationNs; });
    return std::prev(behind)->factor;
}

} // namespace dormer::emulator::timing
