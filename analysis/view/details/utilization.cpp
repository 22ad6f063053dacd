// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/details/utilization.h"

#include "analysis/metrics/format.h"
#include "analysis/view/verdict_mark.h"

#include <fmt/format.h>

#include <algorithm>

namespace dormer::view::details {

using device::Resource;

namespace {

constexpr std::size_t kAlwaysShown = 3;
constexpr double kIdle = 0.01;

std::string tooltipOf(const session::Session& session, session::LaunchIndex launch,
                      const verdict::Verdict& verdict, Resource resource) {
    std::string text = fmt::format(
        "{}: the time this kernel's work needs at the roof, divided by its duration.", title(resource));
    if (const auto roof = ceilingDuring(session, launch, resource))
        text += fmt::format("\nRoof: {}", roof->source);
    if (verdict.workingSms < 1 && device::isPerSm(resource))
        text += fmt::format("\nOf the SMs that work: {} of all.",
                            metrics::forPeople(verdict.workingSms, metrics::Unit::Ratio));
    if (resource == Resource::L2 && verdict.practicalL2)
        text += fmt::format("\nOf what L2 reaches in practice: {}.",
                            metrics::forPeople(verdict.practicalL2, metrics::Unit::Ratio));
    return text;
}

/// "39 %", or "39 % (74 % in practice)" where that is told.
std::string shareText(const verdict::Verdict& verdict, Resource resource, double share) {
    std::string text = metrics::forPeople(share, metrics::Unit::Ratio);
    if (resource == Resource::L2 && verdict.practicalL2 && share >= kIdle)
        text +=
            fmt::format(" ({} in practice)", metrics::forPeople(verdict.practicalL2, metrics::Unit::Ratio));
    return text;
}

} // namespace

Utilization utilization(const session::Session& session, session::LaunchIndex launch,
                        const verdict::Verdict& verdict) {
    std::vector<std::pair<Resource, double>> known;
    for (int i = 0; i < device::kResourceCount; ++i)
        if (const auto& share = verdict.utilization[static_cast<std::size_t>(i)])
            known.emplace_back(static_cast<Resource>(i), *share);
    std::ranges::stable_sort(known, std::greater{}, &std::pair<Resource, double>::second);
    Utilization result;
    for (const auto& [resource, share] : known) {
        if (result.bars.size() < kAlwaysShown || share >= kIdle)
            result.bars.push_back({.name = std::string(title(resource)),
                                   .share = share,
                                   .text = shareText(verdict, resource, share),
                                   .side = sideOf(resource),
                                   .tooltip = tooltipOf(session, launch, verdict, resource)});
        else
            result.idle += fmt::format("{}{}", result.idle.empty() ? "below 1 %: " : ", ", title(resource));
    }
    return result;
}

} // namespace dormer::view::details
