// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/sessions/session_hub.h"

#include <QFrame>

#include <array>

class QPushButton;
class QStackedWidget;

namespace dormer::ui::kernels {
class KernelTableView;
} // namespace dormer::ui::kernels

namespace dormer::ui::todo {
class ToDoFeed;
class ToDoView;
} // namespace dormer::ui::todo

namespace dormer::ui::shell {

/// The lists below the chart: kernels, and what to do about them.
class ListPanel : public QFrame {
    Q_OBJECT
public:
    enum class Tab { Kernels, ToDo };

    ListPanel(sessions::SessionHub& hub, todo::ToDoFeed& feed, QWidget* parent = nullptr);

    [[nodiscard]] kernels::KernelTableView& kernels() { return *m_kernels; }
    [[nodiscard]] todo::ToDoView& toDo() { return *m_toDo; }
    [[nodiscard]] Tab tab() const;
    void setTab(Tab tab);

private:
    void nameTabs();

    todo::ToDoFeed& m_feed;
    kernels::KernelTableView* m_kernels;
    todo::ToDoView* m_toDo;
    QStackedWidget* m_heads;
    QStackedWidget* m_pages;
    std::array<QPushButton*, 2> m_tabs{}; ///< by Tab
};

} // namespace dormer::ui::shell
