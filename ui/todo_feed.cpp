// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/todo_feed.h"

#include "ui/session_hub.h"

#include <QElapsedTimer>

#include <algorithm>

namespace dormer::ui {
namespace {

/// Lets a session that was opened be painted first.
constexpr int kAfterOpeningMs = 30;
constexpr int kLeastMs = 250, kMostMs = 20000;
constexpr double kShare = 20; ///< waits so many times as long as it took

} // namespace

ToDoFeed::ToDoFeed(SessionHub& hub, QObject* parent) : QObject(parent), m_hub(hub) {
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &ToDoFeed::flush);
    connect(&hub, &SessionHub::sessionReset, this, [this] {
        m_timer.stop();
        m_lastMs = 0;
        m_list.clear(); // it refers to launches that are gone
        emit changed();
        later(kAfterOpeningMs);
    });
    const auto grew = [this] { later(std::clamp(static_cast<int>(kShare * m_lastMs), kLeastMs, kMostMs)); };
    connect(&hub, &SessionHub::launchChanged, this, grew);
    connect(&hub, &SessionHub::contextChanged, this, grew);
    connect(&hub, &SessionHub::suiteChanged, this, grew);
}

std::size_t ToDoFeed::withGain() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(m_list, [](const analysis::ToDo& item) { return item.gainNs.has_value(); }));
}

void ToDoFeed::later(int milliseconds) {
    if (!m_timer.isActive()) m_timer.start(milliseconds);
}

void ToDoFeed::flush() {
    m_timer.stop();
    QElapsedTimer clock;
    clock.start();
    m_list = analysis::toDoList(m_hub.metrics());
    m_lastMs = static_cast<double>(clock.nsecsElapsed()) / 1e6;
    emit changed();
}

} // namespace dormer::ui
