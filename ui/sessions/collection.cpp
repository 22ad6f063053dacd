// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/sessions/collection.h"

#include "analysis/store/session_file.h"
#include "ui/sessions/session_hub.h"

#include <QElapsedTimer>

#include <memory>
#include <utility>

namespace dormer::ui::sessions {
namespace {

/// Longest time the GUI thread spends on records before it looks after the user again.
constexpr int kSliceMs = 12;

QString line(const Error& error) {
    return QString::fromStdString(error.message);
}

QString describe(const instrument::launch::TargetEnd& end) {
    if (end.stopped || end.ok()) return {};
    if (end.signal)
        return QStringLiteral("The target was killed by signal %1; what it finished is kept.")
            .arg(*end.signal);
    return QStringLiteral("The target ended with exit code %1; what it finished is kept.")
        .arg(end.exitCode.value_or(-1));
}

} // namespace

Collection::Collection(SessionHub& hub, QObject* parent) : QObject(parent), m_hub(hub) {}

Collection::~Collection() {
    m_stop = true;
    if (m_worker.joinable()) m_worker.join();
}

QString Collection::start(const instrument::launch::Target& target, const QString& file) {
    if (m_running) return QStringLiteral("A collection is running already: stop it first.");
    auto created = store::SessionWriter::create(file.toStdString());
    if (!created) return line(created.error());
    if (m_worker.joinable()) m_worker.join();

    m_file = file;
    m_stop = false;
    m_running = true;
    m_arrived.clear();
    m_outcome = {};
    m_hub.setSession({});
    emit started();

    auto writer = std::make_shared<store::SessionWriter>(std::move(*created));
    m_worker = std::thread([this, target, writer] {
        QString problem;
        const auto keep = [&problem](const Result<void>& result) {
            if (!result && problem.isEmpty()) problem = line(result.error());
        };
        const auto onRecord = [&](const session::Record& record) {
            keep(writer->append(record));
            const std::lock_guard lock(m_mutex);
            m_arrived.push_back(record);
            if (std::exchange(m_drainPosted, true)) return;
            QMetaObject::invokeMethod(this, &Collection::drain, Qt::QueuedConnection);
        };
        const auto end = instrument::launch::runTarget(target, onRecord, m_stop);
        keep(writer->close());
        const QString failed = end ? describe(*end) : line(end.error());
        {
            const std::lock_guard lock(m_mutex);
            m_outcome = {.stopped = end && end->stopped, .problem = problem.isEmpty() ? failed : problem};
        }
        QMetaObject::invokeMethod(this, &Collection::conclude, Qt::QueuedConnection);
    });
    return {};
}

void Collection::stop() {
    m_stop = true;
}

void Collection::drain() {
    QElapsedTimer spent;
    spent.start();
    std::deque<session::Record> batch;
    {
        const std::lock_guard lock(m_mutex);
        batch.swap(m_arrived);
        m_drainPosted = false;
    }
    while (!batch.empty()) {
        m_hub.apply(batch.front());
        batch.pop_front();
        if (spent.elapsed() < kSliceMs || batch.empty()) continue;
        // The rest keeps its place before what arrived meanwhile.
        const std::lock_guard lock(m_mutex);
        m_arrived.insert(m_arrived.begin(), std::make_move_iterator(batch.begin()),
                         std::make_move_iterator(batch.end()));
        if (!std::exchange(m_drainPosted, true))
            QMetaObject::invokeMethod(this, &Collection::drain, Qt::QueuedConnection);
        return;
    }
}

void Collection::conclude() {
    {
        const std::lock_guard lock(m_mutex);
        if (!m_arrived.empty()) { // a slice ended early: records first, then the end
            QMetaObject::invokeMethod(this, &Collection::conclude, Qt::QueuedConnection);
            return;
        }
    }
    m_worker.join();
    m_running = false;
    emit finished(m_outcome.stopped, m_outcome.problem);
}

} // namespace dormer::ui::sessions
