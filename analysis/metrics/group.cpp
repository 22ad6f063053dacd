// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/metrics/group.h"

#include "analysis/metrics/launch_facts.h"
#include "analysis/session/names/instance_names.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <ranges>
#include <utility>

namespace dormer::metrics {

using session::LaunchIndex;
using session::LaunchSignature;
using session::Session;

namespace {

double durationOf(const Session& session, LaunchIndex launch) {
    return plausibleDurationNs(session.launch(launch)).value_or(0);
}

} // namespace

const std::vector<LaunchGroup>& LaunchGroups::all() const {
    addAll();
    if (m_namesStale) nameKernels();
    for (const std::size_t group : m_stale)
        refresh(group);
    m_stale.clear();
    return m_groups;
}

std::size_t LaunchGroups::groupOf(LaunchIndex launch) const {
    addAll();
    return m_groupOf[raw(launch)];
}

LaunchSignature LaunchGroups::signatureOf(LaunchIndex index) const {
    const session::Launch& launch = m_session->launch(index);
    const session::Device* device = m_session->deviceOf(index);
    return {firstKernelOfName(launch.kernel),
            device != nullptr ? 1 + static_cast<std::uint64_t>(device - m_session->devices().data()) : 0,
            launch.workload,
            launch.grid,
            launch.block,
            launch.dynamicSharedBytes};
}

void LaunchGroups::update(LaunchIndex launch) {
    if (raw(launch) >= m_groupOf.size()) return; // is added when somebody asks
    const std::size_t group = m_groupOf[raw(launch)];
    const auto place = m_places.find(signatureOf(launch));
    if (place == m_places.end() || place->second != group) return reset();
    touch(group);
}

void LaunchGroups::reset() {
    auto folds = std::move(m_folds);
    *this = LaunchGroups(*m_session);
    m_folds = std::move(folds);
}

void LaunchGroups::fold(LaunchIndex like, const Folded& more) {
    LaunchGroup& group = m_groups[groupOf(like)];
    Folded& sum = m_folds[like];
    sum.launches += more.launches;
    sum.ns += more.ns;
    group.folded += more.launches;
    group.foldedNs += more.ns;
    touch(groupOf(like));
}

void LaunchGroups::addAll() const {
    if (m_groupOf.empty()) m_groupOf.reserve(m_session->launches().size());
    while (m_groupOf.size() < m_session->launches().size())
        add(static_cast<LaunchIndex>(m_groupOf.size()));
}

void LaunchGroups::add(LaunchIndex launch) const {
    LaunchSignature signature = signatureOf(launch);
    const std::uint64_t kernel = signature.kernel;
    const auto [place, isNew] = m_places.try_emplace(std::move(signature), m_groups.size());
    const std::size_t group = place->second;
    if (isNew) {
        m_groups.emplace_back();
        m_isStale.push_back(false);
        const std::string& workload = place->first.workload;
        WorkloadKernels& kernels = m_kernelsOf[workload];
        if (kernels.names.try_emplace(kernel).second) m_namesStale = kernels.stale = true;
    }
    m_groups[group].launches.push_back(launch);
    if (const auto more = m_folds.find(launch); more != m_folds.end()) {
        m_groups[group].folded += more->second.launches;
        m_groups[group].foldedNs += more->second.ns;
    }
    m_groupOf.push_back(group);
    touch(group);
}

void LaunchGroups::touch(std::size_t group) const {
    if (m_isStale[group]) return;
    m_isStale[group] = true;
    m_stale.push_back(group);
}

void LaunchGroups::refresh(std::size_t index) const {
    m_isStale[index] = false;
    LaunchGroup& group = m_groups[index];
    group.totalNs = group.foldedNs;
    for (const LaunchIndex launch : group.launches)
        group.totalNs += durationOf(*m_session, launch);
    group.representative = medianLaunch(*m_session, group.launches);
    const LaunchIndex first = group.launches.front();
    const std::string& workload = m_session->launch(first).workload;
    const WorkloadKernels& among = m_kernelsOf.at(workload);
    group.kernel = among.names.at(signatureOf(first).kernel);
    group.label = workload.empty()          ? group.kernel
                  : among.names.size() == 1 ? workload
                                            : workload + " " + group.kernel;
}

void LaunchGroups::nameKernels() const {
    // One more kernel may change what tells the others apart.
    for (const auto& [signature, group] : m_places)
        if (m_kernelsOf.at(signature.workload).stale) touch(group);
    for (auto& [workload, among] : m_kernelsOf) {
        if (!std::exchange(among.stale, false)) continue;
        std::vector<std::string_view> whole;
        for (const auto& [kernel, name] : among.names) {
            const session::Kernel& known = m_session->kernels()[kernel];
            whole.emplace_back(known.name.empty() ? known.mangledName : known.name);
        }
        std::vector<std::string> names = session::instanceNames(whole);
        std::ranges::move(names, std::views::values(among.names).begin());
    }
    m_namesStale = false;
}

std::uint64_t LaunchGroups::firstKernelOfName(std::size_t kernel) const {
    while (m_firstOfName.size() < m_session->kernels().size()) {
        const session::Kernel& next = m_session->kernels()[m_firstOfName.size()];
        const std::string& name = next.mangledName.empty() ? next.name : next.mangledName;
        m_firstOfName.push_back(m_kernelNamed.try_emplace(name, m_firstOfName.size()).first->second);
    }
    return m_firstOfName[kernel];
}

LaunchIndex medianLaunch(const Session& session, const std::vector<LaunchIndex>& launches) {
    std::vector<LaunchIndex> candidates;
    std::ranges::copy_if(launches, std::back_inserter(candidates),
                         [&](LaunchIndex each) { return session.hasCounters(each); });
    if (candidates.empty()) candidates = launches;
    // Of an even number the shorter of the two in the middle: it is a launch that happened.
    const auto middle = candidates.begin() + static_cast<std::ptrdiff_t>((candidates.size() - 1) / 2);
    std::ranges::nth_element(candidates, middle, {}, [&](LaunchIndex each) {
        return std::pair(durationOf(session, each), raw(each));
    });
    return *middle;
}

std::vector<std::size_t> longestFirst(std::span<const LaunchGroup> groups, std::size_t most) {
    std::vector<std::size_t> order(groups.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return groups[i].totalNs; });
    if (order.size() > most) order.resize(most);
    return order;
}

} // namespace dormer::metrics
