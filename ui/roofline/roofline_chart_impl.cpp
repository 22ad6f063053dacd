// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/roofline/roofline_chart_impl.h"

#include "analysis/findings/finding.h"
#include "analysis/view/plot/marker.h"
#include "analysis/view/plot/roof_geometry.h"
#include "ui/plot/export_button.h"
#include "ui/roofline/chart_tooltip.h"

#include <QMessageBox>
#include <QMouseEvent>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace dormer::ui::roofline {

using session::LaunchIndex;

namespace {

/// Records are gathered this long before they are drawn: a repaint at most about every 30 ms.
constexpr int kGatherMs = 25;
constexpr int kFrameMs = 16;
/// Work put into placing launches before the event loop gets its turn.
constexpr double kSliceMs = 10;
/// A session that was opened may take this long before its first picture.
constexpr double kOpeningMs = 60;
constexpr double kPointerSlack = 6;
/// A plot narrower than that, in pixels, is not on screen.
constexpr int kLeastPlot = 150;

} // namespace

RooflineChart::Impl::Impl(RooflineChart& chart, sessions::SessionHub& sessionHub)
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
    plot::setUpPlot(*plot);
    roofLayer = new RoofLayer(*plot, scene);
    roofLayer->setLayer(plot::kRoofLayer);
    pointLayer = new PointLayer(*plot, scene);
    pointLayer->setLayer(plot::kPointLayer);
    noteLayer = new NoteLayer(*plot, scene, *pointLayer);
    noteLayer->setLayer(plot::kNoteLayer);
    clock.start();
    timer.setSingleShot(true);
    timer.setTimerType(Qt::PreciseTimer);

    connect(&timer, &QTimer::timeout, &self, [this] { tick(); });
    connect(&hub, &sessions::SessionHub::sessionReset, &self, [this] { restart(); });
    connect(&hub, &sessions::SessionHub::launchChanged, &self, [this](session::LaunchIndex launch) {
        feed.enqueue(launch);
        wake(kGatherMs);
    });
    connect(&hub, &sessions::SessionHub::contextChanged, &self, [this] {
        // Roofs may move and verdicts with them.
        feed.requeue();
        if (!userView && feed.points().all().empty()) fit();
        contentChanged();
        wake(kGatherMs);
    });
    connect(&hub, &sessions::SessionHub::selectionChanged, &self, [this] { selectionChanged(); });
    connect(header, &ChartHeader::workChosen, &self, &RooflineChart::setWork);
    connect(header, &ChartHeader::levelChosen, &self, &RooflineChart::setLevel);
    connect(header, &ChartHeader::exportWanted, &self,
            [this](const QString& ending) { askForExport(ending); });
    connect(gutter, &ChartGutter::launchClicked, &self,
            [this](session::LaunchIndex launch) { hub.select(launch); });
    connect(plot, &QCustomPlot::mousePress, &self, [this](const QMouseEvent* event) {
        pressedAt = event->pos();
        // With Shift a rectangle is drawn; without it the view is dragged.
        plot->setSelectionRectMode(event->modifiers().testFlag(Qt::ShiftModifier) ? QCP::srmCustom
                                                                                  : QCP::srmNone);
    });
    connect(plot->selectionRect(), &QCPSelectionRect::accepted, &self,
            [this](const QRect& pixels) { zoomTo(pixels.normalized()); });
    connect(plot, &QCustomPlot::mouseMove, &self, [this](const QMouseEvent* event) { onMove(*event); });
    connect(plot, &QCustomPlot::mouseRelease, &self, [this](const QMouseEvent* event) { onRelease(*event); });
    connect(plot, &QCustomPlot::mouseDoubleClick, &self, [this] { self.resetView(); });
    connect(plot, &QCustomPlot::afterReplot, &self, [this] { fitToSize(); });
    for (QCPAxis* axis : {plot->xAxis, plot->yAxis}) {
        connect(axis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), &self,
                [this] { onRangeChanged(); });
    }
}

view::plot::ChartRange RooflineChart::Impl::fitted() const {
    // How much room a marker takes depends on the view, which depends on that little.
    const view::plot::ChartRange nearly = view::plot::fittedView(feed.roofline(), feed.points().extent());
    return view::plot::fittedView(feed.roofline(), extent(nearly));
}

view::plot::Extent RooflineChart::Impl::extent(const view::plot::ChartRange& shown) const {
    view::plot::Extent all = feed.points().extent();
    for (const Trail& trail : scene.trails)
        all.include(trail.from.x, trail.from.y);
    for (const view::plot::LevelLine::Stop& stop : scene.levels.stops)
        all.include(std::log10(stop.intensity), std::log10(scene.levels.rate));
    for (const view::plot::PartLine::Stop& stop : scene.parts.stops)
        all.include(std::log10(stop.intensity), std::log10(stop.rate));
    const double reach = view::plot::markerReach(verdict::Bound::Latency, kMostMarker); // the widest shape
    const auto grow = [&](std::optional<view::plot::Decades>& held, const view::plot::Decades& axis,
                          int pixels) {
        if (!held || pixels < kLeastPlot) return; // not laid out yet
        const double margin = reach * axis.span() / pixels;
        held = view::plot::Decades{held->lower - margin, held->upper + margin};
    };
    grow(all.x, shown.x, plot->axisRect()->width());
    grow(all.y, shown.y, plot->axisRect()->height());
    return all;
}

void RooflineChart::Impl::followTrails() {
    scene.trails.clear();
    const diagnosis::Diagnosis* baseline = hub.baseline();
    for (const MovedKernel& kernel : moved) {
        if (baseline == nullptr || session::raw(kernel.base) >= baseline->session().launches().size()) break;
        const auto from = verdict::rooflinePoint(baseline->metrics(), kernel.base, feed.roofline().work,
                                                 feed.roofline().level);
        if (from && from->rate > 0 && from->intensity > 0 && std::isfinite(from->intensity))
            scene.trails.push_back({{std::log10(from->intensity), std::log10(from->rate)}, kernel.now});
    }
    wake(0);
}

void RooflineChart::Impl::followLevels() {
    const ChartPoint* point = scene.selected ? feed.points().find(*scene.selected) : nullptr;
    scene.levels = {};
    scene.levelRoofs.clear();
    scene.parts = {};
    if (!point || !point->shown) return;
    const verdict::Roofline& roofline = feed.roofline();
    scene.levels = view::plot::levelLine(hub.metrics(), *scene.selected, roofline.work);
    scene.levelRoofs = view::plot::levelRoofs(hub.session(), roofline.work, roofline.level, 0);
    scene.parts = view::plot::partLine(hub.metrics(), *scene.selected, roofline.work, roofline.level);
}

void RooflineChart::Impl::setView(const view::plot::ChartRange& range) {
    ownRange = true;
    const view::plot::Decades x = view::plot::limited(range.x), y = view::plot::limited(range.y);
    plot->xAxis->setRange(std::pow(10, x.lower), std::pow(10, x.upper));
    plot->yAxis->setRange(std::pow(10, y.lower), std::pow(10, y.upper));
    ownRange = false;
}

void RooflineChart::Impl::fit() {
    goal = fitted();
    setView(goal);
}

void RooflineChart::Impl::fitToSize() {
    // Whole markers take another share of the axes.
    if (plot->size() == laidOut) return;
    laidOut = plot->size();
    if (userView) return;
    fit();
    plot->replot(QCustomPlot::rpQueuedReplot);
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
        const view::plot::ChartRange current = view(), wider = view::plot::widened(goal, extent(goal));
        goal = {view::plot::limited(wider.x), view::plot::limited(wider.y)};
        moving = !view::plot::sameView(current, goal);
        if (moving)
            setView(view::plot::stepTowards(current, goal, std::min(now - lastFrameMs, 2.0 * kFrameMs)));
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
    followTrails();
    if (opening) feed.advance(kOpeningMs, kLongAgo);
    fit();
    scene.nowMs = lastFrameMs = nowMs();
    contentChanged();
    selectionChanged();
    plot->replot(QCustomPlot::rpQueuedRefresh);
    opening = feed.pending();
    if (opening) wake(0);
}

void RooflineChart::Impl::contentChanged() {
    const verdict::Roofline& roofline = feed.roofline();
    plot::labelAxes(*plot, roofline.work, roofline.level);
    gutter->setContent(feed.gutter(), roofline.work, roofline.level);
    followLevels();
}

void RooflineChart::Impl::selectionChanged() {
    scene.selected = hub.selected();
    scene.speedup.reset();
    std::string label;
    if (scene.selected) {
        const session::LaunchIndex launch = *scene.selected;
        const double durationNs = hub.session().launch(launch).durationNs.value_or(0);
        if (const auto gain = hub.diagnosis().gain(launch)) scene.speedup = speedup(durationNs, gain->ns);
        label = feed.labelTextOf(launch);
    }
    gutter->setSelectedLabel(label);
    followLevels();
    wake(0); // the view may have to widen
    drawNotes();
}

void RooflineChart::Impl::drawNotes() {
    // Before the first layout there are no markers to write beside.
    if (plot->axisRect()->width() > 0) plot->layer(plot::kNoteLayer)->replot();
}

void RooflineChart::Impl::restyle() {
    scene.style = plot::chartStyle(self.palette(), self.font());
    plot::stylePlot(*plot, scene.style);
    plot->replot(QCustomPlot::rpQueuedRefresh);
}

void RooflineChart::Impl::hover(std::optional<session::LaunchIndex> launch) {
    if (launch == scene.hovered) return;
    scene.hovered = launch;
    plot->setCursor(launch ? Qt::PointingHandCursor : Qt::ArrowCursor);
    drawNotes();
}

void RooflineChart::Impl::onMove(const QMouseEvent& event) {
    scene.cross = event.buttons() == Qt::NoButton && plot->axisRect()->rect().contains(event.pos())
                      ? std::optional<QPointF>(event.position())
                      : std::nullopt;
    drawNotes();
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

void RooflineChart::Impl::zoomTo(const QRect& pixels) {
    constexpr int kLeastPixels = 8; // less is a click with an unsteady hand
    if (pixels.width() < kLeastPixels || pixels.height() < kLeastPixels) return;
    const view::plot::LogScale x = noteLayer->xScale(), y = noteLayer->yScale();
    userView = true;
    setView({{x.toDecades(pixels.left()), x.toDecades(pixels.right())},
             {y.toDecades(pixels.bottom()), y.toDecades(pixels.top())}});
    plot->replot(QCustomPlot::rpQueuedReplot);
}

void RooflineChart::Impl::zoomBy(double factor) {
    const view::plot::ChartRange now = view();
    userView = true;
    setView({view::plot::zoomed(now.x, (now.x.lower + now.x.upper) / 2, factor),
             view::plot::zoomed(now.y, (now.y.lower + now.y.upper) / 2, factor)});
    plot->replot(QCustomPlot::rpQueuedReplot);
}

void RooflineChart::Impl::askForExport(const QString& ending) {
    const QString path = plot::askPicturePath(&self, QStringLiteral("roofline"), ending);
    if (path.isEmpty()) return;
    const QString problem = self.exportTo(path);
    if (!problem.isEmpty()) QMessageBox::warning(&self, QStringLiteral("Dormer"), problem);
}

} // namespace dormer::ui::roofline
