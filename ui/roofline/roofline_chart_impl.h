// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/plot/plot_setup.h"
#include "ui/roofline/chart_gutter.h"
#include "ui/roofline/chart_header.h"
#include "ui/roofline/chart_layers.h"
#include "ui/roofline/roofline_chart.h"
#include "ui/sessions/session_hub.h"

#include <QElapsedTimer>
#include <QTimer>

class QMouseEvent;

namespace dormer::ui::roofline {

inline constexpr double kLongAgo = -1e12; ///< for points that need no fading in

/// What moves the chart: it follows the hub, places launches in slices of time, animates the view, and
/// answers pointer and keys.
struct RooflineChart::Impl {
    RooflineChart& self;
    sessions::SessionHub& hub;
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
    bool opening = true;         ///< launches come from a whole session, not one by one
    bool userView = false;       ///< the user zoomed or dragged, so the view is theirs
    view::plot::ChartRange goal; ///< where the view glides to while it is not the user's
    bool ownRange = false;       ///< a range change of the chart itself is under way
    double lastFrameMs = 0;
    double lastArrivalMs = kLongAgo;
    std::vector<MovedKernel> moved;
    QPoint pressedAt;
    QSize laidOut; ///< of the plot, when the view was fitted to it

    Impl(RooflineChart& chart, sessions::SessionHub& sessionHub);

    double nowMs() const { return static_cast<double>(clock.nsecsElapsed()) / 1e6; }
    view::plot::ChartRange view() const { return noteLayer->view(); }
    view::plot::ChartRange fitted() const;
    void fit();
    void fitToSize();
    /// What must be seen, with whole markers in a view of about this range.
    [[nodiscard]] view::plot::Extent extent(const view::plot::ChartRange& shown) const;
    void followTrails();
    void followLevels();
    void zoomTo(const QRect& pixels);
    void setView(const view::plot::ChartRange& range);
    void wake(int delayMs);
    void tick();
    void restart();
    void contentChanged();
    void selectionChanged();
    void restyle();
    void drawNotes();
    void hover(std::optional<session::LaunchIndex> launch);
    void onMove(const QMouseEvent& event);
    void onRelease(const QMouseEvent& event);
    void onRangeChanged();
    void step(Direction direction);
    void zoomBy(double factor);
    void askForExport(const QString& ending);
};

} // namespace dormer::ui::roofline
