// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/todo/todo_feed.h"

#include "ui/sessions/session_hub.h"

#include <QElapsedTimer>

#include <algorithm>

namespace dormer::ui::todo {
namespace {

/// Lets a session that was opened be painted first.
constexpr int kAfterOpeningMs = 30;
constexpr int kLeastMs = 250, kMostMs = 20000;
constexpr double kShare = 20; ///< waits so many times as long as it took

} // namespace

ToDoFeed::ToDoFeed(sessions::SessionHub& hub, QObject* parent) : QObject(parent), m_hub(hub) {
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &ToDoFeed::flush);
    connect(&hub, &sessions::SessionHub::sessionReset, this, [this] {
        m_timer.stop();
        m_lastMs = 0;
        m_list.clear(); // it refers to launches that are gone
        emit changed();
        later(kAfterOpeningMs);
    });
    const auto grew = [this] { later(std::clamp(static_cast<int>(kShare * m_lastMs), kLeastMs, kMostMs)); };
    connect(&hub, &sessions::SessionHub::launchChanged, this, grew);
    connect(&hub, &sessions::SessionHub::contextChanged, this, grew);
    connect(&hub, &sessions::SessionHub::suiteChanged, this, grew);
}

std::size_t ToDoFeed::withGain() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        m_list, [](const view::Recommendation& row) { return row.item.gainNs.has_value(); }));
}

void ToDoFeed::later(int milliseconds) {
    if (!m_timer.isActive()) m_timer.start(milliseconds);
}

void ToDoFeed::flush() {
    m_timer.stop();
    QElapsedTimer clock;
    clock.start();
    m_list = view::recommendations(m_hub.diagnosis());
    m_lastMs = static_cast<double>(clock.nsecsElapsed()) / 1e6;
    emit changed();
}

} // namespace dormer::ui::todo
