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

std::string tooltipOf(const session::Session& session, session::LaunchIndex launch, Resource resource) {
    std::string text = fmt::format(
        "{}: the time this kernel's work needs at the roof, divided by its duration.", title(resource));
    if (const auto roof = ceilingDuring(session, launch, resource))
        text += fmt::format("\nRoof: {}", roof->source);
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
                                   .text = metrics::forPeople(share, metrics::Unit::Ratio),
                                   .side = sideOf(resource),
                                   .tooltip = tooltipOf(session, launch, resource)});
        else
            result.idle += fmt::format("{}{}", result.idle.empty() ? "below 1 %: " : ", ", title(resource));
    }
    return result;
}

} // namespace dormer::view::details
