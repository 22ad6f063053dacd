// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/machine_part.h"

#include "ui/look/theme.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace dormer::ui::shell {

MachinePart::MachinePart(sessions::ListRemoteDevices list, QWidget* parent)
    : QFrame(parent)
    , m_machines(std::move(list))
    , m_host(new QLineEdit)
    , m_dormer(new QLineEdit)
    , m_add(new QPushButton("Add"))
    , m_said(new QLabel)
    , m_list(new QVBoxLayout) {
    setObjectName("panel");
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * look::kGrid, look::kGrid, 2 * look::kGrid, look::kGrid);
    layout->setSpacing(look::kGrid);
    auto* title = new QLabel("Machines over ssh");
    title->setFont(look::headingFont(font(), 1));
    layout->addWidget(title);
    layout->addLayout(m_list);
    addFields(*layout);
    m_said->setObjectName("machineSaid");
    m_said->setTextFormat(Qt::PlainText);
    m_said->setWordWrap(true);
    m_said->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(m_said);
    hide();

    connect(m_add, &QPushButton::clicked, this, &MachinePart::add);
    for (QLineEdit* edit : {m_host, m_dormer})
        connect(edit, &QLineEdit::returnPressed, this, &MachinePart::add);
    connect(&m_machines, &sessions::Machines::changed, this, &MachinePart::showMachines);
    connect(&m_machines, &sessions::Machines::refused, this,
            [this](const QString& problem) { tell(problem, false); });
    connect(&m_machines, &sessions::Machines::added, this, [this](const QString& host) {
        tell({}, false);
        hide();
        emit machineAdded(host);
    });
    showMachines();
    tell({}, false);
}

void MachinePart::addFields(QVBoxLayout& layout) {
    auto* row = new QHBoxLayout;
    row->setSpacing(look::kGrid);
    const auto field = [row](QLineEdit& edit, const char* name, const char* title, const char* hint,
                             const char* tip) {
        edit.setObjectName(name);
        edit.setAccessibleName(title);
        edit.setPlaceholderText(hint);
        edit.setToolTip(tip);
        edit.setClearButtonEnabled(true);
        auto* label = new QLabel(title);
        label->setBuddy(&edit);
        row->addWidget(label);
        row->addWidget(&edit, 1);
    };
    field(*m_host, "machineHost", "Host", "gpu-box or me@gpu-box",
          "As your ssh knows it: keys, port and user come from ~/.ssh/config");
    field(*m_dormer, "machineDormer", "Its dormer", "dormer in the PATH there",
          "Path of dormer on that machine, if it is not in the PATH: ~/dormer/bin/dormer");
    m_add->setObjectName("machineAdd");
    auto* close = new QPushButton("Close");
    close->setObjectName("link");
    connect(close, &QPushButton::clicked, this, &QWidget::hide);
    row->addWidget(m_add);
    row->addWidget(close);
    layout.addLayout(row);
}

void MachinePart::start() {
    tell({}, false);
    show();
    m_host->setFocus();
    m_host->selectAll();
}

void MachinePart::add() {
    const QString dormer = m_dormer->text().trimmed();
    const QString problem = m_machines.add(
        {m_host->text().trimmed().toStdString(), dormer.isEmpty() ? "dormer" : dormer.toStdString()});
    if (!problem.isEmpty()) return tell(problem, false);
    tell(QStringLiteral("Connecting to %1\u2026").arg(m_host->text().trimmed()), true);
}

void MachinePart::tell(const QString& text, bool busy) {
    m_said->setText(text);
    m_said->setVisible(!text.isEmpty());
    m_add->setEnabled(!busy);
}

void MachinePart::showMachines() {
    while (QLayoutItem* item = m_list->takeAt(0)) {
        if (item->widget() != nullptr) item->widget()->deleteLater();
        delete item;
    }
    for (const sessions::Machine& machine : m_machines.all()) {
        const QString host = QString::fromStdString(machine.host.host);
        auto* row = new QWidget;
        auto* layout = new QHBoxLayout(row);
        layout->setContentsMargins(0, 0, 0, 0);
        auto* name =
            new QLabel(QStringLiteral("%1 \u00b7 %2").arg(host, QString::fromStdString(machine.host.dormer)));
        name->setTextFormat(Qt::PlainText);
        auto* remove = new QPushButton("Remove");
        remove->setObjectName("link");
        remove->setProperty("removes", host);
        remove->setAccessibleName(QStringLiteral("Remove %1").arg(host));
        connect(remove, &QPushButton::clicked, this, [this, host] { m_machines.forget(host); });
        layout->addWidget(name);
        layout->addWidget(remove);
        layout->addStretch();
        m_list->addWidget(row);
    }
}

void MachinePart::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) return hide();
    QFrame::keyPressEvent(event);
}

} // namespace dormer::ui::shell
