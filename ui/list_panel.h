// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/session_hub.h"

#include <QFrame>

#include <array>

class QPushButton;
class QStackedWidget;

namespace dormer::ui {

class KernelTableView;
class ToDoFeed;
class ToDoView;

/// The lists below the chart: kernels, and what to do about them.
class ListPanel : public QFrame {
    Q_OBJECT
public:
    enum class Tab { Kernels, ToDo };

    ListPanel(SessionHub& hub, ToDoFeed& feed, QWidget* parent = nullptr);

    [[nodiscard]] KernelTableView& kernels() { return *m_kernels; }
    [[nodiscard]] ToDoView& toDo() { return *m_toDo; }
    [[nodiscard]] Tab tab() const;
    void setTab(Tab tab);

private:
    void nameTabs();

    ToDoFeed& m_feed;
    KernelTableView* m_kernels;
    ToDoView* m_toDo;
    QStackedWidget* m_heads;
    QStackedWidget* m_pages;
    std::array<QPushButton*, 2> m_tabs{}; ///< by Tab
};

} // namespace dormer::ui
