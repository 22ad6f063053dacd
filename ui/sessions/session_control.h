// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"
#include "analysis/session/session.h"
#include "instrument/launch/target.h"
#include "ui/sessions/collection.h"
#include "ui/sessions/environment.h"
#include "ui/sessions/player.h"
#include "ui/sessions/run_history.h"

#include <QObject>
#include <QStringList>

#include <filesystem>
#include <memory>
#include <vector>

namespace dormer::ui::sessions {

class SessionHub;

/// Files as the store takes them.
[[nodiscard]] std::vector<std::filesystem::path> pathsOf(const QStringList& files);

/// Opens, plays, collects and saves: whatever changes which session is on screen. Says what happens through
/// signals, never through dialogs. Files are read and written off the GUI thread.
class SessionControl : public QObject {
    Q_OBJECT
public:
    enum class Activity { Idle, Opening, Playing, Collecting };

    SessionControl(SessionHub& hub, Environment environment, QObject* parent = nullptr);

    [[nodiscard]] Activity activity() const { return m_activity; }
    [[nodiscard]] const Environment& environment() const { return m_environment; }
    [[nodiscard]] Player& player() { return m_player; }
    [[nodiscard]] static QStringList recentFiles();

    /// Replaces the session when all files were read; on failure the present one stays and message() says
    /// why.
    void open(const QStringList& files, bool play = false);
    /// The same for a session that was read already.
    void show(session::Session session, const QStringList& files, bool play = false);
    /// Plays what is on screen from its beginning.
    void playAgain();
    /// Starts a target, or says why there is none. True when it runs. What ran before becomes the baseline
    /// where it is the same program, `what`.
    bool run(const Result<instrument::launch::Target>& target, Run what = {});
    [[nodiscard]] RunHistory& history() { return m_history; }
    /// Compares what is on screen with another run of the history, whose session is read again; absent: with
    /// none.
    void compareWith(std::optional<std::size_t> run);
    /// Ends a run or a playback; what was collected or recorded stays.
    void stop();
    void save(const QString& file);

signals:
    void activityChanged();
    /// One line for the user; empty when the last one is settled.
    void message(const QString& text);
    /// File of the session on screen, as the status line shows it.
    void fileChanged(const QString& text);
    void recentChanged();

private:
    void setActivity(Activity activity);
    void remember(const QString& file);
    void concludeRun();
    [[nodiscard]] bool busy();

    SessionHub& m_hub;
    Environment m_environment;
    Player m_player;
    Collection m_collection;
    instrument::launch::NoteFeed m_notes{false};
    Activity m_activity = Activity::Idle;
    RunHistory m_history;
};

} // namespace dormer::ui::sessions
