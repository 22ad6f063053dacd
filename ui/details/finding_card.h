// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/diagnosis/todo.h"
#include "ui/sessions/session_hub.h"

#include <QWidget>

namespace dormer::ui::details {

/// A finding in the details: what is wrong, what it costs, where, and what to change.
class FindingCard : public QWidget {
    Q_OBJECT
public:
    /// `launchNs`: time of the launch, absent when it was not timed.
    FindingCard(const findings::Finding& finding, std::optional<double> launchNs, QWidget* parent = nullptr);

signals:
    void placeChosen(const sessions::SourcePlace& place);

private:
    void addPlace(const findings::FindingPlace& place);
};

/// The first of the session's to-do list, for when no launch is selected.
class ToDoCard : public QWidget {
    Q_OBJECT
public:
    explicit ToDoCard(const diagnosis::ToDo& item, QWidget* parent = nullptr);

signals:
    void chosen();
};

} // namespace dormer::ui::details
