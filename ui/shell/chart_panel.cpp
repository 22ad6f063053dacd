// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/chart_panel.h"

#include "ui/look/theme.h"
#include "ui/pattern/pattern_panel.h"
#include "ui/roofline/roofline_chart.h"
#include "ui/sessions/session_hub.h"
#include "ui/sources/source_view.h"
#include "ui/sweeps/sweep_view.h"
#include "ui/timeline/timeline_view.h"
#include "ui/transfers/transfers_view.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace dormer::ui::shell {
namespace {

constexpr int kLeastPage = 56 * look::kGrid;

} // namespace

ChartPanel::ChartPanel(sessions::SessionHub& hub, QWidget* parent)
    : QFrame(parent)
    , m_hub(hub)
    , m_bar(new QWidget(this))
    , m_pages(new QStackedWidget)
    , m_chart(new roofline::RooflineChart(hub))
    , m_sweeps(new sweeps::SweepView(hub))
    , m_timeline(new timeline::TimelineView(hub))
    , m_transfers(new transfers::TransfersView(hub))
    , m_source(new sources::SourceView(hub))
    , m_pattern(new pattern::PatternPanel) {
    setObjectName("panel");
    auto* row = new QHBoxLayout(m_bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2 * look::kGrid);
    auto* group = new QButtonGroup(this);
    const std::pair<QWidget*, const char*> pages[] = {
        {m_chart, "Work per second against work per byte, below the device's roofs"},
        {m_source, "The selected kernel's source, with what each line costs"},
        {m_timeline, "What ran when, and what the GPU waited for"},
        {m_sweeps, "A metric against the parameter in which workloads differ"},
        {m_transfers, "What moved between host and device, and what taking memory cost"},
        {m_pattern, "Type an access and see what it does to sectors or banks"}};
    for (std::size_t i = 0; i < m_tabs.size(); ++i) {
        m_tabs[i] = addTab(static_cast<Tab>(i), pages[i].second);
        group->addButton(m_tabs[i]);
        row->addWidget(m_tabs[i]);
        // Pages that are hidden must not widen the one in front.
        if (pages[i].first != m_chart) pages[i].first->setMinimumWidth(kLeastPage);
        m_pages->addWidget(pages[i].first);
    }
    row->addStretch();

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * look::kGrid, look::kGrid, 2 * look::kGrid, look::kGrid / 2);
    layout->addWidget(m_bar);
    layout->addWidget(m_pages, 1);
    connect(m_sweeps, &sweeps::SweepView::sweepCountChanged, this, &ChartPanel::updateTabs);
    connect(m_timeline, &timeline::TimelineView::contentChanged, this, &ChartPanel::updateTabs);
    connect(m_transfers, &transfers::TransfersView::contentChanged, this, &ChartPanel::updateTabs);
    connect(&hub, &sessions::SessionHub::placeAsked, this, [this] { setTab(Tab::Source); });
    connect(&hub, &sessions::SessionHub::launchChanged, this, [this] {
        if (!m_tabs[1]->isVisibleTo(m_bar)) updateTabs();
    });
    connect(&hub, &sessions::SessionHub::sessionReset, this, [this] {
        updateTabs();
        // Copies alone have no place on a roofline.
        if (m_hub.session().launches().empty()) setTab(Tab::Transfers);
    });
    m_tabs[0]->setChecked(true);
    updateTabs();
}

void ChartPanel::addBesideTabs(QWidget& widget) {
    static_cast<QHBoxLayout*>(m_bar->layout())->addWidget(&widget, 1);
}

QPushButton* ChartPanel::addTab(Tab tab, const QString& hint) {
    auto* button = new QPushButton;
    button->setObjectName("tab");
    button->setCheckable(true);
    button->setToolTip(hint);
    connect(button, &QPushButton::toggled, this, [this, tab](bool on) {
        if (!on) return;
        m_pages->setCurrentIndex(static_cast<int>(tab));
        emit tabChanged();
    });
    return button;
}

ChartPanel::Tab ChartPanel::tab() const {
    return static_cast<Tab>(m_pages->currentIndex());
}

bool ChartPanel::hasTab(Tab tab) const {
    switch (tab) {
    case Tab::Source:
        return !m_hub.session().launches().empty();
    case Tab::Timeline:
        return !m_timeline->empty();
    case Tab::Sweeps:
        return m_sweeps->sweepCount() > 0;
    case Tab::Transfers:
        return !m_transfers->empty();
    case Tab::Roofline:
    case Tab::Pattern:
        break;
    }
    return true;
}

void ChartPanel::setTab(Tab tab) {
    if (hasTab(tab)) m_tabs[static_cast<std::size_t>(tab)]->setChecked(true);
}

void ChartPanel::updateTabs() {
    const qsizetype sweeps = m_sweeps->sweepCount();
    m_tabs[0]->setText(m_hub.session().launches().empty() && m_transfers->empty()
                           ? QStringLiteral("Start")
                           : QStringLiteral("Roofline"));
    m_tabs[1]->setText(QStringLiteral("Source"));
    m_tabs[2]->setText(QStringLiteral("Timeline"));
    m_tabs[3]->setText(sweeps > 1 ? QStringLiteral("Sweeps (%1)").arg(sweeps) : QStringLiteral("Sweep"));
    m_tabs[4]->setText(QStringLiteral("Transfers"));
    m_tabs[5]->setText(QStringLiteral("Access pattern"));
    for (std::size_t i = 0; i < m_tabs.size(); ++i)
        m_tabs[i]->setVisible(hasTab(static_cast<Tab>(i)));
    if (!hasTab(tab())) setTab(Tab::Roofline);
}

QString ChartPanel::exportTo(const QString& path) const {
    return tab() == Tab::Sweeps ? m_sweeps->exportTo(path) : m_chart->exportTo(path);
}

} // namespace dormer::ui::shell
