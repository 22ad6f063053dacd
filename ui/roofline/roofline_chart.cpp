// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/roofline/roofline_chart.h"

#include "analysis/view/plot/roof_geometry.h"
#include "ui/roofline/chart_export.h"
#include "ui/roofline/roofline_chart_impl.h"

#include <QKeyEvent>

#include <utility>

namespace dormer::ui::roofline {

using session::LaunchIndex;

namespace {

constexpr double kKeyZoom = 0.8;

} // namespace

RooflineChart::RooflineChart(sessions::SessionHub& hub, QWidget* parent)
    : QWidget(parent), m_impl(std::make_unique<Impl>(*this, hub)) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(QStringLiteral("Roofline chart"));
    setMinimumHeight(280);
    m_impl->header->setChoice(work(), level());
    m_impl->restyle();
    m_impl->restart();
}

RooflineChart::~RooflineChart() = default;

void RooflineChart::setWork(verdict::Work work) {
    if (work == this->work()) return;
    m_impl->feed.choose(work, level());
    m_impl->header->setChoice(work, level());
    m_impl->restart();
}

void RooflineChart::setLevel(verdict::MemoryLevel level) {
    if (level == this->level()) return;
    m_impl->feed.choose(work(), level);
    m_impl->header->setChoice(work(), level);
    m_impl->restart();
}

verdict::Work RooflineChart::work() const {
    return m_impl->feed.roofline().work;
}
verdict::MemoryLevel RooflineChart::level() const {
    return m_impl->feed.roofline().level;
}

void RooflineChart::resetView() {
    m_impl->userView = false;
    m_impl->fit();
    m_impl->plot->replot(QCustomPlot::rpQueuedRefresh);
}

int RooflineChart::pointCount() const {
    return m_impl->feed.points().shownCount();
}
int RooflineChart::gutterCount() const {
    return m_impl->feed.gutter().listed();
}

std::optional<QPoint> RooflineChart::positionOf(session::LaunchIndex launch) const {
    const ChartPoint* point = m_impl->feed.points().find(launch);
    const view::plot::ChartRange view = m_impl->view();
    if (!point || !point->shown || !view.x.holds(point->x) || !view.y.holds(point->y)) return std::nullopt;
    const QPointF pixel(m_impl->noteLayer->xScale().toPixel(point->x),
                        m_impl->noteLayer->yScale().toPixel(point->y));
    return m_impl->plot->mapTo(this, pixel.toPoint());
}

std::vector<std::pair<verdict::MemoryLevel, QPoint>> RooflineChart::levelPositions() const {
    std::vector<std::pair<verdict::MemoryLevel, QPoint>> places;
    const auto& drawn = m_impl->noteLayer->levels();
    if (!drawn) return places;
    for (const view::plot::LevelMarks::Mark& mark : drawn->marks)
        places.emplace_back(mark.level, m_impl->plot->mapTo(this, QPointF(mark.at.x, mark.at.y).toPoint()));
    return places;
}

std::vector<std::pair<QString, QPoint>> RooflineChart::partPositions() const {
    std::vector<std::pair<QString, QPoint>> places;
    const auto& drawn = m_impl->noteLayer->parts();
    if (!drawn) return places;
    for (const view::plot::PartMarks::Mark& mark : drawn->marks)
        places.emplace_back(QString::fromStdString(mark.name),
                            m_impl->plot->mapTo(this, QPointF(mark.at.x, mark.at.y).toPoint()));
    return places;
}

void RooflineChart::setFilter(std::function<bool(session::LaunchIndex)> accepts) {
    m_impl->feed.setFilter(std::move(accepts));
    m_impl->contentChanged();
    m_impl->plot->replot(QCustomPlot::rpQueuedRefresh);
}

void RooflineChart::setMoved(std::vector<MovedKernel> moved) {
    m_impl->moved = std::move(moved);
    m_impl->followTrails();
    m_impl->drawNotes();
}

int RooflineChart::trailCount() const {
    return static_cast<int>(m_impl->scene.trails.size());
}

QString RooflineChart::exportTo(const QString& path) const {
    Impl& impl = *m_impl;
    const verdict::Roofline& roofline = impl.feed.roofline();
    const plot::ChartStyle onScreen = impl.scene.style;
    const auto hovered = std::exchange(impl.scene.hovered, std::nullopt);
    impl.scene.cross.reset();
    ChartPage page;
    page.style = plot::lightChartStyle(font());
    page.title = QString::fromStdString(view::plot::chartTitle(roofline));
    page.provenance = QString::fromStdString(session::provenance(impl.hub.session()));
    page.plot = impl.plot->size();
    page.gutter =
        gutterItems(impl.feed.gutter(), roofline.work, roofline.level, page.style, page.plot.width(), 8);
    if (impl.scene.selected) page.selectedLabel = impl.feed.labelTextOf(*impl.scene.selected);
    impl.scene.style = page.style;
    plot::stylePlot(*impl.plot, page.style);
    QString problem = writeChartPage(path, page, *impl.plot);
    impl.scene.style = onScreen;
    impl.scene.hovered = hovered;
    plot::stylePlot(*impl.plot, onScreen);
    impl.plot->replot(QCustomPlot::rpQueuedRefresh);
    return problem;
}

void RooflineChart::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
        return m_impl->step(Direction::Left);
    case Qt::Key_Right:
        return m_impl->step(Direction::Right);
    case Qt::Key_Up:
        return m_impl->step(Direction::Up);
    case Qt::Key_Down:
        return m_impl->step(Direction::Down);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return m_impl->zoomBy(kKeyZoom);
    case Qt::Key_Minus:
        return m_impl->zoomBy(1 / kKeyZoom);
    case Qt::Key_0:
        return resetView();
    default:
        QWidget::keyPressEvent(event);
    }
}

void RooflineChart::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) m_impl->restyle();
    QWidget::changeEvent(event);
}

void RooflineChart::leaveEvent(QEvent* event) {
    m_impl->scene.cross.reset();
    m_impl->drawNotes();
    m_impl->hover({});
    QWidget::leaveEvent(event);
}

} // namespace dormer::ui::roofline
