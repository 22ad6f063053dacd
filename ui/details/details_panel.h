// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/model.h"

#include <QFrame>
#include <QTimer>

class QLabel;
class QScrollArea;
class QVBoxLayout;

namespace dormer::view::details {
struct DetailsFacts;
} // namespace dormer::view::details

namespace dormer::ui::sessions {
class SessionHub;
class RunComparison;
} // namespace dormer::ui::sessions

namespace dormer::ui::todo {
class ToDoFeed;
} // namespace dormer::ui::todo

namespace dormer::ui::details {

/// The selected launch as a short article: verdict first, numbers second, raw counters last. Without one,
/// what to do first about the session.
class DetailsPanel : public QFrame {
    Q_OBJECT
public:
    DetailsPanel(sessions::SessionHub& hub, todo::ToDoFeed& feed, QWidget* parent = nullptr);

    /// What changed since the baseline is told, too. Must outlive the panel.
    void setComparison(const sessions::RunComparison& comparison);

signals:
    /// Somebody wants to know what the verdict means: "verdict:memory".
    void explanationAsked(const QString& address);

protected:
    void changeEvent(QEvent* event) override;

private:
    void rebuild();
    void addHeader(QVBoxLayout& article, const view::details::DetailsFacts& facts);
    void addWorkload(QVBoxLayout& article);
    void addWhy(QVBoxLayout& article);
    void addStalls(QVBoxLayout& article);
    void addChanges(QVBoxLayout& article);
    void addAdvice(QVBoxLayout& article);
    void addToDo(QVBoxLayout& article);
    void addFacts(QVBoxLayout& article, const view::details::DetailsFacts& facts);
    void addFold(QVBoxLayout& article, const QString& title, QWidget* content);
    void updatePlace();

    sessions::SessionHub& m_hub;
    todo::ToDoFeed& m_feed;
    const sessions::RunComparison* m_comparison = nullptr;
    QScrollArea* m_scroll;
    QLabel* m_place = nullptr; ///< "launch 2 of 28": lives as long as the article on screen
    QTimer m_rebuild;          ///< gathers changes of the selected launch
    QStringList m_unfolded;    ///< titles of folds the user opened; they stay open for the next launch
};

} // namespace dormer::ui::details
