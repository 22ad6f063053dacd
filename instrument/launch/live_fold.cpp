// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/launch/live_fold.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace dormer::instrument::launch {

namespace {

/// A launch this much longer than any like it is told by itself.
constexpr double kOutlier = 2;
/// So many folded launches may wait for their time; the time of the oldest of more is not known then.
constexpr std::size_t kMostUntimed = 65'536;

/// The launch as a record that leaves what is known of it as it is.
session::Launch echoOf(session::Launch launch) {
    launch.startNs = 0;
    launch.durationNs.reset();
    launch.callNs.reset();
    launch.counted = false;
    launch.notCounted.clear();
    return launch;
}

} // namespace

void NumberSet::insert(std::uint64_t number) {
    auto after = m_ranges.upper_bound(number);
    if (after != m_ranges.begin()) {
        const auto before = std::prev(after);
        if (number < before->second) return;
        if (number == before->second) {
            before->second = number + 1;
            if (after != m_ranges.end() && after->first == before->second) {
                before->second = after->second;
                m_ranges.erase(after);
            }
            return;
        }
    }
    if (after == m_ranges.end() || after->first != number + 1) {
        m_ranges.emplace_hint(after, number, number + 1);
        return;
    }
    const std::uint64_t end = after->second;
    after = m_ranges.erase(after);
    m_ranges.emplace_hint(after, number, end);
}

bool NumberSet::contains(std::uint64_t number) const {
    const auto after = m_ranges.upper_bound(number);
    return after != m_ranges.begin() && number < std::prev(after)->second;
}

std::size_t LiveFold::KeyHash::operator()(const Key& key) const {
    std::size_t hash = session::LaunchSignatureHash{}(key.signature);
    for (const std::uint64_t each :
         {std::uint64_t{key.process}, key.stream, std::uint64_t{std::hash<std::string>{}(key.nvtx)}})
        hash = (hash ^ each) * 0x9E3779B97F4A7C15ULL;
    return hash;
}

bool LiveFold::absorbs(const session::Record& record, std::uint32_t process) {
    if (const auto* launch = std::get_if<session::Launch>(&record)) return absorbsLaunch(*launch, process);
    if (const auto* counters = std::get_if<session::LaunchCounters>(&record))
        return isFolded(counters->launch, process);
    if (const auto* lines = std::get_if<session::LaunchLines>(&record))
        return isFolded(lines->launch, process);
    return std::holds_alternative<session::NvtxRange>(record) && ++m_ranges > kMostRanges;
}

bool LiveFold::isFolded(std::uint64_t launch, std::uint32_t process) const {
    const auto ids = m_foldedIds.find(process);
    return ids != m_foldedIds.end() && ids->second.contains(launch);
}

LiveFold::Alike* LiveFold::findAlike(const session::Launch& launch, std::uint32_t process, bool& isNew) {
    Key key{.signature = {launch.kernel, static_cast<std::uint64_t>(launch.device), launch.workload,
                          launch.grid, launch.block, launch.dynamicSharedBytes},
            .process = process,
            .stream = launch.stream,
            .nvtx = launch.nvtx};
    const auto known = m_alike.find(key);
    isNew = known == m_alike.end();
    if (!isNew) return &known->second;
    if (m_alike.size() >= kMostSignatures) { // a program that names each step would never repeat itself
        key.stream = 0;
        key.nvtx.clear();
        const auto [like, added] = m_alike.try_emplace(std::move(key));
        isNew = added;
        return &like->second;
    }
    return &m_alike.try_emplace(std::move(key)).first->second;
}

void LiveFold::keep(Alike& alike, const session::Launch& launch, std::uint32_t process) {
    // What was folded belongs to the one that was kept then.
    if (!alike.waiting) {
        alike.kept = echoOf(launch);
        alike.process = process;
    }
    alike.longestNs = std::max(alike.longestNs, launch.durationNs.value_or(0));
    m_keptIds[process].insert(launch.id);
    ++m_kept;
}

void LiveFold::add(Alike& alike, std::size_t launches, double ns) {
    alike.launches += launches;
    alike.ns += ns;
    if (!std::exchange(alike.waiting, true)) m_waiting.push_back(&alike);
}

bool LiveFold::absorbsLaunch(const session::Launch& launch, std::uint32_t process) {
    if (isFolded(launch.id, process)) { // said again, now perhaps with its time
        const auto untimed = m_untimed.find({process, launch.id});
        if (untimed != m_untimed.end() && launch.durationNs) {
            add(*untimed->second, 0, *launch.durationNs);
            m_untimed.erase(untimed);
        }
        return true;
    }
    bool isNew = false;
    Alike& alike = *findAlike(launch, process, isNew);
    const double ns = launch.durationNs.value_or(0);
    if (m_keptIds[process].contains(launch.id)) {
        alike.longestNs = std::max(alike.longestNs, ns);
        return false;
    }
    if (isNew || m_kept < m_most || ns > kOutlier * alike.longestNs) {
        keep(alike, launch, process);
        return false;
    }
    m_foldedIds[process].insert(launch.id);
    ++m_folded;
    add(alike, 1, ns);
    if (launch.durationNs) return true;
    m_untimed.emplace(Untimed{process, launch.id}, &alike);
    m_untimedOrder.push_back({process, launch.id});
    while (m_untimedOrder.size() > kMostUntimed) {
        m_untimed.erase(m_untimedOrder.front());
        m_untimedOrder.pop_front();
    }
    return true;
}

std::vector<FoldedLaunches> LiveFold::take() {
    std::vector<FoldedLaunches> taken;
    for (Alike* alike : m_waiting) {
        taken.push_back({alike->kept, alike->process, alike->launches, alike->ns});
        alike->launches = 0;
        alike->ns = 0;
        alike->waiting = false;
    }
    m_waiting.clear();
    return taken;
}

std::optional<session::Note> LiveFold::note() {
    if (m_folded == 0 || std::exchange(m_noted, true)) return std::nullopt;
    return session::Note{
        0, std::string(kNote),
        fmt::format("after {} launches, those that repeat a kernel, configuration, NVTX range "
                    "and stream count in calls and times and are not shown one by one; a "
                    "session file keeps them all",
                    m_kept)};
}

} // namespace dormer::instrument::launch
