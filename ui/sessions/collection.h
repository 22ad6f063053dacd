// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/record.h"
#include "instrument/launch/collection.h"
#include "instrument/launch/live_fold.h"

#include <QObject>
#include <QString>

#include <atomic>
#include <chrono>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

namespace dormer::ui::sessions {

class SessionHub;

/// Runs a target on a thread of its own. Each record goes into the session file first, then to the hub on the
/// GUI thread, so that what is on screen is also on disk. One collection at a time.
class Collection : public QObject {
    Q_OBJECT
public:
    explicit Collection(SessionHub& hub, QObject* parent = nullptr);
    /// Stops a running target and waits for it (three seconds at most, the launcher sees to that).
    ~Collection() override;

    [[nodiscard]] bool running() const { return m_running; }
    /// File of the current or last collection.
    [[nodiscard]] QString file() const { return m_file; }

    /// Starts with an empty session in the hub; `again`: what is there becomes its baseline. Returns an empty
    /// string, or one line saying why it can't; the hub's session then is what it was.
    [[nodiscard]] QString start(const instrument::launch::Target& target, const QString& file,
                                bool again = false);
    /// Ends the target; what it finished is kept. finished() follows.
    void stop();

signals:
    void started();
    /// The last record has been applied and the file is closed. `problem` is empty when all went well.
    void finished(bool stopped, const QString& problem);

private:
    void onRecord(const session::Record& record, std::uint32_t process);
    void drain();
    void conclude();

    SessionHub& m_hub;
    QString m_file;
    instrument::launch::Target m_target;
    bool m_running = false;
    std::thread m_worker;
    std::atomic<bool> m_stop{false};
    std::chrono::steady_clock::time_point m_nextFold; ///< of the worker

    std::mutex m_mutex;                                        ///< guards the four below
    using Arrived = std::pair<session::Record, std::uint32_t>; ///< and its process
    std::deque<Arrived> m_arrived;
    bool m_drainPosted = false;
    instrument::launch::LiveFold m_fold;
    Result<instrument::launch::CollectionEnd> m_end;
};

} // namespace dormer::ui::sessions
