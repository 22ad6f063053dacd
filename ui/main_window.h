// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/chart_panel.h"
#include "ui/environment.h"
#include "ui/launch_filter.h"
#include "ui/session_hub.h"
#include "ui/todo_feed.h"

#include <QMainWindow>

class QSplitter;
class QStackedWidget;

namespace dormer::ui {

class DetailsPanel;
class KernelTableView;
class ListPanel;
class MessageBar;
class SessionControl;
class StatusLine;
class TopBar;
class Welcome;
class WorkloadPanel;

/// Arranges the parts and wires them; what they do is theirs.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(Environment environment, QWidget* parent = nullptr);
    ~MainWindow() override;

    [[nodiscard]] SessionHub& hub() { return m_hub; }
    [[nodiscard]] SessionControl& control() { return *m_control; }
    [[nodiscard]] ChartPanel& chartPanel() { return *m_chart; }
    [[nodiscard]] KernelTableView& kernels();
    [[nodiscard]] ListPanel& lists() { return *m_lists; }
    [[nodiscard]] ToDoFeed& toDo() { return m_toDo; }
    [[nodiscard]] MessageBar& messages() { return *m_messages; }

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void arrange();
    void wireSession();
    void wireRun();
    void addShortcuts();
    void lookAround();
    void updateCentre();
    void shareRoom();
    void chooseFile();
    void chooseSaveName();
    void chooseExportName();
    void run();
    void applyFilter();

    SessionHub m_hub;
    ToDoFeed m_toDo;
    SessionControl* m_control;
    TopBar* m_top;
    MessageBar* m_messages;
    WorkloadPanel* m_workloads;
    Welcome* m_welcome;
    QSplitter* m_charted; ///< chart over lists
    QSplitter* m_columns;
    QStackedWidget* m_centre;
    ChartPanel* m_chart;
    ListPanel* m_lists;
    DetailsPanel* m_details;
    StatusLine* m_status;
    std::optional<ChartPanel::Tab> m_room; ///< the tab that the window's parts have room for
    LaunchFilter m_filter;
};

} // namespace dormer::ui
