// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/details/finding_text.h"

#include "analysis/metrics/format.h"

#include <fmt/format.h>

namespace dormer::view::details {

using findings::Finding;
using findings::FindingPlace;
using metrics::forPeople;
using metrics::Unit;

namespace {

/// More are counted, not listed: the annotated source has them all.
constexpr std::size_t kMostPlaces = 5;

std::string evidenceOf(const FindingPlace& place, bool alone) {
    std::string share = alone || place.share <= 0 ? std::string() : forPeople(place.share, Unit::Ratio);
    if (share.empty() || place.what.empty()) return share + place.what;
    return share + " · " + place.what;
}

} // namespace

FindingText findingText(const Finding& finding, std::optional<double> launchNs) {
    FindingText text{.title = finding.title, .evidence = finding.evidence, .advice = finding.advice};
    if (const auto& gain = finding.gainNs; gain && *gain > 0) {
        text.savings = fmt::format("−{} per launch", forPeople(*gain, Unit::Nanoseconds));
        if (launchNs && *launchNs > *gain)
            text.savings += fmt::format(" · ×{:.1f}", *launchNs / (*launchNs - *gain));
    }
    for (const FindingPlace& place : finding.places) {
        if (text.places.size() == kMostPlaces) break;
        text.places.push_back({.at = place,
                               .evidence = evidenceOf(place, finding.places.size() == 1),
                               .inlined = place.chain.empty() ? std::string() : "inlined at " + place.chain});
    }
    if (const std::size_t more = finding.places.size() - text.places.size(); more > 0)
        text.morePlaces = fmt::format("and {} more {}", more, more == 1 ? "line" : "lines");
    return text;
}

FindingText findingText(const session::Session& session, const diagnosis::GroupFinding& finding) {
    FindingText text = findingText(finding, session.launch(finding.launch).durationNs);
    if (!finding.scope.empty()) text.evidence += "; " + finding.scope;
    return text;
}

std::string recommendationsHeading(std::size_t count) {
    return count == 0 ? std::string("Recommendations") : fmt::format("Recommendations ({})", count);
}

} // namespace dormer::view::details
