// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/group_finding.h"

#include "analysis/findings/finding_catalogue.h"
#include "analysis/metrics/format.h"
#include "analysis/metrics/launch_facts.h"

#include <fmt/format.h>

#include <algorithm>

namespace dormer::diagnosis {

using findings::Finding;
using session::Session;

namespace {

/// Launches that differ and take less of their group's time are not worth a word.
constexpr double kWorthTelling = 0.05;

std::size_t numberOf(session::LaunchIndex launch) {
    return raw(launch) + std::size_t{1};
}

/// Over all launches of the part, which last as long as they do.
std::optional<double> gainOf(const Session& session, const GroupPart& part, const Finding& finding) {
    const auto duration = metrics::plausibleDurationNs(session.launch(part.representative));
    if (!finding.gainNs || !duration) return std::nullopt;
    return *finding.gainNs / *duration * part.totalNs;
}

/// A finding, and the part where it costs most.
struct Merged {
    GroupFinding finding;
    double worst = 0; ///< ns that it costs there; without an estimate the part's time
};

void merge(std::vector<Merged>& all, const JudgedPart& judged, const Finding& found,
           std::optional<double> gain) {
    const double weight = gain.value_or(judged.part.totalNs);
    auto same = std::ranges::find_if(all, [&](const Merged& each) {
        return each.finding.code == found.code && each.finding.title == found.title &&
               each.finding.gainNs.has_value() == found.gainNs.has_value();
    });
    if (same == all.end()) {
        all.push_back({GroupFinding{found, judged.part.longest}, weight});
        same = std::prev(all.end());
    } else if (weight > same->worst) {
        static_cast<Finding&>(same->finding) = found;
        same->finding.launch = judged.part.longest;
        same->worst = weight;
    }
    same->finding.launches += judged.part.launches;
    if (gain) same->finding.totalGainNs = same->finding.totalGainNs.value_or(0) + *gain;
}

std::string launchesText(std::size_t count) {
    return fmt::format("{} {}", count, count == 1 ? "launch" : "launches");
}

/// "4 / 32" where loads, then stores are known.
std::string sectorsText(const Traits& traits) {
    std::string text;
    for (const auto& [name, value] :
         {std::pair{"load", traits.sectorsPerRequest[0]}, std::pair{"store", traits.sectorsPerRequest[1]}})
        if (value > 0)
            text += fmt::format("{}{} sectors/{}", text.empty() ? "" : ", ",
                                metrics::forPeople(static_cast<double>(value), metrics::Unit::Count), name);
    return text;
}

std::string describe(const JudgedPart& judged, bool sectors, bool verdicts) {
    const GroupPart& part = judged.part;
    std::string text = fmt::format("{} {} in total",
                                   part.launches == 1 ? fmt::format("launch {}:", numberOf(part.longest))
                                                      : launchesText(part.launches) + ":",
                                   metrics::forPeople(part.totalNs, metrics::Unit::Nanoseconds));
    if (part.launches > 1) text += fmt::format(", longest: launch {}", numberOf(part.longest));
    if (sectors && !sectorsText(judged.traits).empty()) text += ", " + sectorsText(judged.traits);
    if (verdicts) text += ", " + judged.verdict;
    return text;
}

/// How the launches differ, the most time first; empty where they don't.
std::string differences(const metrics::LaunchGroup& group, const std::vector<JudgedPart>& parts) {
    const JudgedPart& most = parts.front();
    bool sectors = false, times = false, verdicts = false;
    std::vector<const JudgedPart*> told{&most};
    for (const JudgedPart& each : std::span(parts).subspan(1)) {
        const bool otherSectors = sectorsDiffer(each.traits, most.traits);
        const bool otherTime = timesDiffer(each.traits, most.traits);
        const bool otherVerdict = each.verdict != most.verdict;
        if (each.part.totalNs < kWorthTelling * group.totalNs || !(otherSectors || otherTime || otherVerdict))
            continue;
        told.push_back(&each);
        sectors = sectors || otherSectors;
        times = times || otherTime;
        verdicts = verdicts || otherVerdict;
    }
    if (told.size() < 2) return {};
    std::string text;
    for (const auto& [differ, what] :
         {std::pair{times, "time"}, std::pair{sectors, "sectors/request"}, std::pair{verdicts, "verdict"}})
        if (differ) text += (text.empty() ? "" : ", ") + std::string(what);
    text = fmt::format("{} of this kernel and configuration differ in {}",
                       launchesText(group.launches.size()), text);
    for (const JudgedPart* each : told)
        text += "; " + describe(*each, sectors, verdicts);
    const auto slowest =
        std::ranges::max_element(told, {}, [](const JudgedPart* each) { return each->traits.ns; });
    return text + fmt::format("; worst: launch {}", numberOf((*slowest)->part.longest));
}

} // namespace

std::vector<GroupFinding> groupFindings(const Session& session, const metrics::LaunchGroup& group,
                                        std::vector<JudgedPart> parts) {
    std::vector<Merged> merged;
    for (const JudgedPart& judged : parts)
        for (const Finding& found : judged.findings)
            merge(merged, judged, found, gainOf(session, judged.part, found));
    std::vector<GroupFinding> all;
    for (Merged& each : merged) {
        GroupFinding& finding = all.emplace_back(std::move(each.finding));
        if (parts.size() > 1 && finding.launches < group.launches.size())
            finding.scope = fmt::format("in {} of {} launches, worst: launch {}", finding.launches,
                                        group.launches.size(), numberOf(finding.launch));
    }
    if (const std::string text = parts.size() > 1 ? differences(group, parts) : ""; !text.empty())
        all.push_back({findings::makeFinding(findings::FindingKind::LaunchesDiffer, text, std::nullopt),
                       parts.front().part.longest, group.launches.size()});
    std::ranges::stable_sort(all, std::greater{},
                             [](const GroupFinding& each) { return each.totalGainNs.value_or(0); });
    return all;
}

} // namespace dormer::diagnosis
