// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/setup/run_setup.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QListWidget;

namespace dormer::ui::setup {

/// A program to profile: command line, environment and folder, and those profiled lately.
class ProgramForm : public QWidget {
    Q_OBJECT
public:
    explicit ProgramForm(QWidget* parent = nullptr);

    [[nodiscard]] TypedProgram program() const;
    void setProgram(const TypedProgram& program);
    /// Reads the programs profiled lately again.
    void showRecent();
    void startTyping();

signals:
    void changed();
    void runRequested();
    /// One of those profiled lately was chosen: how it was collected.
    void optionsChosen(const RunOptions& options);

private:
    QLineEdit* field(const char* name, const QString& title, const QString& hint, const QString& tip);
    void chooseProgram();
    void chooseFolder();

    QLineEdit* m_command;
    QLineEdit* m_folder;
    QLineEdit* m_environment;
    QLabel* m_recentTitle;
    QListWidget* m_recent;
};

} // namespace dormer::ui::setup
