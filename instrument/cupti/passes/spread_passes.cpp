// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/passes/spread_passes.h"

#include <algorithm>
#include <utility>

namespace dormer::instrument::cupti::passes {

namespace {

/// Every hundred cost 0.1 s at the first start (CUDA 13.0, H100).
constexpr std::size_t kGroupsOfRound = 64;
/// A round takes new groups in as long as they come: until none has come for as many launches as it took to
/// see those there are, and at least so long.
constexpr std::int64_t kLeastNs = 50'000'000;
/// A later pass waits for groups that are late until four times as many launches have come as in the first
/// one, or for four times its time, and at least for a second.
constexpr std::int64_t kPatienceNs = 1'000'000'000;
constexpr std::uint64_t kPatience = 4;

} // namespace

bool SpreadPasses::over(std::int64_t nowNs) const {
    const std::int64_t quiet = nowNs - m_progressNs;
    if (m_pass == 0)
        return m_entries.size() >= kGroupsOfRound ||
               (quiet > kLeastNs && m_launches - m_launchesAtProgress > m_launchesAtProgress);
    const std::uint64_t launches = m_launches - m_launchesAtProgress;
    return m_missing == 0 ||
           quiet > std::max(kPatienceNs, static_cast<std::int64_t>(kPatience) * m_firstPassNs) ||
           (quiet > kLeastNs && launches > kPatience * m_launchesOfFirst);
}

bool SpreadPasses::due(std::uint32_t group, std::int64_t nowNs) const {
    if (m_failed) return false;
    if (!open()) return m_host.wants(group);
    if (over(nowNs)) return true;
    const auto place = m_places.find(group);
    if (place != m_places.end()) return isDue(m_entries[place->second]);
    return m_pass == 0 && m_host.wants(group);
}

bool SpreadPasses::begin(std::uint32_t group, std::int64_t nowNs) {
    if (m_failed) return false;
    if (open() && over(nowNs)) endPass(nowNs);
    if (!open() && (m_failed || !m_host.wants(group) || !startRound(nowNs))) return false;
    const auto [place, isNew] = m_places.try_emplace(group, m_entries.size());
    if (isNew) {
        if (m_pass != 0 || !m_host.wants(group)) {
            m_places.erase(place);
            return false;
        }
        m_entries.push_back({.group = group});
        ++m_missing;
    }
    if (!isDue(m_entries[place->second])) return false;
    if (const Result<void> pushed = m_counters.pushRange(std::to_string(group)); !pushed) {
        fail(pushed.error());
        return false;
    }
    m_counting = place->second;
    m_progressNs = nowNs;
    m_launchesAtProgress = m_launches;
    return true;
}

void SpreadPasses::end(bool alone) {
    Entry& entry = m_entries[m_counting];
    --m_missing;
    if (alone)
        ++entry.passes;
    else
        entry.lost = true;
    if (const Result<void> popped = m_counters.popRange(); !popped) fail(popped.error());
}

bool SpreadPasses::startRound(std::int64_t nowNs) {
    m_entries.clear();
    m_places.clear();
    m_missing = 0;
    if (const Result<void> configured = m_counters.configure(kGroupsOfRound); !configured) {
        fail(configured.error());
        return false;
    }
    m_pass = 0;
    startPass(nowNs);
    return !m_failed;
}

void SpreadPasses::startPass(std::int64_t nowNs) {
    m_passBeganNs = m_progressNs = nowNs;
    m_launches = m_launchesAtProgress = 1; // the one that is about to come
    m_missing = static_cast<std::size_t>(
        std::ranges::count_if(m_entries, [this](const Entry& entry) { return isDue(entry); }));
    if (const Result<void> started = m_counters.startPass(); !started) fail(started.error());
}

void SpreadPasses::endPass(std::int64_t nowNs) {
    const Result<bool> last = m_counters.stopPass();
    if (!last) return fail(last.error());
    if (m_pass == 0) {
        m_firstPassNs = nowNs - m_passBeganNs;
        m_launchesOfFirst = m_launches;
    }
    ++m_pass;
    const bool anyLeft = std::ranges::any_of(m_entries, [this](const Entry& entry) { return isDue(entry); });
    if (*last || !anyLeft)
        endRound();
    else
        startPass(nowNs);
}

void SpreadPasses::endRound() {
    const int passes = std::exchange(m_pass, -1);
    std::map<std::string, std::map<std::string, double>> values;
    if (std::ranges::any_of(m_entries, [&](const Entry& entry) { return entry.passes == passes; })) {
        auto decoded = m_counters.decode();
        if (!decoded) return fail(decoded.error());
        values = std::move(*decoded);
    }
    for (const Entry& entry : m_entries)
        m_host.counted(entry.group, entry.passes == passes ? std::move(values[std::to_string(entry.group)])
                                                           : std::map<std::string, double>{});
}

void SpreadPasses::interrupt() {
    if (!open()) return;
    m_pass = -1;
    if (const Result<bool> stopped = m_counters.stopPass(); !stopped) fail(stopped.error());
}

void SpreadPasses::finish(std::int64_t nowNs) {
    if (open() && m_pass + 1 == m_counters.passes()) endPass(nowNs);
    interrupt();
}

void SpreadPasses::fail(const Error& error) {
    m_pass = -1;
    m_failed = true;
    m_host.failed(error);
}

} // namespace dormer::instrument::cupti::passes
