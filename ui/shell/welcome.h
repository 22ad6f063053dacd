// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QPushButton;
class QVBoxLayout;

namespace dormer::ui::shell {

/// What an empty window shows: the ways to get a chart, and what needs none, one sentence each.
class Welcome : public QWidget {
    Q_OBJECT
public:
    explicit Welcome(QWidget* parent = nullptr);

    /// Whether the suite can run here; `reason` says why not.
    void setRunnable(bool runnable, const QString& reason);
    /// A recording that came with the program; empty when there is none.
    void setRecording(const QString& file);

signals:
    void runRequested();
    void openRequested();
    void playRequested(const QString& file);
    void patternRequested();
    void programRequested();
    void learnRequested();

private:
    QPushButton* choice(QVBoxLayout& column, const QString& name, const QString& title);
    static void describe(QPushButton& button, const QString& title, const QString& sentence);

    QPushButton* m_run;
    QPushButton* m_open;
    QPushButton* m_play;
    QString m_recording;
};

} // namespace dormer::ui::shell
