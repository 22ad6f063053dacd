// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/sessions/player.h"

#include "analysis/store/session_file.h"
#include "ui/sessions/session_hub.h"

#include <algorithm>
#include <map>

namespace dormer::ui::sessions {
namespace {

constexpr int kTickMs = 16;
/// A gap longer than so many average ones is cut: set-up between workloads, not kernels.
constexpr double kLongestGap = 3;

} // namespace

std::vector<double> playSchedule(const std::vector<std::pair<std::uint32_t, session::Record>>& records,
                                 double lengthMs) {
    std::vector<std::int64_t> starts;
    for (const auto& [process, record] : records)
        if (const auto* launch = std::get_if<session::Launch>(&record)) starts.push_back(launch->startNs);
    std::vector<double> dueOfLaunch(starts.size(), 0.0);
    if (starts.size() > 1) {
        // Launches of several processes interleave, so the order of the records rules, not the clock.
        double total = 0;
        for (std::size_t i = 1; i < starts.size(); ++i)
            total += static_cast<double>(std::max<std::int64_t>(0, starts[i] - starts[i - 1]));
        const double mean = total / static_cast<double>(starts.size() - 1);
        double due = 0;
        for (std::size_t i = 1; i < starts.size(); ++i) {
            const auto gap = static_cast<double>(std::max<std::int64_t>(0, starts[i] - starts[i - 1]));
            // Every launch gets a moment of its own, and no gap takes all of them.
            due += mean > 0 ? std::clamp(gap, mean / 4, kLongestGap * mean) : 1.0;
            dueOfLaunch[i] = due;
        }
        for (double& at : dueOfLaunch)
            at *= lengthMs / due;
    }

    // Counters refer to their launch; everything else comes with the launch before it.
    std::vector<double> dueMs(records.size(), 0.0);
    std::map<std::pair<std::uint32_t, std::uint64_t>, double> dueOf;
    double now = 0;
    std::size_t launches = 0;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const auto& [process, record] = records[i];
        if (const auto* launch = std::get_if<session::Launch>(&record)) {
            now = dueOfLaunch[launches++];
            dueOf[{process, launch->id}] = now;
        }
        dueMs[i] = now;
        if (const auto* counters = std::get_if<session::LaunchCounters>(&record))
            if (const auto found = dueOf.find({process, counters->launch}); found != dueOf.end())
                dueMs[i] = found->second;
    }
    return dueMs;
}

Player::Player(SessionHub& hub, QObject* parent) : QObject(parent), m_hub(hub) {
    m_tick.setInterval(kTickMs);
    m_tick.setTimerType(Qt::PreciseTimer);
    connect(&m_tick, &QTimer::timeout, this, &Player::advance);
}

void Player::play(const session::Session& session) {
    m_records = store::recordsOf(session);
    const std::vector<double> due = playSchedule(m_records, kLengthMs);
    // Where all launches are written before all counters, each launch still gets its counters when it is due.
    std::vector<std::size_t> order(m_records.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::ranges::stable_sort(order, {}, [&due](std::size_t i) { return due[i]; });
    std::vector<std::pair<std::uint32_t, session::Record>> sorted;
    sorted.reserve(order.size());
    m_dueMs.clear();
    for (const std::size_t i : order) {
        sorted.push_back(std::move(m_records[i]));
        m_dueMs.push_back(due[i]);
    }
    m_records = std::move(sorted);
    m_launches = static_cast<std::int64_t>(session.launches().size());
    m_launchesDone = 0;
    m_next = 0;
    m_positionMs = 0;
    m_paused = false;
    m_hub.setSession({});
    emit started();
    m_since.start();
    m_tick.start();
    advance();
}

double Player::positionMs() const {
    return m_paused ? m_positionMs : m_positionMs + m_speed * static_cast<double>(m_since.elapsed());
}

void Player::setPaused(bool paused) {
    if (paused == m_paused || !playing()) return;
    m_positionMs = positionMs();
    m_paused = paused;
    m_since.start();
    if (paused)
        m_tick.stop();
    else
        m_tick.start();
    emit pausedChanged(paused);
}

void Player::setSpeed(double speed) {
    m_positionMs = positionMs();
    m_since.start();
    m_speed = std::max(0.01, speed);
}

void Player::stop() {
    if (!playing()) return;
    m_tick.stop();
    while (playing())
        applyNext();
    m_records.clear();
    m_dueMs.clear();
    m_next = 0;
    m_paused = false;
    emit finished();
}

void Player::advance() {
    const double now = positionMs();
    bool changed = false;
    while (playing() && m_dueMs[m_next] <= now) {
        applyNext();
        changed = true;
    }
    if (changed) reportProgress();
    if (playing()) return;
    m_tick.stop();
    m_records.clear();
    m_dueMs.clear();
    m_next = 0;
    emit finished();
}

void Player::applyNext() {
    const auto& [process, record] = m_records[m_next];
    if (std::holds_alternative<session::Launch>(record)) ++m_launchesDone;
    m_hub.apply(record, process);
    ++m_next;
}

void Player::reportProgress() {
    const double left = m_dueMs.empty() ? 0 : std::max(0.0, m_dueMs.back() - positionMs()) / m_speed;
    m_hub.apply(session::Progress{.phase = "playing",
                                  .workload = {},
                                  .launchesDone = m_launchesDone,
                                  .launchesExpected = m_launches,
                                  .secondsLeft = left / 1e3});
}

} // namespace dormer::ui::sessions
