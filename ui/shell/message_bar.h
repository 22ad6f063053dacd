// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>

class QLabel;

namespace dormer::ui::shell {

/// One line of news across the window, in place of a dialog. Stays until it is closed or replaced.
class MessageBar : public QFrame {
    Q_OBJECT
public:
    explicit MessageBar(QWidget* parent = nullptr);
    void show(const QString& text);
    void clear();
    [[nodiscard]] QString text() const;

private:
    QLabel* m_text;
};

} // namespace dormer::ui::shell
