// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QCheckBox;
class QLabel;
class QPushButton;

namespace dormer::ui::sessions {
class SessionHub;
} // namespace dormer::ui::sessions

namespace dormer::ui::tables {
class FactTable;
} // namespace dormer::ui::tables

namespace dormer::ui::todo {

class ToDoFeed;

/// What to do about the session, the largest gain first. Choosing a row selects its launch everywhere; a
/// click, or Enter, shows the line it is about.
class ToDoView : public QWidget {
    Q_OBJECT
public:
    ToDoView(sessions::SessionHub& hub, ToDoFeed& feed, QWidget* parent = nullptr);

    [[nodiscard]] tables::FactTable& table() { return *m_table; }
    /// What stands at the right of the tabs: the sum of what the list says.
    [[nodiscard]] QWidget& head() { return *m_head; }

signals:
    /// The next run is to count per line.
    void linesRequested();

private:
    void fill();
    void selectRow(const QString& key);
    void showLine(const QString& key);
    void markSelected();
    [[nodiscard]] std::size_t indexOf(const QString& key) const;

    sessions::SessionHub& m_hub;
    ToDoFeed& m_feed;
    tables::FactTable* m_table;
    QLabel* m_empty;
    QCheckBox* m_folded; ///< shows findings without an estimate
    QWidget* m_head;
    QLabel* m_summary;
    QPushButton* m_count; ///< where counts per line would name places
};

} // namespace dormer::ui::todo
