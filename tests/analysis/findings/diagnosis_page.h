// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/analysis/findings/diagnosis_pairs.h"

#include <span>
#include <string_view>

namespace dormer::tests {

/// Faults whose estimates matter most, each with a pair of the suite.
struct EssentialPair {
    std::string_view fault, workload;
};
[[nodiscard]] std::span<const EssentialPair> essentialPairs();

/// Why a workload's estimate is far off, or its fault out of sight; empty when nobody has said.
[[nodiscard]] std::string_view whyOf(std::string_view workload);
/// Why a workload that is registered as good has a finding all the same; empty when it should not.
[[nodiscard]] std::string_view excuseOf(const FalseAlarm& alarm);

/// Pairs whose fault is not in what the recording holds: left out of tables and medians, and listed apart.
[[nodiscard]] bool isApart(const FaultPair& pair);
/// Estimates further off than this are explained.
inline constexpr double kFarOff = 0.4;

/// Sweeps whose points differ in how many warps fit, and that no link to a better workload joins.
[[nodiscard]] std::span<const std::string_view> occupancySweeps();

/// The generated part of docs/diagnosis.md, from both recordings.
[[nodiscard]] std::string diagnosisPage(const session::Session& suite, const session::Session& small);

} // namespace dormer::tests
