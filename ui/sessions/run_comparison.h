// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/compare/run_changes.h"
#include "ui/sessions/session_hub.h"

#include <QTimer>

namespace dormer::ui::sessions {

/// What changed between the hub's baseline and its session, for all views. Worked out soon after either
/// changes, and while launches arrive never more than a fifth of the time.
class RunComparison : public QObject {
    Q_OBJECT
public:
    explicit RunComparison(SessionHub& hub, QObject* parent = nullptr);

    /// Null without a baseline, and until both have launches.
    [[nodiscard]] const compare::RunChanges* changes() const { return m_changes ? &*m_changes : nullptr; }
    /// Of the launch's group; null where the baseline has no such kernel.
    [[nodiscard]] const compare::KernelChange* changeOf(session::LaunchIndex launch) const;
    /// Shows what arrived since the last time; happens by itself.
    void flush();

signals:
    void changed();

private:
    SessionHub& m_hub;
    bool m_told = false; ///< that there are changes
    QTimer m_timer;
    std::optional<compare::RunChanges> m_changes;
};

} // namespace dormer::ui::sessions
