// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/pattern/pattern_form.h"

class QLabel;
class QScrollArea;

namespace dormer::ui::pattern {

class LanePictureView;

/// What an access expression does to memory, drawn while it is typed. Needs no session.
class PatternPanel : public QWidget {
    Q_OBJECT
public:
    explicit PatternPanel(QWidget* parent = nullptr);

    [[nodiscard]] PatternForm& form() { return *m_form; }
    [[nodiscard]] LanePictureView& picture() { return *m_picture; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* examples();
    QWidget* answer();
    void answerQuestion();
    void showProblem(const QString& problem);

    PatternForm* m_form;
    QLabel* m_problem;
    QLabel* m_headline;
    QLabel* m_use;
    QLabel* m_advice;
    QLabel* m_subject;
    QLabel* m_legend;
    LanePictureView* m_picture;
    QWidget* m_answer;
    QLabel* m_empty;
};

} // namespace dormer::ui::pattern
