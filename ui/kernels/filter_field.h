// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLineEdit>

class QStringListModel;

namespace dormer::ui::kernels {

/// Where the filter is typed: words of names, or an expression whose fields, operators and verdicts are
/// offered while it is typed.
class FilterField : public QLineEdit {
    Q_OBJECT
public:
    explicit FilterField(QWidget* parent = nullptr);

    /// What is wrong with the text: it is marked, and said below the pointer. Empty: nothing.
    void setProblem(const QString& problem);
    /// What is offered for the text as it is.
    [[nodiscard]] QStringList offered() const;

private:
    void offer(const QString& text);

    QStringListModel* m_offers;
    QString m_hint;
};

} // namespace dormer::ui::kernels
