// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/chart_panel.h"

#include "ui/roofline_chart.h"
#include "ui/session_hub.h"
#include "ui/sweep_view.h"
#include "ui/theme.h"
#include "ui/transfers_view.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace dormer::ui {

ChartPanel::ChartPanel(SessionHub& hub, QWidget* parent)
    : QFrame(parent)
    , m_hub(hub)
    , m_bar(new QWidget)
    , m_pages(new QStackedWidget)
    , m_chart(new RooflineChart(hub))
    , m_sweeps(new SweepView(hub))
    , m_transfers(new TransfersView(hub)) {
    setObjectName("panel");
    auto* row = new QHBoxLayout(m_bar);
    row->setContentsMargins(0, kGrid / 2, 0, 0);
    row->setSpacing(2 * kGrid);
    auto* group = new QButtonGroup(this);
    m_tabs[0] = addTab(Tab::Roofline, "Work per second against work per byte, below the device's roofs");
    m_tabs[1] = addTab(Tab::Sweeps, "A metric against the parameter in which workloads differ");
    m_tabs[2] = addTab(Tab::Transfers, "What moved between host and device, and what taking memory cost");
    for (QPushButton* tab : m_tabs) {
        group->addButton(tab);
        row->addWidget(tab);
    }
    row->addStretch();
    m_pages->addWidget(m_chart);
    m_pages->addWidget(m_sweeps);
    m_pages->addWidget(m_transfers);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, kGrid / 2, 2 * kGrid, kGrid / 2);
    layout->setSpacing(kGrid / 2);
    layout->addWidget(m_bar);
    layout->addWidget(m_pages, 1);
    connect(m_sweeps, &SweepView::sweepCountChanged, this, &ChartPanel::updateTabs);
    connect(m_transfers, &TransfersView::contentChanged, this, &ChartPanel::updateTabs);
    connect(&hub, &SessionHub::sessionReset, this, [this] {
        updateTabs();
        // Copies alone have no place on a roofline.
        if (m_hub.session().launches().empty()) setTab(Tab::Transfers);
    });
    m_tabs[0]->setChecked(true);
    updateTabs();
}

QPushButton* ChartPanel::addTab(Tab tab, const QString& hint) {
    auto* button = new QPushButton;
    button->setObjectName("tab");
    button->setCheckable(true);
    button->setToolTip(hint);
    connect(button, &QPushButton::toggled, this, [this, tab](bool on) {
        if (on) m_pages->setCurrentIndex(static_cast<int>(tab));
    });
    return button;
}

ChartPanel::Tab ChartPanel::tab() const {
    return static_cast<Tab>(m_pages->currentIndex());
}

bool ChartPanel::hasTab(Tab tab) const {
    return tab == Tab::Roofline || (tab == Tab::Sweeps ? m_sweeps->sweepCount() > 0 : !m_transfers->empty());
}

void ChartPanel::setTab(Tab tab) {
    if (hasTab(tab)) m_tabs[static_cast<std::size_t>(tab)]->setChecked(true);
}

void ChartPanel::updateTabs() {
    const qsizetype sweeps = m_sweeps->sweepCount();
    m_tabs[0]->setText(QStringLiteral("Roofline"));
    m_tabs[1]->setText(sweeps > 1 ? QStringLiteral("Sweeps (%1)").arg(sweeps) : QStringLiteral("Sweep"));
    m_tabs[2]->setText(QStringLiteral("Transfers"));
    for (const Tab each : {Tab::Sweeps, Tab::Transfers})
        m_tabs[static_cast<std::size_t>(each)]->setVisible(hasTab(each));
    if (!hasTab(tab())) setTab(Tab::Roofline);
    const bool several = hasTab(Tab::Sweeps) || hasTab(Tab::Transfers);
    m_bar->setVisible(several);
    m_chart->showTitle(!several);
}

QString ChartPanel::exportTo(const QString& path) const {
    return tab() == Tab::Sweeps ? m_sweeps->exportTo(path) : m_chart->exportTo(path);
}

} // namespace dormer::ui
