// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timeline_view.h"

#include "analysis/view/timeline/words.h"
#include "ui/look/theme.h"
#include "ui/sessions/session_hub.h"

#include <QElapsedTimer>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace dormer::ui::timeline {

namespace {

/// A session that grows is arranged anew that often, and in a tenth of the time at most.
constexpr int kGatherMs = 300, kShareOfTime = 10;

} // namespace

TimelineView::TimelineView(sessions::SessionHub& hub, QWidget* parent)
    : QWidget(parent)
    , m_hub(hub)
    , m_parts(new QSplitter(Qt::Vertical))
    , m_chart(new TimelineChart(hub))
    , m_table(new tables::FactTable) {
    m_table->setObjectName("gpuTime");
    m_table->setAccessibleName("Where the GPU's time went");
    m_table->setWideColumn(0);
    m_table->setMinimumHeight(9 * look::kGrid);
    m_parts->addWidget(m_chart);
    m_parts->addWidget(m_table);
    m_parts->setStretchFactor(0, 4);
    m_parts->setStretchFactor(1, 1);
    m_parts->setChildrenCollapsible(false);
    m_parts->setHandleWidth(look::kGrid);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, look::kGrid / 2, 0, look::kGrid / 2);
    layout->addWidget(m_parts);

    m_timer.setSingleShot(true);
    m_timer.setInterval(kGatherMs);
    connect(&m_timer, &QTimer::timeout, this, &TimelineView::flush);
    connect(&hub, &sessions::SessionHub::launchChanged, this, [this](session::LaunchIndex launch) {
        if (m_empty && view::timeline::hasPlaceInTime(m_hub.session(), launch)) setEmpty(false);
        noticed();
    });
    connect(&hub, &sessions::SessionHub::suiteChanged, this, &TimelineView::noticed);
    connect(&hub, &sessions::SessionHub::sessionReset, this, [this] {
        m_chart->setTimeline({});
        bool any = false;
        for (std::uint32_t i = 0; i < m_hub.session().launches().size() && !any; ++i)
            any = view::timeline::hasPlaceInTime(m_hub.session(), session::LaunchIndex{i});
        setEmpty(!any);
        m_stale = true;
        if (isVisible()) flush();
    });
}

void TimelineView::setEmpty(bool empty) {
    if (std::exchange(m_empty, empty) != empty) emit contentChanged();
}

void TimelineView::noticed() {
    m_stale = true;
    if (isVisible() && !m_timer.isActive()) m_timer.start();
}

void TimelineView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_stale) flush();
}

void TimelineView::flush() {
    m_timer.stop();
    m_stale = false;
    QElapsedTimer took;
    took.start();
    m_chart->setTimeline(view::timeline::timelineOf(m_hub.session()));
    m_table->setTable(view::timeline::gpuTimeTable(m_hub.session(), m_chart->timeline()));
    m_timer.setInterval(std::max<int>(kGatherMs, static_cast<int>(kShareOfTime * took.elapsed())));
}

} // namespace dormer::ui::timeline
