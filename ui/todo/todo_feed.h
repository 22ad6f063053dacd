// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/view/recommendations.h"

#include <QObject>
#include <QTimer>

#include <vector>

namespace dormer::ui::sessions {
class SessionHub;
} // namespace dormer::ui::sessions

namespace dormer::ui::todo {

/// The session's recommendations, worked out anew some time after the session changed: the longer that takes,
/// the less often, so that at most a twentieth of the time goes into it while launches arrive.
class ToDoFeed : public QObject {
    Q_OBJECT
public:
    explicit ToDoFeed(sessions::SessionHub& hub, QObject* parent = nullptr);

    [[nodiscard]] const std::vector<view::Recommendation>& list() const { return m_list; }
    /// Those with an estimated gain.
    [[nodiscard]] std::size_t withGain() const;
    /// Works it out now.
    void flush();
    /// How long the last time took.
    [[nodiscard]] double lastMs() const { return m_lastMs; }

signals:
    void changed();

private:
    void later(int milliseconds);

    sessions::SessionHub& m_hub;
    std::vector<view::Recommendation> m_list;
    QTimer m_timer;
    double m_lastMs = 0;
};

} // namespace dormer::ui::todo
