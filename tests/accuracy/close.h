// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/accuracy/pairs.h"

#include <optional>

namespace dormer::accuracy {

/// The bars: what the caches' and the time model's numbers may be off.
inline constexpr double kL1Points = 0.05, kL2Points = 0.10, kDramShare = 0.15, kMedianTime = 0.25,
                        kSameSide = 0.95;

/// A modelled number against the median of the recorded launches.
struct Modelled {
    double recorded = 0, emulated = 0;
    bool judged = true; ///< false: too little happened for the number to mean anything
    [[nodiscard]] double difference() const { return emulated - recorded; }
    [[nodiscard]] double share() const { return emulated / recorded - 1; }
};

struct CloseRow {
    std::string label;
    std::optional<Modelled> l1HitRate, l2HitRate, dramBytes, durationNs;
    std::string recordedVerdict, emulatedVerdict; ///< "memory", …
    std::string recordedHeadline;
};

struct CloseResult {
    std::vector<CloseRow> rows;
    double medianTimeError = 0;      ///< of the absolute shares
    double sameSide = 0;             ///< share of the kernels with the recorded verdict
    std::vector<std::string> missed; ///< bars that are missed, in words
};

[[nodiscard]] CloseResult compareModels(const session::Session& recorded, const session::Session& emulated,
                                        const Pairs& pairs);

} // namespace dormer::accuracy
