// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QLabel;

namespace dormer::ui::sessions {
class SessionHub;
} // namespace dormer::ui::sessions

namespace dormer::ui::shell {

/// Device, driver, clocks and session file on the left; where the numbers come from on the right.
class StatusLine : public QWidget {
    Q_OBJECT
public:
    explicit StatusLine(sessions::SessionHub& hub, QWidget* parent = nullptr);
    /// "h100-basics.dormer", "demo.dormer, saved as it runs"; empty when the session has no file.
    void setFile(const QString& text);

private:
    void update();

    sessions::SessionHub& m_hub;
    QLabel* m_facts;
    QLabel* m_origin;
    QString m_file;
};

} // namespace dormer::ui::shell
