// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/view/details/finding_text.h"
#include "analysis/view/recommendations.h"
#include "ui/sessions/session_hub.h"

#include <QWidget>

namespace dormer::ui::details {

/// A finding in the details: what is wrong, what it costs, where, and what to change.
class FindingCard : public QWidget {
    Q_OBJECT
public:
    explicit FindingCard(const view::details::FindingText& finding, QWidget* parent = nullptr);

signals:
    void placeChosen(const sessions::SourcePlace& place);

private:
    void addPlace(const view::details::FindingPlaceText& place);
};

/// One of the session's first recommendations, for when no launch is selected.
class ToDoCard : public QWidget {
    Q_OBJECT
public:
    explicit ToDoCard(const view::Recommendation& item, QWidget* parent = nullptr);

signals:
    void chosen();
};

} // namespace dormer::ui::details
