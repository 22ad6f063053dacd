// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"

#include <span>

namespace dormer::metrics {

/// What formulas may use besides counters: configuration and undisturbed duration of a launch, and facts of
/// its kernel and device. Their names hold a dot and no "__", so that they are neither counters nor metrics.
enum class Fact {
    DurationNs,
    GridBlocks,
    BlockThreads,
    WarpsPerBlock,
    BlocksPerSm,
    DynamicSharedBytes,
    RegistersPerThread,
    StaticSharedBytes,
    LocalBytesPerThread,
    SmCount,
    WarpSize,
    MaxWarpsPerSm,
    Fp64LanesPerSm
};

struct FactInfo {
    std::string_view name;
    Fact fact;
    std::string_view meaning;
};

[[nodiscard]] std::span<const FactInfo> launchFacts();
[[nodiscard]] std::optional<Fact> factNamed(std::string_view name);
[[nodiscard]] std::optional<double> factOf(const session::Session& session, session::LaunchIndex launch,
                                           Fact fact);

/// The undisturbed duration, or nothing when it was not recorded or can't be one: zero, negative, or so long
/// that it must be an end before a start in unsigned arithmetic.
[[nodiscard]] std::optional<double> plausibleDurationNs(const session::Launch& launch);

} // namespace dormer::metrics
