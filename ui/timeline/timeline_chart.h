// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/view/timeline/raster.h"

#include <QAbstractScrollArea>

namespace dormer::ui::sessions {
class SessionHub;
} // namespace dormer::ui::sessions

namespace dormer::ui::timeline {

/// The rows of a timeline, one below the other. Wheel and +/- zoom about the pointer or the middle, dragging
/// and the arrow keys move, Home and a double click on free ground show all, Shift and dragging choose a
/// stretch; a click chooses a launch, Ctrl and the arrow keys the next or previous of its row.
class TimelineChart : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit TimelineChart(sessions::SessionHub& hub, QWidget* parent = nullptr);

    /// Keeps the stretch of time that is shown where it can.
    void setTimeline(view::timeline::Timeline timeline);
    [[nodiscard]] const view::timeline::Timeline& timeline() const { return m_timeline; }
    [[nodiscard]] const view::timeline::Window& window() const { return m_window; }
    void setWindow(const view::timeline::Window& window);
    void showAll();
    /// Shows a launch that is elsewhere, as far from the others as before.
    void reveal(session::LaunchIndex launch);

    /// Where a bar of a row is painted, in viewport pixels; null where it is not in sight.
    [[nodiscard]] QRectF boxOf(std::size_t row, std::size_t bar) const;
    /// What the pointer shows there; empty on free ground.
    [[nodiscard]] QString hintAt(QPointF position) const;
    /// Width that titles take, in pixels.
    [[nodiscard]] double titleWidth() const { return m_left; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Place {
        std::size_t row = 0;
        double top = 0, height = 0; ///< of the whole, not yet scrolled
        bool startsScope = false;
    };
    struct Hit {
        std::size_t row = 0;
        std::optional<std::size_t> bar;
    };
    void arrange();
    [[nodiscard]] std::optional<Hit> hitAt(QPointF position) const;
    [[nodiscard]] double laneHeight() const;
    [[nodiscard]] double axisHeight() const;
    void paintAxis(QPainter& painter) const;
    void paintTicks(QPainter& painter, double top, double bottom) const;
    void paintRow(QPainter& painter, const Place& place, double top) const;
    void paintActivity(QPainter& painter, const view::timeline::TimelineRow& row, const QRectF& box) const;
    void paintBars(QPainter& painter, const view::timeline::TimelineRow& row, double top) const;
    void choose(const Hit& hit);
    void chooseNext(int by);
    void zoom(double pixel, double factor);

    sessions::SessionHub& m_hub;
    view::timeline::Timeline m_timeline;
    view::timeline::Window m_window;
    std::vector<Place> m_places; ///< by row
    double m_left = 0, m_height = 0;
    QPointF m_pressed;
    view::timeline::Window m_pressedWindow;
    bool m_dragging = false;
    std::optional<std::pair<double, double>> m_stretch; ///< being chosen, in pixels
};

} // namespace dormer::ui::timeline
