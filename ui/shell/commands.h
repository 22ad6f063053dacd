// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/explain/search.h"

#include <QAction>
#include <QKeySequence>
#include <QObject>

#include <functional>

namespace dormer::ui::shell {

/// What can be done in the window, by keys and by name: one list for both.
class Commands : public QObject {
    Q_OBJECT
public:
    /// The window's keys lead here.
    explicit Commands(QWidget& window);

    /// `title` begins with a verb. `available` is asked when the commands are listed; none: always.
    void add(const QString& title, const QKeySequence& keys, std::function<void()> action,
             std::function<bool()> available = {});
    /// Those that can be done now.
    [[nodiscard]] QList<explain::Item> items() const;
    /// Does what an item's address says; false when it is none of a command.
    bool run(const QString& address) const;

private:
    struct Command {
        QAction* action;
        std::function<bool()> available;
    };
    QWidget& m_window;
    QList<Command> m_commands;
};

} // namespace dormer::ui::shell
