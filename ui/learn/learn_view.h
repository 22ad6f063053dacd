// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/learn/course.h"

#include <QFrame>

class QButtonGroup;
class QLabel;
class QListWidget;
class QPushButton;
class QVBoxLayout;

namespace dormer::ui::learn {

/// The suite as a course: its lessons on the left with how far one is, one lesson on the right: the question,
/// the kernels to choose from as a prediction, the run, the result, the next step.
class LearnView : public QFrame {
    Q_OBJECT
public:
    explicit LearnView(QWidget* parent = nullptr);

    void setSuite(const std::vector<instrument::launch::WorkloadInfo>& suite);
    /// Why nothing can be run; empty when it can.
    void setProblem(const QString& problem);
    [[nodiscard]] const std::vector<Lesson>& lessons() const { return m_lessons; }
    [[nodiscard]] const Lesson* lesson() const;
    /// The run that was asked for has begun, or has ended with this.
    void setRunning();
    void setResult(const diagnosis::Diagnosis& diagnosis);

signals:
    void runRequested(const QStringList& workloads);
    /// A launch of the result is to be looked at.
    void launchChosen(session::LaunchIndex launch);
    void closed();

private:
    void showLesson(int row);
    void showChoices(const Lesson& lesson);
    void showOutcome(const std::vector<Outcome>& outcomes, std::size_t place);
    void markProgress();
    void update();
    static void empty(QVBoxLayout& layout);

    std::vector<Lesson> m_lessons;
    QString m_problem;
    bool m_running = false;
    QListWidget* m_list;
    QLabel* m_title;
    QLabel* m_about;
    QVBoxLayout* m_choices;
    QButtonGroup* m_prediction;
    QPushButton* m_run;
    QLabel* m_said; ///< what is happening, or how the prediction was
    QVBoxLayout* m_result;
    QPushButton* m_next;
};

} // namespace dormer::ui::learn
