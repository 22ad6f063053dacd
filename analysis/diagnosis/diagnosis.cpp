// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/diagnosis.h"

#include "analysis/metrics/launch_facts.h"

#include <algorithm>

namespace dormer::diagnosis {

using findings::Finding;
using session::LaunchIndex;
using session::LineCounts;
using verdict::Verdict;

namespace {

std::optional<Gain> gainFrom(double gainNs, double wholeNs) {
    if (!(gainNs > 0)) return std::nullopt;
    return Gain{gainNs, gainNs < wholeNs ? std::optional(wholeNs / (wholeNs - gainNs)) : std::nullopt};
}

template <typename T, typename... Others>
bool isOneOf(const session::Record& record) {
    return std::holds_alternative<T>(record) || (std::holds_alternative<Others>(record) || ...);
}

/// The place of an index in a vector that grows with the session.
template <typename T>
std::unique_ptr<T>& placeIn(std::vector<std::unique_ptr<T>>& all, std::size_t index, std::size_t size) {
    if (index >= all.size()) all.resize(size);
    return all[index];
}

} // namespace

Diagnosis::Diagnosis(const session::Session& session)
    : m_metrics(session), m_groups(session), m_kernels(session.kernels().size()) {}

const Verdict& Diagnosis::verdict(LaunchIndex launch) const {
    auto& kept = placeIn(m_verdicts, raw(launch), session().launches().size());
    if (!kept) kept = std::make_unique<Verdict>(verdict::judge(m_metrics, launch));
    return *kept;
}

Verdict Diagnosis::judged(LaunchIndex launch) const {
    const bool isKept = raw(launch) < m_verdicts.size() && m_verdicts[raw(launch)];
    return isKept ? *m_verdicts[raw(launch)] : verdict::judge(m_metrics, launch);
}

std::span<const LineCounts> Diagnosis::lines(LaunchIndex launch) const {
    if (const auto own = session().lines(launch); !own.empty()) return own;
    for (const LaunchIndex other : session().launchesWithLines())
        if (groupOf(other) == groupOf(launch) && !sectorsDiffer(traits(other), traits(launch)))
            return session().lines(other);
    return {};
}

std::vector<Finding> Diagnosis::findings(LaunchIndex launch) const {
    // Whether it is a representative is not asked: that would cost every launch of a live run its group.
    const std::size_t group = groupOf(launch);
    if (group < m_judged.size() && m_judged[group] && m_judged[group]->alike &&
        m_judged[group]->representative == launch)
        return {m_judged[group]->findings.begin(), m_judged[group]->findings.end()};
    return findings::findings(m_metrics, launch, judged(launch), lines(launch));
}

const Traits& Diagnosis::traits(LaunchIndex launch) const {
    // All that came since, in launch order: a counter's values lie side by side, those of a group don't.
    for (auto next = static_cast<std::uint32_t>(m_traits.size()); next < session().launches().size();
         ++next) {
        m_traits.push_back(traitsOf(m_metrics, LaunchIndex{next}));
        m_hasTraits.push_back(true);
    }
    if (!m_hasTraits[raw(launch)]) m_traits[raw(launch)] = traitsOf(m_metrics, launch);
    m_hasTraits[raw(launch)] = true;
    return m_traits[raw(launch)];
}

std::unique_ptr<Diagnosis::Judged> Diagnosis::judgeGroup(std::size_t index) const {
    const metrics::LaunchGroup& group = groups()[index];
    for (const LaunchIndex launch : group.launches)
        static_cast<void>(traits(launch));
    std::vector<JudgedPart> judged;
    for (const GroupPart& part : partsOf(session(), group, m_traits)) {
        const LaunchIndex launch = part.representative;
        judged.push_back({part, traits(launch), verdict::headline(verdict(launch)),
                          findings::findings(m_metrics, launch, verdict(launch), lines(launch))});
    }
    const bool alike = judged.size() == 1;
    auto result = std::make_unique<Judged>(
        Judged{group.representative, alike, groupFindings(session(), group, std::move(judged))});
    // Launches of which only the time is kept are taken to be as those that are known.
    if (const double keptNs = group.totalNs - group.foldedNs; group.foldedNs > 0 && keptNs > 0)
        for (GroupFinding& finding : result->findings)
            if (finding.totalGainNs) *finding.totalGainNs *= group.totalNs / keptNs;
    return result;
}

const std::vector<GroupFinding>& Diagnosis::findingsOfGroup(std::size_t group) const {
    const LaunchIndex launch = groups()[group].representative;
    auto& kept = placeIn(m_judged, group, groups().size());
    if (!kept || kept->representative != launch) kept = judgeGroup(group);
    return kept->findings;
}

std::optional<Gain> Diagnosis::gain(LaunchIndex launch) const {
    const std::vector<Finding> found = findings(launch);
    const auto duration = metrics::plausibleDurationNs(session().launch(launch));
    if (found.empty() || !duration) return std::nullopt;
    return gainFrom(found.front().gainNs.value_or(0), *duration); // they are sorted by it
}

std::optional<Gain> Diagnosis::gainOfGroup(std::size_t group) const {
    const std::vector<GroupFinding>& found = findingsOfGroup(group);
    if (found.empty()) return std::nullopt;
    return gainFrom(found.front().totalGainNs.value_or(0), groups()[group].totalNs);
}

const std::vector<ToDo>& Diagnosis::toDoList() const {
    if (!m_toDo) m_toDo = diagnosis::toDoList(*this, kMostToDos);
    return *m_toDo;
}

void Diagnosis::forget(LaunchIndex launch) {
    if (raw(launch) < m_verdicts.size()) m_verdicts[raw(launch)].reset();
    if (raw(launch) < m_hasTraits.size()) m_hasTraits[raw(launch)] = false;
}

void Diagnosis::fold(LaunchIndex like, const metrics::Folded& more) {
    m_folded += more.launches;
    m_groups.fold(like, more);
    m_toDo.reset();
    if (const std::size_t group = groupOf(like); group < m_judged.size()) m_judged[group].reset();
}

bool Diagnosis::follow(const session::Record& record, std::optional<LaunchIndex> changed) {
    m_toDo.reset();
    if (changed) {
        m_groups.update(*changed);
        forget(*changed);
        if (isOneOf<session::SignatureCounter>(record))
            std::ranges::for_each(groups()[groupOf(*changed)].launches,
                                  [this](LaunchIndex launch) { forget(launch); });
        // Its lines may stand in for those of another one of its group.
        if (const std::size_t group = groupOf(*changed); group < m_judged.size()) m_judged[group].reset();
        return false;
    }
    // Findings name source lines and look at a kernel's code.
    if (isOneOf<session::SourceFile, session::KernelCode>(record)) m_judged.clear();
    const bool saidAgain = isOneOf<session::Kernel>(record) && m_kernels == session().kernels().size();
    m_kernels = session().kernels().size();
    if (!saidAgain &&
        !isOneOf<session::ProcessStart, session::ProcessEnd, session::Device, session::MeasuredCeiling>(
            record))
        return false;
    m_groups.reset();
    m_judged.clear();
    m_verdicts.clear();
    m_hasTraits.clear();
    m_traits.clear();
    return true;
}

} // namespace dormer::diagnosis
