// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/sessions/collection.h"

#include "instrument/launch/target_problem.h"
#include "instrument/request/nothing_counted.h"
#include "ui/sessions/session_hub.h"

#include <QElapsedTimer>

#include <memory>
#include <utility>

namespace dormer::ui::sessions {
namespace {

/// Longest time the GUI thread spends on records before it looks after the user again.
constexpr int kSliceMs = 12;
constexpr std::chrono::milliseconds kFoldInterval{200};

QString line(const Error& error) {
    return QString::fromStdString(error.message);
}

} // namespace

Collection::Collection(SessionHub& hub, QObject* parent) : QObject(parent), m_hub(hub) {}

Collection::~Collection() {
    m_stop = true;
    if (m_worker.joinable()) m_worker.join();
}

QString Collection::start(const instrument::launch::Target& target, const QString& file, bool again) {
    if (m_running) return QStringLiteral("A collection is running already: stop it first.");
    auto created = store::SessionWriter::create(file.toStdString());
    if (!created) return line(created.error());
    if (m_worker.joinable()) m_worker.join();

    m_file = file;
    m_stop = false;
    m_running = true;
    m_arrived.clear();
    m_fold = instrument::launch::LiveFold();
    if (again) {
        m_hub.startAgain();
    } else {
        m_hub.setSession({});
        m_hub.setBaseline({});
    }
    emit started();

    m_target = target;
    auto writer = std::make_shared<store::SessionWriter>(std::move(*created));
    m_worker = std::thread([this, writer] {
        auto end = instrument::launch::runCollection(
            m_target, std::move(*writer),
            [this](const session::Record& record, std::uint32_t process) { onRecord(record, process); },
            m_stop);
        {
            const std::lock_guard lock(m_mutex);
            m_end = std::move(end);
        }
        QMetaObject::invokeMethod(this, &Collection::conclude, Qt::QueuedConnection);
    });
    return {};
}

void Collection::onRecord(const session::Record& record, std::uint32_t process) {
    const std::lock_guard lock(m_mutex);
    if (m_fold.absorbs(record, process)) {
        // Sums change with each launch and are shown now and then.
        const auto now = std::chrono::steady_clock::now();
        if (now < m_nextFold) return;
        m_nextFold = now + kFoldInterval;
        if (auto note = m_fold.note()) m_arrived.emplace_back(std::move(*note), process);
    } else {
        m_arrived.emplace_back(record, process);
    }
    if (std::exchange(m_drainPosted, true)) return;
    QMetaObject::invokeMethod(this, &Collection::drain, Qt::QueuedConnection);
}

void Collection::stop() {
    m_stop = true;
}

void Collection::drain() {
    QElapsedTimer spent;
    spent.start();
    std::deque<Arrived> batch;
    {
        const std::lock_guard lock(m_mutex);
        batch.swap(m_arrived);
        m_drainPosted = false;
    }
    while (!batch.empty()) {
        m_hub.apply(batch.front().first, batch.front().second);
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
    // After all records that came before: what is folded counts with launches that the session has.
    std::vector<instrument::launch::FoldedLaunches> folded;
    {
        const std::lock_guard lock(m_mutex);
        if (m_arrived.empty()) folded = m_fold.take();
    }
    for (const instrument::launch::FoldedLaunches& each : folded)
        m_hub.fold(each);
}

void Collection::conclude() {
    {
        const std::lock_guard lock(m_mutex);
        if (!m_arrived.empty()) { // a slice ended early: records first, then the end
            QMetaObject::invokeMethod(this, &Collection::conclude, Qt::QueuedConnection);
            return;
        }
    }
    drain(); // sums that were not shown yet
    m_worker.join();
    m_running = false;
    if (!m_end) return emit finished(false, line(m_end.error()));
    if (m_end->unwritten) return emit finished(false, line(*m_end->unwritten));
    const auto problem =
        m_end->target.stopped
            ? std::nullopt
            : instrument::launch::targetProblem(m_target, m_end->target, m_hub.session(),
                                                "what it finished is in " + m_file.toStdString());
    if (problem || m_end->target.stopped || m_target.options.counterSet == "none")
        return emit finished(m_end->target.stopped, problem ? line(*problem) : QString());
    // One line: what happened, and the first reason where there are several.
    QStringList why;
    for (const std::string& each : instrument::request::whyNothingWasCounted(m_hub.session()))
        if (why.size() < 2) why << QString::fromStdString(each).trimmed();
    emit finished(false, why.join(QStringLiteral("; ")));
}

} // namespace dormer::ui::sessions
