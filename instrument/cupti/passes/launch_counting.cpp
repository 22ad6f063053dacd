// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/passes/launch_counting.h"

#include <fmt/format.h>

#include <utility>

namespace dormer::instrument::cupti::passes {

namespace {

/// Rounds of spread passes that missed a group before it is left.
constexpr int kMostTries = 3;
/// How long a launch that is counted may run before the program goes on; the first of a group longer where
/// replays are asked for by name.
constexpr std::int64_t kPatienceNs = 2'000'000'000, kPatienceOfReplaysNs = 60'000'000'000;

} // namespace

LaunchCounting::LaunchCounting(Options options, Host host)
    : m_options(options)
    , m_host(std::move(host))
    , m_replay(m_host.counters, m_host.memory)
    , m_spread(m_host.counters,
               {.wants = [this](std::uint32_t group) { return wants(group); },
                .counted =
                    [this](std::uint32_t group, std::map<std::string, double> values) {
                        spreadCounted(group, std::move(values));
                    },
                .failed = [this](const Error& error) { m_host.note("counters-failed", error.message); }}) {}

bool LaunchCounting::wants(std::uint32_t group) const {
    if (group >= m_groups.size()) return true;
    const Group& known = m_groups[group];
    return (!m_options.launches || known.launches < *m_options.launches) && known.tries < kMostTries;
}

bool LaunchCounting::replays(const Group& group) const {
    if (m_host.memory == nullptr || group.noReplay || m_options.replay == stream::Replay::None) return false;
    // A replay would end the round of passes that is open, and with it what they have counted.
    return (m_options.replay == stream::Replay::Kernel || !m_spread.open()) && isInBudget();
}

bool LaunchCounting::isInBudget() const {
    const auto spent = static_cast<double>(m_replayedNs);
    if (m_options.budgetSeconds) return spent < *m_options.budgetSeconds * 1e9;
    if (m_options.replay == stream::Replay::Kernel) return true;
    const double own = static_cast<double>(m_host.nowNs() - m_options.beganNs) - spent;
    return spent < kReplaySeconds * 1e9 + kReplayShare * own;
}

std::int64_t LaunchCounting::patienceNs(const Group& group) const {
    if (m_options.replay == stream::Replay::Kernel && group.tries == 0) return kPatienceOfReplaysNs;
    return kPatienceNs;
}

LaunchCounting::Group& LaunchCounting::groupOf(std::uint32_t group) {
    if (group >= m_groups.size()) m_groups.resize(group + 1);
    return m_groups[group];
}

bool LaunchCounting::due(std::uint32_t group) const {
    if (m_letGo) return true; // perhaps it has ended
    if (!wants(group) && !m_spread.open()) return false;
    return (wants(group) && replays(group < m_groups.size() ? m_groups[group] : Group{})) ||
           m_spread.due(group, m_host.nowNs());
}

LaunchCounting::Way LaunchCounting::begin(std::uint32_t number) {
    if (m_letGo && !settle()) return Way::Not;
    if (!due(number)) return Way::Not;
    Group& group = groupOf(number);
    const bool isReplayed = wants(number) && replays(group);
    // A launch that a pass counts is told without a time, so one of each group is left alone.
    if (!isReplayed && !std::exchange(group.seen, true)) return Way::Not;
    if (!m_host.running.idle(patienceNs(group))) {
        ++group.tries; // what is under way may wait for this launch
        return Way::Not;
    }
    m_host.quiet();
    if (const double ns = m_host.takesNs(number); !isReplayed && tooLong(ns)) {
        leave(group, ns);
        return Way::Not;
    }
    m_group = number;
    m_beganNs = m_host.nowNs();
    if (isReplayed) {
        m_spread.interrupt();
        const Result<void> begun = m_replay.begin();
        m_launchedNs = m_host.nowNs();
        if (begun) return m_way = Way::Replayed;
        noteNotReplayed(begun.error().message);
        group.noReplay = true;
    }
    return m_way = m_spread.begin(number, m_beganNs) ? Way::Spread : Way::Not;
}

std::optional<Result<std::map<std::string, double>>> LaunchCounting::end(const void* stream, bool launched,
                                                                         const std::function<bool()>& again) {
    Group& group = groupOf(m_group);
    m_host.launched();
    if (launched) {
        m_host.running.launched(stream);
        if (!m_host.running.ended(patienceNs(group))) {
            m_letGo = true;
            return std::nullopt;
        }
    }
    if (m_way == Way::Spread) {
        m_spread.end(launched);
        return std::nullopt;
    }
    if (!launched) {
        m_replay.abandon();
        return std::nullopt;
    }
    if (const auto ns = static_cast<double>(m_host.nowNs() - m_launchedNs); tooLong(ns)) {
        leave(group, ns);
        m_replay.abandon();
        return std::nullopt;
    }
    auto values = m_replay.finish(again);
    m_replayedNs += m_host.nowNs() - m_beganNs;
    if (values)
        ++group.launches;
    else
        group.noReplay = true;
    return values;
}

bool LaunchCounting::tooLong(double ns) const {
    return m_options.replay != stream::Replay::Kernel && ns > static_cast<double>(kLongestPatchedNs);
}

void LaunchCounting::leave(Group& group, double ns) {
    group.tries = kMostTries;
    if (m_noted.insert("too long").second)
        m_host.note(
            "takes-too-long",
            fmt::format("kernels that take longer than 0.3 s, one took {:.1f} s, are not counted: a pass "
                        "of patched code takes up to 270 times as long (--replay kernel does so)",
                        ns * 1e-9));
}

void LaunchCounting::noteNotReplayed(const std::string& why) {
    if (m_noted.insert(why).second) m_host.note("not-replayed", why);
}

bool LaunchCounting::settle() {
    if (!m_host.running.ended(0)) return false;
    m_letGo = false;
    if (m_way == Way::Spread)
        m_spread.end(false);
    else
        m_replay.abandon();
    // In a pass of patched kernels its launch would not even return.
    groupOf(m_group).tries = kMostTries;
    return true;
}

bool LaunchCounting::interrupt() {
    if (m_letGo && !settle()) return false;
    m_spread.interrupt();
    return true;
}

void LaunchCounting::spreadCounted(std::uint32_t group, std::map<std::string, double> values) {
    if (values.empty()) {
        ++groupOf(group).tries;
        return;
    }
    ++groupOf(group).launches;
    m_host.counted(group, std::move(values));
}

void LaunchCounting::finish() {
    if (!m_letGo || settle()) m_spread.finish(m_host.nowNs());
}

} // namespace dormer::instrument::cupti::passes
