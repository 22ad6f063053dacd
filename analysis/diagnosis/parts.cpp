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

GroupPart partOf(const session::Session& session, const std::vector<LaunchIndex>& launches) {
    GroupPart part{metrics::medianLaunch(session, launches), launches.front(), launches.size()};
    double longest = -1;
    for (const LaunchIndex each : launches) {
        const double ns = metrics::plausibleDurationNs(session.launch(each)).value_or(0);
        part.totalNs += ns;
        if (ns > longest) part.longest = each;
        longest = std::max(longest, ns);
    }
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
    std::map<Key, std::vector<LaunchIndex>> byKey;
    for (const LaunchIndex launch : group.launches)
        byKey[keyOf(traits[raw(launch)], from)].push_back(launch);
    std::vector<GroupPart> parts;
    for (const auto& [key, launches] : byKey)
        parts.push_back(partOf(session, launches));
    std::ranges::stable_sort(parts, std::greater{}, &GroupPart::totalNs);
    while (parts.size() > kMostParts) {
        parts.front().launches += parts.back().launches;
        parts.front().totalNs += parts.back().totalNs;
        parts.pop_back();
    }
    return parts;
}

} // namespace dormer::diagnosis
