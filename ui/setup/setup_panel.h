// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/setup/run_setup.h"

#include <QFrame>

#include <array>

class QPushButton;
class QStackedWidget;

namespace dormer::ui::workloads {
class WorkloadPanel;
} // namespace dormer::ui::workloads

namespace dormer::ui::setup {

class OptionsForm;
class ProgramForm;

/// What to run, on the left of the window: the built-in workloads or a program, and how to collect.
class SetupPanel : public QFrame {
    Q_OBJECT
public:
    explicit SetupPanel(QWidget* parent = nullptr);

    [[nodiscard]] workloads::WorkloadPanel& workloads() { return *m_workloads; }
    [[nodiscard]] ProgramForm& program() { return *m_program; }
    [[nodiscard]] OptionsForm& options() { return *m_options; }
    [[nodiscard]] Subject subject() const;
    void setSubject(Subject subject);
    /// What all controls here say; counter set and device are chosen elsewhere.
    [[nodiscard]] RunSetup setup() const;

signals:
    void subjectChanged();
    /// The subject, or anything that setup() tells.
    void changed();
    void runRequested();
    /// A program that ran lately was chosen, which collected this set.
    void counterSetChosen(const QString& set);

protected:
    bool event(QEvent* event) override;

private:
    void makeRoom();
    workloads::WorkloadPanel* m_workloads;
    ProgramForm* m_program;
    OptionsForm* m_options;
    QStackedWidget* m_pages;
    std::array<QPushButton*, 2> m_tabs{}; ///< by Subject
};

} // namespace dormer::ui::setup
