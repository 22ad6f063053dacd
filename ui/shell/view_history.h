// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"

#include <QList>
#include <QObject>
#include <QString>

#include <optional>

class QLineEdit;

namespace dormer::ui::sessions {
class SessionHub;
} // namespace dormer::ui::sessions

namespace dormer::ui::shell {

/// What was filtered and selected before, to go back to and forth. A session of its own each.
class ViewHistory : public QObject {
    Q_OBJECT
public:
    /// Follows both, which outlive it.
    ViewHistory(sessions::SessionHub& hub, QLineEdit& filter, QObject* parent = nullptr);

    [[nodiscard]] bool canUndo() const { return m_at > 0; }
    [[nodiscard]] bool canRedo() const { return m_at + 1 < m_states.size(); }
    void undo();
    void redo();

private:
    struct State {
        QString filter;
        std::optional<session::LaunchIndex> selected;
        bool operator==(const State&) const = default;
    };
    void begin();
    /// A change of the filter while it is typed goes with the one before.
    void note(bool typed);
    void apply();
    [[nodiscard]] State present() const;

    sessions::SessionHub& m_hub;
    QLineEdit& m_filter;
    QList<State> m_states; ///< never empty
    qsizetype m_at = 0;
    bool m_typing = false;   ///< the last change was of the filter, by keys
    bool m_applying = false; ///< what changes is brought about here
};

} // namespace dormer::ui::shell
