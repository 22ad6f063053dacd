// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/sessions/session_control.h"

#include "analysis/store/session_files.h"
#include "ui/sessions/session_hub.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QFutureWatcher>
#include <QSettings>
#include <QtConcurrent>

namespace dormer::ui::sessions {
namespace {

constexpr qsizetype kRecentFiles = 8;
const QString kRecentKey = QStringLiteral("recentFiles");

QString shownName(const QStringList& files) {
    if (files.isEmpty()) return {};
    const QString first = QFileInfo(files.front()).fileName();
    return files.size() == 1 ? first : QStringLiteral("%1 and %2 more").arg(first).arg(files.size() - 1);
}

/// Runs `work` on a pool thread and `done` with its result here, unless `owner` is gone by then.
template <typename Work, typename Done>
void inBackground(QObject* owner, Work work, Done done) {
    using Value = std::invoke_result_t<Work>;
    auto* watcher = new QFutureWatcher<std::shared_ptr<Value>>(owner);
    QObject::connect(watcher, &QFutureWatcherBase::finished, owner, [watcher, done] {
        watcher->deleteLater();
        done(std::move(*watcher->result()));
    });
    watcher->setFuture(QtConcurrent::run([work] { return std::make_shared<Value>(work()); }));
}

} // namespace

std::vector<std::filesystem::path> pathsOf(const QStringList& files) {
    std::vector<std::filesystem::path> paths;
    for (const QString& file : files)
        paths.emplace_back(file.toStdString());
    return paths;
}

SessionControl::SessionControl(SessionHub& hub, Environment environment, QObject* parent)
    : QObject(parent), m_hub(hub), m_environment(std::move(environment)), m_player(hub), m_collection(hub) {
    connect(&m_player, &Player::finished, this, [this] {
        concludeRun();
        setActivity(Activity::Idle);
    });
    connect(&hub, &SessionHub::noteAdded, this, [this] {
        if (m_activity != Activity::Collecting) return;
        for (const std::string& text : m_notes.fresh(m_hub.session()))
            emit message(QString::fromStdString(text));
    });
    connect(&m_player, &Player::pausedChanged, this, &SessionControl::activityChanged);
    connect(&m_collection, &Collection::finished, this, [this](bool stopped, const QString& problem) {
        setActivity(Activity::Idle);
        const QString name = QFileInfo(m_collection.file()).fileName();
        emit fileChanged(name);
        remember(m_collection.file());
        concludeRun();
        if (!problem.isEmpty())
            emit message(problem);
        else if (stopped)
            emit message(
                QStringLiteral("Stopped. Everything that finished is in %1.").arg(m_collection.file()));
    });
}

QStringList SessionControl::recentFiles() {
    QStringList existing;
    for (const QString& file : QSettings().value(kRecentKey).toStringList())
        if (QFileInfo::exists(file)) existing << file;
    return existing;
}

void SessionControl::remember(const QString& file) {
    const QString path = QFileInfo(file).absoluteFilePath();
    QStringList files = recentFiles();
    files.removeAll(path);
    files.prepend(path);
    QSettings().setValue(kRecentKey, QStringList(files.mid(0, kRecentFiles)));
    emit recentChanged();
}

void SessionControl::setActivity(Activity activity) {
    m_activity = activity;
    emit activityChanged();
}

bool SessionControl::busy() {
    if (m_activity == Activity::Playing) m_player.stop();
    if (m_activity == Activity::Collecting)
        emit message(QStringLiteral("A run is going on: stop it first (Esc). It is saved as it runs."));
    return m_activity != Activity::Idle;
}

void SessionControl::open(const QStringList& files, bool play) {
    if (files.isEmpty() || busy()) return;
    setActivity(Activity::Opening);
    inBackground(
        this, [paths = pathsOf(files)] { return store::loadSessions(paths); },
        [this, files, play](Result<session::Session> session) {
            setActivity(Activity::Idle);
            if (!session)
                emit message(QString::fromStdString(session.error().message));
            else
                show(std::move(*session), files, play);
        });
}

void SessionControl::show(session::Session session, const QStringList& files, bool play) {
    emit message({});
    for (const QString& file : files)
        remember(file);
    if (play) {
        setActivity(Activity::Playing);
        m_player.play(session);
    } else {
        m_hub.setSession(std::move(session));
    }
    emit fileChanged(shownName(files));
    m_hub.setBaseline({});
    m_history.begin({.program = shownName(files),
                     .device = {},
                     .set = {},
                     .time = QDateTime::currentDateTime(),
                     .files = files},
                    false);
    if (!play) concludeRun();
}

void SessionControl::concludeRun() {
    double ns = 0;
    for (const metrics::LaunchGroup& group : m_hub.diagnosis().groups())
        ns += group.totalNs;
    m_history.conclude(m_hub.diagnosis().launches(), ns);
}

void SessionControl::compareWith(std::optional<std::size_t> run) {
    if (!run) {
        m_hub.setBaseline({});
        return m_history.setBaseline({});
    }
    inBackground(
        this, [paths = pathsOf(m_history.runs()[*run].files)] { return store::loadSessions(paths); },
        [this, run](Result<session::Session> session) {
            if (!session) {
                emit message(QString::fromStdString(session.error().message));
                return;
            }
            m_hub.setBaseline(std::move(*session));
            m_history.setBaseline(run);
        });
}

void SessionControl::playAgain() {
    if (busy() || m_hub.session().launches().empty()) return;
    const session::Session session = m_hub.session();
    setActivity(Activity::Playing);
    m_player.play(session);
}

bool SessionControl::run(const Result<instrument::launch::Target>& target, Run what) {
    if (busy()) return false;
    if (!target) {
        emit message(QString::fromStdString(target.error().message));
        return false;
    }
    if (!QDir().mkpath(m_environment.sessionFolder)) {
        emit message(QStringLiteral("%1 can't be created: no session can be written.")
                         .arg(m_environment.sessionFolder));
        return false;
    }
    const QString stamp = QDateTime::currentDateTime().toString("yyyyMMdd-HHmmss-zzz");
    const QString file = QDir(m_environment.sessionFolder).filePath("dormer-" + stamp + ".dormer");
    emit message({});
    m_notes = instrument::launch::NoteFeed(false);
    setActivity(Activity::Collecting);
    const bool again = m_history.isAgain(what);
    if (const QString problem = m_collection.start(*target, file, again); !problem.isEmpty()) {
        setActivity(Activity::Idle);
        emit message(problem);
        return false;
    }
    what.time = QDateTime::currentDateTime();
    what.files = QStringList{file};
    m_history.begin(std::move(what), again);
    emit fileChanged(QFileInfo(file).fileName() + QStringLiteral(", saved as it runs"));
    return true;
}

void SessionControl::stop() {
    if (m_activity == Activity::Playing) m_player.stop();
    if (m_activity == Activity::Collecting) m_collection.stop();
}

void SessionControl::save(const QString& file) {
    if (file.isEmpty() || busy()) return;
    auto copy = std::make_shared<const session::Session>(m_hub.session());
    inBackground(
        this, [copy, file] { return store::saveSession(*copy, file.toStdString()); },
        [this, file](Result<void> saved) {
            if (!saved) {
                emit message(QString::fromStdString(saved.error().message));
                return;
            }
            remember(file);
            emit fileChanged(QFileInfo(file).fileName());
            emit message(QStringLiteral("Saved as %1.").arg(file));
        });
}

} // namespace dormer::ui::sessions
