// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/metrics/group.h"
#include "analysis/metrics/metric.h"

#include <array>

namespace dormer::diagnosis {

/// What tells whether two launches of a group do the same: duration in ns, sectors per request of global
/// loads and stores, and the rates at which they move DRAM bytes, issue and pass through shared memory. What
/// was not collected is NaN. Floats: long sessions keep it for every launch.
struct Traits {
    float ns = 0;
    std::array<float, 2> sectorsPerRequest{};
    std::array<float, 3> rates{};
};

[[nodiscard]] Traits traitsOf(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch);

/// True where the sectors per request of either loads or stores are farther apart than 5 %. What is not
/// known does not differ.
[[nodiscard]] bool sectorsDiffer(const Traits& one, const Traits& other);
/// True where one took more than twice as long as the other.
[[nodiscard]] bool timesDiffer(const Traits& one, const Traits& other);

/// Launches of a group that do the same.
struct GroupPart {
    session::LaunchIndex representative{}; ///< the counted launch of median duration
    session::LaunchIndex longest{};
    std::size_t launches = 0;
    double totalNs = 0;
};

/// A group's launches by what they do, compared with the group's representative: those that took up to twice
/// or half its time, from there by powers of two, with equal sectors per request and rates within 1.5 times.
/// The most time first; of more than kMostParts the rest is counted with the first. Linear in launches.
/// `traits` by launch of the session.
[[nodiscard]] std::vector<GroupPart>
partsOf(const session::Session& session, const metrics::LaunchGroup& group, std::span<const Traits> traits);
inline constexpr std::size_t kMostParts = 16;

} // namespace dormer::diagnosis
