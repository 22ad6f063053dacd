// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/todo.h"
#include "ui/session_hub.h"

#include <QWidget>

namespace dormer::ui {

/// A finding in the details: what is wrong, what it costs, where, and what to change.
class FindingCard : public QWidget {
    Q_OBJECT
public:
    /// `launchNs`: time of the launch, absent when it was not timed.
    FindingCard(const analysis::Finding& finding, std::optional<double> launchNs, QWidget* parent = nullptr);

signals:
    void placeChosen(const dormer::ui::SourcePlace& place);

private:
    void addPlace(const analysis::FindingPlace& place);
};

/// The first of the session's to-do list, for when no launch is selected.
class ToDoCard : public QWidget {
    Q_OBJECT
public:
    explicit ToDoCard(const analysis::ToDo& item, QWidget* parent = nullptr);

signals:
    void chosen();
};

} // namespace dormer::ui
