// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/parts.h"

#include "analysis/metrics/launch_facts.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace dormer::diagnosis {

using session::LaunchIndex;

namespace {

constexpr float kSameSectors = 1.05F;
constexpr float kSameRate = 1.5F;

/// Steps of `base` from one to the other; 0 within one step, and where either is not known or nothing.
int steps(float value, float from, float base) {
    if (!(value > 0) || !(from > 0)) return 0;
    const float ratio = value / from;
    // Most launches are like the group's: no logarithm for them.
    return ratio <= base && ratio * base >= 1 ? 0 : static_cast<int>(std::log(ratio) / std::log(base));
}

using Key = std::array<int, 6>;

Key keyOf(const Traits& traits, const Traits& from) {
    Key key{steps(traits.ns, from.ns, 2)};
    std::size_t at = 1;
    for (std::size_t i = 0; i < traits.sectorsPerRequest.size(); ++i)
        key[at++] = steps(traits.sectorsPerRequest[i], from.sectorsPerRequest[i], kSameSectors);
    for (std::size_t i = 0; i < traits.rates.size(); ++i)
        key[at++] = steps(traits.rates[i], from.rates[i], kSameRate);
    return key;
}

LaunchIndex longestOf(const std::vector<LaunchIndex>& launches, std::span<const Traits> traits) {
    return *std::ranges::max_element(launches, {}, [&](LaunchIndex each) {
        const float ns = traits[raw(each)].ns;
        return std::isnan(ns) ? 0 : ns;
    });
}

GroupPart partOf(const session::Session& session, const std::vector<LaunchIndex>& launches,
                 std::span<const Traits> traits) {
    GroupPart part{metrics::medianLaunch(session, launches), longestOf(launches, traits), launches.size()};
    for (const LaunchIndex each : launches)
        part.totalNs += metrics::plausibleDurationNs(session.launch(each)).value_or(0);
    return part;
}

} // namespace

Traits traitsOf(const metrics::MetricEvaluator& metrics, LaunchIndex launch) {
    static const std::array kSectors{metrics::findMetric("global_load_sectors_per_request"),
                                     metrics::findMetric("global_store_sectors_per_request")};
    static const std::array kAmounts{metrics::findMetric("dram_bytes"),
                                     metrics::findMetric("warp_instructions_issued"),
                                     metrics::findMetric("shared_wavefronts")};
    Traits traits;
    const auto number = [&](const metrics::Metric* metric) {
        return static_cast<float>(metrics.value(launch, *metric).value_or(std::nan("")));
    };
    traits.ns = static_cast<float>(
        metrics::plausibleDurationNs(metrics.session().launch(launch)).value_or(std::nan("")));
    for (std::size_t i = 0; i < kSectors.size(); ++i)
        traits.sectorsPerRequest[i] = number(kSectors[i]);
    for (std::size_t i = 0; i < kAmounts.size(); ++i)
        traits.rates[i] = number(kAmounts[i]) / traits.ns;
    return traits;
}

bool sectorsDiffer(const Traits& one, const Traits& other) {
    return steps(one.sectorsPerRequest[0], other.sectorsPerRequest[0], kSameSectors) != 0 ||
           steps(one.sectorsPerRequest[1], other.sectorsPerRequest[1], kSameSectors) != 0;
}

bool timesDiffer(const Traits& one, const Traits& other) {
    return steps(one.ns, other.ns, 2) != 0;
}

std::vector<GroupPart> partsOf(const session::Session& session, const metrics::LaunchGroup& group,
                               std::span<const Traits> traits) {
    const Traits& from = traits[raw(group.representative)];
    const auto keyIn = [&](LaunchIndex launch) { return keyOf(traits[raw(launch)], from); };
    if (std::ranges::all_of(group.launches, [&](LaunchIndex launch) { return keyIn(launch) == Key{}; }))
        return {
            {group.representative, longestOf(group.launches, traits), group.launches.size(), group.totalNs}};
    std::map<Key, std::vector<LaunchIndex>> byKey;
    for (const LaunchIndex launch : group.launches)
        byKey[keyIn(launch)].push_back(launch);
    std::vector<GroupPart> parts;
    for (const auto& [key, launches] : byKey)
        parts.push_back(partOf(session, launches, traits));
    std::ranges::stable_sort(parts, std::greater{}, &GroupPart::totalNs);
    while (parts.size() > kMostParts) {
        parts.front().launches += parts.back().launches;
        parts.front().totalNs += parts.back().totalNs;
        parts.pop_back();
    }
    return parts;
}

} // namespace dormer::diagnosis
