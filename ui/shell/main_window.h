// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/sessions/environment.h"
#include "ui/sessions/launch_filter.h"
#include "ui/sessions/program_watch.h"
#include "ui/sessions/run_comparison.h"
#include "ui/sessions/session_hub.h"
#include "ui/shell/chart_panel.h"
#include "ui/todo/todo_feed.h"

#include <QMainWindow>

class QSplitter;
class QStackedWidget;

namespace dormer::ui::details {
class DetailsPanel;
} // namespace dormer::ui::details

namespace dormer::ui::kernels {
class KernelTableView;
} // namespace dormer::ui::kernels

namespace dormer::ui::learn {
class LearnView;
} // namespace dormer::ui::learn

namespace dormer::ui::sessions {
class SessionControl;
} // namespace dormer::ui::sessions

namespace dormer::ui::setup {
struct RunSetup;
class SetupPanel;
} // namespace dormer::ui::setup

namespace dormer::ui::shell {

class Commands;
class ExplainPart;
class ListPanel;
class MachinePart;
class MessageBar;
class StatusLine;
class TopBar;
class ViewHistory;
class Welcome;

/// Arranges the parts and wires them; what they do is theirs.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(sessions::Environment environment, QWidget* parent = nullptr);
    ~MainWindow() override;

    [[nodiscard]] sessions::SessionHub& hub() { return m_hub; }
    [[nodiscard]] sessions::SessionControl& control() { return *m_control; }
    [[nodiscard]] ChartPanel& chartPanel() { return *m_chart; }
    [[nodiscard]] kernels::KernelTableView& kernels();
    [[nodiscard]] ListPanel& lists() { return *m_lists; }
    [[nodiscard]] setup::SetupPanel& setup() { return *m_setup; }
    [[nodiscard]] todo::ToDoFeed& toDo() { return m_toDo; }
    [[nodiscard]] const sessions::RunComparison& comparison() const { return m_comparison; }
    [[nodiscard]] sessions::ProgramWatch& watch() { return m_watch; }
    [[nodiscard]] MessageBar& messages() { return *m_messages; }
    [[nodiscard]] ExplainPart& explain() { return *m_explain; }

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void arrange();
    void wireSession();
    void wireRun();
    void wireMachines();
    void wireLearn();
    void wireLoop();
    void addCommands();
    void addViews();
    void lookAround();
    void updateCentre();
    void shareRoom();
    void chooseFile();
    void chooseSaveName();
    void chooseExportName();
    void run();
    bool start(const setup::RunSetup& asked);
    void learn(bool on);
    void watchProgram();
    void runAgain();
    void showChanges();
    void followSetup();
    void offerLines();
    void applyFilter();

    sessions::SessionHub m_hub;
    todo::ToDoFeed m_toDo;
    sessions::RunComparison m_comparison;
    sessions::ProgramWatch m_watch;
    bool m_changedMeanwhile = false; ///< the program's file, while it ran
    sessions::SessionControl* m_control;
    TopBar* m_top;
    MessageBar* m_messages;
    MachinePart* m_machines;
    setup::SetupPanel* m_setup;
    Welcome* m_welcome;
    learn::LearnView* m_learn;
    bool m_learns = false;     ///< the course is wanted in the middle of the window
    bool m_lessonRuns = false; ///< what runs is a lesson's
    QSplitter* m_charted;      ///< chart over lists
    QSplitter* m_columns;
    QStackedWidget* m_centre;
    ChartPanel* m_chart;
    ListPanel* m_lists;
    details::DetailsPanel* m_details;
    StatusLine* m_status;
    Commands* m_commands;
    ExplainPart* m_explain;
    ViewHistory* m_past;
    std::optional<ChartPanel::Tab> m_room; ///< the tab that the window's parts have room for
    sessions::LaunchFilter m_filter;
};

} // namespace dormer::ui::shell
