// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/sessions/machines.h"

#include <QFrame>

class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace dormer::ui::shell {

/// Adds and removes machines over ssh, in a strip above the chart: what ssh calls the machine, and where its
/// dormer is.
class MachinePart : public QFrame {
    Q_OBJECT
public:
    explicit MachinePart(sessions::ListRemoteDevices list, QWidget* parent = nullptr);

    [[nodiscard]] sessions::Machines& machines() { return m_machines; }
    /// Shows the strip with the cursor in its first field.
    void start();

signals:
    /// A machine answered and is in the list now.
    void machineAdded(const QString& host);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void addFields(QVBoxLayout& layout);
    void add();
    void tell(const QString& text, bool busy);
    void showMachines();

    sessions::Machines m_machines;
    QLineEdit* m_host;
    QLineEdit* m_dormer;
    QPushButton* m_add;
    QLabel* m_said;
    QVBoxLayout* m_list;
};

} // namespace dormer::ui::shell
