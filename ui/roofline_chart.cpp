// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/roofline_chart.h"

#include "analysis/finding.h"
#include "ui/chart_export.h"
#include "ui/chart_gutter.h"
#include "ui/chart_header.h"
#include "ui/chart_layers.h"
#include "ui/chart_tooltip.h"
#include "ui/plot_setup.h"
#include "ui/roof_geometry.h"
#include "ui/session_hub.h"

#include <QElapsedTimer>
#include <QFileDialog>
#include <QKeyEvent>
#include <QMessageBox>
#include <QTimer>
#include <QToolTip>
#include <QVBoxLayout>

#include <cmath>

namespace dormer::ui {

using analysis::LaunchIndex;

namespace {

/// Records are gathered this long before they are drawn: a repaint at most about every 30 ms.
constexpr int kGatherMs = 25;
constexpr int kFrameMs = 16;
/// Work put into placing launches before the event loop gets its turn.
constexpr double kSliceMs = 10;
/// A session that was opened may take this long before its first picture.
constexpr double kOpeningMs = 60;
constexpr double kPointerSlack = 6;
constexpr double kKeyZoom = 0.8;
constexpr double kLongAgo = -1e12; ///< for points that need no fading in

} // namespace

struct RooflineChart::Impl {
    RooflineChart& self;
    SessionHub& hub;
    ChartFeed feed;
    ChartScene scene;
    QElapsedTimer clock;
    QTimer timer;
    ChartHeader* header;
    QCustomPlot* plot;
    ChartGutter* gutter;
    RoofLayer* roofLayer;
    PointLayer* pointLayer;
    NoteLayer* noteLayer;
    bool opening = true;   ///< launches come from a whole session, not one by one
    bool userView = false; ///< the user zoomed or dragged, so the view is theirs
    bool ownRange = false; ///< a range change of the chart itself is under way
    double lastFrameMs = 0;
    double lastArrivalMs = kLongAgo;
    QPoint pressedAt;

    Impl(RooflineChart& chart, SessionHub& sessionHub);

    double nowMs() const { return static_cast<double>(clock.nsecsElapsed()) / 1e6; }
    ChartRange view() const { return noteLayer->view(); }
    ChartRange fitted() const;
    void setView(const ChartRange& range);
    void wake(int delayMs);
    void tick();
    void restart();
    void contentChanged();
    void selectionChanged();
    void restyle();
    void drawNotes();
    void hover(std::optional<LaunchIndex> launch);
    void onMove(const QMouseEvent& event);
    void onRelease(const QMouseEvent& event);
    void onRangeChanged();
    void step(Direction direction);
    void zoomBy(double factor);
    void askForExport(const QString& ending);
};

RooflineChart::Impl::Impl(RooflineChart& chart, SessionHub& sessionHub)
    : self(chart)
    , hub(sessionHub)
    , feed(sessionHub)
    , header(new ChartHeader(&chart))
    , plot(new QCustomPlot(&chart))
    , gutter(new ChartGutter(&chart)) {
    auto* column = new QVBoxLayout(&chart);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(header);
    column->addWidget(plot, 1);
    column->addWidget(gutter);

    scene.feed = &feed;
    setUpPlot(*plot);
    roofLayer = new RoofLayer(*plot, scene);
    roofLayer->setLayer(kRoofLayer);
    pointLayer = new PointLayer(*plot, scene);
    pointLayer->setLayer(kPointLayer);
    noteLayer = new NoteLayer(*plot, scene, *pointLayer);
    noteLayer->setLayer(kNoteLayer);
    clock.start();
    timer.setSingleShot(true);
    timer.setTimerType(Qt::PreciseTimer);

    connect(&timer, &QTimer::timeout, &self, [this] { tick(); });
    connect(&hub, &SessionHub::sessionReset, &self, [this] { restart(); });
    connect(&hub, &SessionHub::launchChanged, &self, [this](LaunchIndex launch) {
        feed.enqueue(launch);
        wake(kGatherMs);
    });
    connect(&hub, &SessionHub::contextChanged, &self, [this] {
        // Roofs may move and verdicts with them.
        feed.requeue();
        if (!userView && feed.points().all().empty()) setView(fitted());
        contentChanged();
        wake(kGatherMs);
    });
    connect(&hub, &SessionHub::selectionChanged, &self, [this] { selectionChanged(); });
    connect(header, &ChartHeader::workChosen, &self, &RooflineChart::setWork);
    connect(header, &ChartHeader::levelChosen, &self, &RooflineChart::setLevel);
    connect(header, &ChartHeader::exportWanted, &self,
            [this](const QString& ending) { askForExport(ending); });
    connect(gutter, &ChartGutter::launchClicked, &self, [this](LaunchIndex launch) { hub.select(launch); });
    connect(plot, &QCustomPlot::mousePress, &self,
            [this](const QMouseEvent* event) { pressedAt = event->pos(); });
    connect(plot, &QCustomPlot::mouseMove, &self, [this](const QMouseEvent* event) { onMove(*event); });
    connect(plot, &QCustomPlot::mouseRelease, &self, [this](const QMouseEvent* event) { onRelease(*event); });
    connect(plot, &QCustomPlot::mouseDoubleClick, &self, [this] { self.resetView(); });
    for (QCPAxis* axis : {plot->xAxis, plot->yAxis}) {
        connect(axis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), &self,
                [this] { onRangeChanged(); });
    }
}

ChartRange RooflineChart::Impl::fitted() const {
    const std::vector<Roof> all = roofs(feed.roofline());
    const auto perSecond = [](const std::optional<double>& decades) {
        return decades ? std::optional(std::pow(10, *decades)) : std::nullopt;
    };
    if (all.empty()) return fitRange({}, {}, feed.points().extent());
    return fitRange(perSecond(all.front().memory), perSecond(all.front().compute), feed.points().extent());
}

void RooflineChart::Impl::setView(const ChartRange& range) {
    ownRange = true;
    const Decades x = limited(range.x), y = limited(range.y);
    plot->xAxis->setRange(std::pow(10, x.lower), std::pow(10, x.upper));
    plot->yAxis->setRange(std::pow(10, y.lower), std::pow(10, y.upper));
    ownRange = false;
}

void RooflineChart::Impl::wake(int delayMs) {
    if (!timer.isActive()) timer.start(delayMs);
}

/// One turn: place what is queued, move the view towards what must be seen, draw if anything is new.
void RooflineChart::Impl::tick() {
    const double now = nowMs();
    const bool arrived = feed.advance(kSliceMs, opening ? kLongAgo : now);
    if (arrived && !opening) lastArrivalMs = now;
    scene.nowMs = now;

    bool moving = false;
    if (!userView) {
        const ChartRange current = view(), target = widened(current, feed.points().extent());
        moving = !(current == target);
        if (moving) setView(stepTowards(current, target, std::min(now - lastFrameMs, 2.0 * kFrameMs)));
    }
    const bool fading = now - lastArrivalMs < kFadeMs + kFrameMs;
    // While a large session is opened, placing goes first and pictures come at a steady pace.
    if (!feed.pending() || now - lastFrameMs >= 2 * kGatherMs) {
        lastFrameMs = now;
        if (arrived) contentChanged();
        plot->replot(QCustomPlot::rpQueuedRefresh);
    }
    if (feed.pending()) {
        wake(0);
    } else {
        opening = false;
        if (moving || fading) wake(kFrameMs);
    }
}

void RooflineChart::Impl::restart() {
    feed.restart();
    opening = feed.pending();
    userView = false;
    scene.hovered.reset();
    if (opening) feed.advance(kOpeningMs, kLongAgo);
    setView(fitted());
    scene.nowMs = lastFrameMs = nowMs();
    contentChanged();
    selectionChanged();
    plot->replot(QCustomPlot::rpQueuedRefresh);
    opening = feed.pending();
    if (opening) wake(0);
}

void RooflineChart::Impl::contentChanged() {
    const analysis::Roofline& roofline = feed.roofline();
    labelAxes(*plot, roofline.work, roofline.level);
    gutter->setContent(feed.gutter(), roofline.work, roofline.level);
}

void RooflineChart::Impl::selectionChanged() {
    scene.selected = hub.selected();
    scene.speedup.reset();
    std::string label;
    if (scene.selected) {
        const LaunchIndex launch = *scene.selected;
        const auto found = analysis::findings(hub.metrics(), launch, hub.verdict(launch));
        const double durationNs = hub.session().launch(launch).durationNs.value_or(0);
        if (!found.empty()) scene.speedup = speedup(durationNs, found.front().gainNs);
        label = feed.labelTextOf(launch);
    }
    gutter->setSelectedLabel(label);
    drawNotes();
}

void RooflineChart::Impl::drawNotes() {
    // Before the first layout there are no markers to write beside.
    if (plot->axisRect()->width() > 0) plot->layer(kNoteLayer)->replot();
}

void RooflineChart::Impl::restyle() {
    scene.style = chartStyle(self.palette(), self.font());
    stylePlot(*plot, scene.style);
    plot->replot(QCustomPlot::rpQueuedRefresh);
}

void RooflineChart::Impl::hover(std::optional<LaunchIndex> launch) {
    if (launch == scene.hovered) return;
    scene.hovered = launch;
    plot->setCursor(launch ? Qt::PointingHandCursor : Qt::ArrowCursor);
    drawNotes();
}

void RooflineChart::Impl::onMove(const QMouseEvent& event) {
    if (event.buttons() != Qt::NoButton) {
        QToolTip::hideText();
        return;
    }
    const Marker* marker =
        markerAt(pointLayer->markers(), event.position().x(), event.position().y(), kPointerSlack);
    if (!marker) {
        if (scene.hovered) QToolTip::hideText();
        hover({});
        return;
    }
    const bool entered = scene.hovered != marker->launch;
    hover(marker->launch);
    if (entered) {
        QToolTip::showText(event.globalPosition().toPoint(), chartTooltip(hub, feed, *marker), plot);
    }
}

void RooflineChart::Impl::onRelease(const QMouseEvent& event) {
    if (event.button() != Qt::LeftButton) return;
    if ((event.pos() - pressedAt).manhattanLength() > 4) return; // that was a drag
    const Marker* marker =
        markerAt(pointLayer->markers(), event.position().x(), event.position().y(), kPointerSlack);
    if (marker) hub.select(marker->launch);
}

void RooflineChart::Impl::onRangeChanged() {
    if (ownRange) return;
    userView = true;
    setView(view()); // within limits
}

void RooflineChart::Impl::step(Direction direction) {
    const ChartPoint* from = scene.selected ? feed.points().find(*scene.selected) : nullptr;
    if (!from || !from->shown) {
        // Nothing to start from: the launch that took most time is where people look first.
        if (!feed.labels().empty()) hub.select(feed.labels().front().longest);
        return;
    }
    pointLayer->update();
    const Marker* next = markerTowards(pointLayer->markers(), noteLayer->xScale().toPixel(from->x),
                                       noteLayer->yScale().toPixel(from->y), direction);
    if (next) hub.select(next->launch);
}

void RooflineChart::Impl::zoomBy(double factor) {
    const ChartRange now = view();
    userView = true;
    setView({zoomed(now.x, (now.x.lower + now.x.upper) / 2, factor),
             zoomed(now.y, (now.y.lower + now.y.upper) / 2, factor)});
    plot->replot(QCustomPlot::rpQueuedReplot);
}

void RooflineChart::Impl::askForExport(const QString& ending) {
    QString path = QFileDialog::getSaveFileName(&self, QStringLiteral("Save the chart"),
                                                QStringLiteral("roofline.") + ending,
                                                QStringLiteral("%1 (*.%2)").arg(ending.toUpper(), ending));
    if (path.isEmpty()) return;
    if (QFileInfo(path).suffix().isEmpty()) path += QLatin1Char('.') + ending;
    const QString problem = self.exportTo(path);
    if (!problem.isEmpty()) QMessageBox::warning(&self, QStringLiteral("Dormer"), problem);
}

RooflineChart::RooflineChart(SessionHub& hub, QWidget* parent)
    : QWidget(parent), m_impl(std::make_unique<Impl>(*this, hub)) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(QStringLiteral("Roofline chart"));
    setMinimumHeight(280);
    m_impl->header->setChoice(work(), level());
    m_impl->restyle();
    m_impl->restart();
}

RooflineChart::~RooflineChart() = default;

void RooflineChart::setWork(analysis::Work work) {
    if (work == this->work()) return;
    m_impl->feed.choose(work, level());
    m_impl->header->setChoice(work, level());
    m_impl->restart();
}

void RooflineChart::setLevel(analysis::MemoryLevel level) {
    if (level == this->level()) return;
    m_impl->feed.choose(work(), level);
    m_impl->header->setChoice(work(), level);
    m_impl->restart();
}

analysis::Work RooflineChart::work() const {
    return m_impl->feed.roofline().work;
}
analysis::MemoryLevel RooflineChart::level() const {
    return m_impl->feed.roofline().level;
}

void RooflineChart::resetView() {
    m_impl->userView = false;
    m_impl->setView(m_impl->fitted());
    m_impl->plot->replot(QCustomPlot::rpQueuedRefresh);
}

int RooflineChart::pointCount() const {
    return m_impl->feed.points().shownCount();
}
int RooflineChart::gutterCount() const {
    return m_impl->feed.gutter().listed();
}

std::optional<QPoint> RooflineChart::positionOf(LaunchIndex launch) const {
    const ChartPoint* point = m_impl->feed.points().find(launch);
    const ChartRange view = m_impl->view();
    if (!point || !point->shown || !view.x.holds(point->x) || !view.y.holds(point->y)) return std::nullopt;
    const QPointF pixel(m_impl->noteLayer->xScale().toPixel(point->x),
                        m_impl->noteLayer->yScale().toPixel(point->y));
    return m_impl->plot->mapTo(this, pixel.toPoint());
}

void RooflineChart::setFilter(std::function<bool(LaunchIndex)> accepts) {
    m_impl->feed.setFilter(std::move(accepts));
    m_impl->contentChanged();
    m_impl->plot->replot(QCustomPlot::rpQueuedRefresh);
}

QString RooflineChart::exportTo(const QString& path) const {
    Impl& impl = *m_impl;
    const analysis::Roofline& roofline = impl.feed.roofline();
    const ChartStyle onScreen = impl.scene.style;
    const auto hovered = std::exchange(impl.scene.hovered, std::nullopt);
    ChartPage page;
    page.style = lightChartStyle(font());
    page.title = QString::fromStdString(chartTitle(roofline));
    page.provenance = QString::fromStdString(analysis::provenance(impl.hub.session()));
    page.plot = impl.plot->size();
    page.gutter =
        gutterItems(impl.feed.gutter(), roofline.work, roofline.level, page.style, page.plot.width(), 8);
    if (impl.scene.selected) page.selectedLabel = impl.feed.labelTextOf(*impl.scene.selected);
    impl.scene.style = page.style;
    stylePlot(*impl.plot, page.style);
    QString problem = writeChartPage(path, page, *impl.plot);
    impl.scene.style = onScreen;
    impl.scene.hovered = hovered;
    stylePlot(*impl.plot, onScreen);
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
    m_impl->hover({});
    QWidget::leaveEvent(event);
}

} // namespace dormer::ui
