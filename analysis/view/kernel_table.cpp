// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/kernel_table.h"

#include "analysis/view/group_qualifiers.h"

#include "analysis/lines/conflict_ways.h"
#include "analysis/metrics/launch_facts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace dormer::view {

using session::LaunchIndex;

KernelTable::KernelTable(const diagnosis::Diagnosis& diagnosis, Grouping grouping)
    : m_diagnosis(diagnosis), m_grouping(grouping) {
    update();
}

void KernelTable::update() {
    const session::Session& session = m_diagnosis.session();
    std::vector<double> times;
    m_mostCalls = session.launches().size();
    if (m_grouping == Grouping::ByKernel) {
        m_mostCalls = 0;
        for (const metrics::LaunchGroup& group : m_diagnosis.groups()) {
            times.push_back(group.totalNs);
            m_mostCalls = std::max(m_mostCalls, group.calls());
        }
        m_qualifiers = groupQualifiers(m_diagnosis);
    } else if (isParted()) {
        divide();
        m_mostCalls = 0;
        for (const Part& part : m_parts) {
            times.push_back(part.totalNs);
            m_mostCalls = std::max(m_mostCalls, part.calls);
        }
        m_qualifiers = groupQualifiers(m_diagnosis);
    } else {
        for (const session::Launch& launch : session.launches())
            times.push_back(metrics::plausibleDurationNs(launch).value_or(0));
    }
    m_totalNs = m_longestNs = 0;
    m_numbers.resize(times.size());
    std::erase(times, 0.0); // not timed
    for (const double ns : times) {
        m_totalNs += ns;
        m_longestNs = std::max(m_longestNs, ns);
    }
    m_time = scaleFor(metrics::Unit::Nanoseconds, times);
}

session::Scope KernelTable::scope() const {
    return m_grouping == Grouping::ByProcess ? session::Scope::Process
           : m_grouping == Grouping::ByNvtx  ? session::Scope::Nvtx
                                             : session::Scope::Stream;
}

void KernelTable::divide() {
    const session::Session& session = m_diagnosis.session();
    m_parts.clear();
    m_partOf.clear();
    std::map<std::pair<std::string, std::size_t>, std::size_t> known;
    for (std::uint32_t i = 0; i < session.launches().size(); ++i) {
        const LaunchIndex launch{i};
        const std::size_t group = m_diagnosis.groupOf(launch);
        std::string ranIn = scopeOf(session, session.launch(launch), scope());
        const auto [at, isNew] = known.try_emplace({ranIn, group}, m_parts.size());
        if (isNew) m_parts.push_back({.group = group, .scope = std::move(ranIn)});
        Part& part = m_parts[at->second];
        part.launches.push_back(launch);
        part.totalNs += metrics::plausibleDurationNs(session.launch(launch)).value_or(0);
        m_partOf.push_back(at->second);
    }
    for (Part& part : m_parts) {
        part.calls = part.launches.size();
        part.representative = metrics::medianLaunch(session, part.launches);
    }
    for (const auto& [launch, more] : m_diagnosis.folds()) {
        Part& part = m_parts[m_partOf[raw(launch)]];
        part.calls += more.launches;
        part.totalNs += more.ns;
    }
}

const metrics::LaunchGroup& KernelTable::group(std::size_t row) const {
    return m_diagnosis.groups()[isParted() ? m_parts[row].group : row];
}

std::optional<std::size_t> KernelTable::rowOf(LaunchIndex launch) const {
    if (raw(launch) >= m_diagnosis.session().launches().size()) return std::nullopt;
    if (isParted() && raw(launch) >= m_partOf.size()) return std::nullopt;
    const std::size_t row = m_grouping == Grouping::AllLaunches ? raw(launch)
                            : isParted()                        ? m_partOf[raw(launch)]
                                                                : m_diagnosis.groupOf(launch);
    return row < rows() ? std::optional(row) : std::nullopt;
}

LaunchIndex KernelTable::launchAt(std::size_t row) const {
    if (isParted()) return m_parts[row].representative;
    return m_grouping == Grouping::AllLaunches ? static_cast<LaunchIndex>(row) : group(row).representative;
}

std::optional<double> KernelTable::timeNs(std::size_t row) const {
    if (m_grouping == Grouping::AllLaunches)
        return metrics::plausibleDurationNs(m_diagnosis.session().launch(launchAt(row)));
    const double ns = isParted() ? m_parts[row].totalNs : group(row).totalNs;
    return ns > 0 ? std::optional(ns) : std::nullopt;
}

std::optional<double> KernelTable::value(std::size_t row, KernelColumn column) const {
    if (column < KernelColumn::Dram) return compute(row, column); // at hand; shares change with every launch
    const std::size_t at = raw(column) - raw(KernelColumn::Dram);
    Numbers& numbers = m_numbers[row];
    double& kept = numbers.values[at];
    if (const unsigned bit = 1u << at; (numbers.known & bit) == 0) {
        kept = compute(row, column).value_or(std::numeric_limits<double>::quiet_NaN());
        numbers.known |= bit;
    }
    return std::isnan(kept) ? std::nullopt : std::optional(kept);
}

std::optional<double> KernelTable::compute(std::size_t row, KernelColumn column) const {
    const LaunchIndex launch = launchAt(row);
    const metrics::MetricEvaluator& metrics = m_diagnosis.metrics();
    switch (column) {
    case KernelColumn::Verdict:
        return static_cast<double>(m_diagnosis.verdict(launch).bound);
    case KernelColumn::Name:
        return std::nullopt;
    case KernelColumn::Calls:
        return m_grouping == Grouping::AllLaunches ? raw(launch) + 1.0
               : isParted()                        ? static_cast<double>(m_parts[row].calls)
                                                   : static_cast<double>(group(row).calls());
    case KernelColumn::Time:
        return timeNs(row);
    case KernelColumn::Share: {
        const auto ns = timeNs(row);
        return ns ? std::optional(*ns / m_totalNs) : std::nullopt;
    }
    case KernelColumn::Dram:
        return m_diagnosis.verdict(launch).utilization[static_cast<std::size_t>(device::Resource::Dram)];
    case KernelColumn::L2Hit:
        return metrics.value(launch, "l2_hit_rate");
    case KernelColumn::Sectors: {
        const auto sectors = sectorsPerRequest(metrics, launch);
        return sectors ? std::optional(sectors->actual) : std::nullopt;
    }
    case KernelColumn::Conflicts:
        return lines::conflictWays(metrics, launch);
    case KernelColumn::Occupancy:
        return metrics.value(launch, "achieved_occupancy");
    case KernelColumn::Savings:
        return savingsNs(row);
    }
    return std::nullopt;
}

std::optional<double> KernelTable::savingsNs(std::size_t row) const {
    if (isParted()) {
        // Of the part, what its representative could save, as long as they all take.
        const auto gain = m_diagnosis.gain(launchAt(row));
        const auto ns = metrics::plausibleDurationNs(m_diagnosis.session().launch(launchAt(row)));
        return gain && ns ? std::optional(gain->ns * m_parts[row].totalNs / *ns) : std::nullopt;
    }
    const auto gain =
        m_grouping == Grouping::ByKernel ? m_diagnosis.gainOfGroup(row) : m_diagnosis.gain(launchAt(row));
    return gain ? std::optional(gain->ns) : std::nullopt;
}

} // namespace dormer::view
