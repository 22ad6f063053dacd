// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <vector>

namespace dormer::ui::sessions {

class SessionHub;

/// When each record of a recording is due, in milliseconds from its start at speed 1. Launches keep the
/// proportions of the gaps between their start times, scaled to `lengthMs`; a gap that dwarfs the others is
/// shortened, so that nobody watches an idle chart. A launch's counters come with it.
[[nodiscard]] std::vector<double>
playSchedule(const std::vector<std::pair<std::uint32_t, session::Record>>& records, double lengthMs);

/// Plays a recorded session as if it were being collected: the same records, in order, into an empty hub.
class Player : public QObject {
    Q_OBJECT
public:
    explicit Player(SessionHub& hub, QObject* parent = nullptr);

    /// Length of a recording at speed 1.
    static constexpr double kLengthMs = 7000;

    void play(const session::Session& session);
    void setPaused(bool paused);
    /// 1 = kLengthMs for the whole recording; larger is faster.
    void setSpeed(double speed);
    /// Shows what is left at once; a recording loses nothing by being stopped.
    void stop();

    [[nodiscard]] bool playing() const { return m_next < m_records.size(); }
    [[nodiscard]] bool paused() const { return m_paused; }
    [[nodiscard]] double speed() const { return m_speed; }

signals:
    void started();
    void pausedChanged(bool paused);
    void finished();

private:
    void advance();
    void applyNext();
    void reportProgress();
    [[nodiscard]] double positionMs() const;

    SessionHub& m_hub;
    std::vector<std::pair<std::uint32_t, session::Record>> m_records;
    std::vector<double> m_dueMs;
    std::size_t m_next = 0;
    std::int64_t m_launches = 0;
    std::int64_t m_launchesDone = 0;
    double m_speed = 1;
    bool m_paused = false;
    double m_positionMs = 0; ///< at the last change of speed or pause
    QElapsedTimer m_since;   ///< runs from then on
    QTimer m_tick;
};

} // namespace dormer::ui::sessions
