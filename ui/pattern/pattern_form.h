// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/access/lane_pattern.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;

namespace dormer::ui::pattern {

/// The fields of a question about an access: the expression, and what goes with it.
class PatternForm : public QWidget {
    Q_OBJECT
public:
    explicit PatternForm(QWidget* parent = nullptr);

    void setQuestion(const access::PatternQuestion& question);
    /// What the fields say; an error names the field whose text is no such thing.
    [[nodiscard]] Result<access::PatternQuestion> question() const;
    [[nodiscard]] QLineEdit& expression() { return *m_expression; }

signals:
    void changed();

private:
    QLineEdit* field(const QString& name, const QString& placeholder, const QString& hint, int width);
    QComboBox* choice(const QString& name, const QString& hint);
    void fillChoices();
    void fieldChanged();

    QLineEdit* m_expression;
    QComboBox* m_type;
    QComboBox* m_space;
    QComboBox* m_op;
    QComboBox* m_chip;
    QCheckBox* m_bypass;
    QLineEdit* m_row;
    QLineEdit* m_active;
    QLineEdit* m_block;
    QLineEdit* m_warp;
};

} // namespace dormer::ui::pattern
