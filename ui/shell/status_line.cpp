// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/status_line.h"

#include "analysis/metrics/format.h"
#include "ui/look/theme.h"
#include "ui/sessions/session_hub.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>

namespace dormer::ui::shell {

StatusLine::StatusLine(sessions::SessionHub& hub, QWidget* parent)
    : QWidget(parent), m_hub(hub), m_facts(new QLabel), m_origin(new QLabel) {
    m_facts->setObjectName("muted");
    m_facts->setFont(look::smallFont(font()));
    m_facts->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_origin->setObjectName("good");
    QFont strong = look::smallFont(font());
    strong.setWeight(QFont::DemiBold);
    m_origin->setFont(strong);
    m_origin->setAccessibleName("Provenance");
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(2 * look::kGrid, 0, 2 * look::kGrid, look::kGrid / 2);
    layout->addWidget(m_facts, 1);
    layout->addWidget(m_origin);
    connect(&hub, &sessions::SessionHub::sessionReset, this, &StatusLine::update);
    connect(&hub, &sessions::SessionHub::contextChanged, this, &StatusLine::update);
    update();
}

void StatusLine::setFile(const QString& text) {
    m_file = text;
    update();
}

void StatusLine::update() {
    const session::Session& session = m_hub.session();
    QStringList facts;
    const auto hertz = [](double value) {
        return QString::fromStdString(metrics::forPeople(value, metrics::Unit::Hertz));
    };
    if (!session.devices().empty()) {
        const session::Device& device = session.devices().front();
        facts << QString::fromStdString(device.name);
        if (!device.driverVersion.empty())
            facts << QStringLiteral("driver %1").arg(QString::fromStdString(device.driverVersion));
        if (device.smClockMaxHz > 0)
            facts << QStringLiteral("SM up to %1, memory %2")
                         .arg(hertz(device.smClockMaxHz), hertz(device.memoryClockMaxHz));
        if (session.devices().size() > 1)
            facts << QStringLiteral("and %1 more devices").arg(session.devices().size() - 1);
    }
    if (!m_file.isEmpty()) facts << m_file;
    m_facts->setText(facts.join(QStringLiteral(" \u00b7 ")));
    m_facts->setToolTip(m_facts->text());

    const bool empty = session.processes().empty();
    m_origin->setText(empty ? QString() : QString::fromStdString(session::provenance(session)));
    m_origin->setToolTip("Where the numbers on screen come from");
    // Green is for what was counted on hardware; anything else is said without colour.
    bool measured = true;
    for (const session::Process& process : session.processes())
        measured = measured && process.origin == session::Origin::Measured;
    m_origin->setObjectName(measured ? "good" : "muted");
    m_origin->style()->unpolish(m_origin);
    m_origin->style()->polish(m_origin);
}

} // namespace dormer::ui::shell
