// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/verdict/roofline.h"

#include <QWidget>

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace dormer::ui::sessions {
class SessionHub;
} // namespace dormer::ui::sessions

namespace dormer::ui::roofline {

/// A kernel that the hub's baseline has, too: the launch that stood for it there, and the one that does now.
struct MovedKernel {
    session::LaunchIndex base{}, now{};
};

/// The live roofline: log-log axes, theoretical roofs dashed and measured ones solid with their labels along
/// the lines, the ridge, a point per launch (area by time, colour and shape by verdict), a gutter for
/// launches without the chosen work. Brings its own header (title, level and work to choose, legend, export),
/// so that a panel around it adds nothing but the frame. Wheel zooms, as does a rectangle drawn with Shift;
/// drag pans, hover explains beside a crosshair, click selects in the hub. Follows the hub's signals; a new
/// record is on screen within 100 ms.
class RooflineChart : public QWidget {
    Q_OBJECT
public:
    explicit RooflineChart(sessions::SessionHub& hub, QWidget* parent = nullptr);
    ~RooflineChart() override;

    void setWork(verdict::Work work);
    void setLevel(verdict::MemoryLevel level);
    [[nodiscard]] verdict::Work work() const;
    [[nodiscard]] verdict::MemoryLevel level() const;

    /// Fits roofs and points into view.
    void resetView();
    /// Points drawn or listed in the gutter at this moment; for tests and the status line.
    [[nodiscard]] int pointCount() const;
    [[nodiscard]] int gutterCount() const;
    /// Screen position of a launch's marker in this widget's coordinates, if it is on the chart.
    [[nodiscard]] std::optional<QPoint> positionOf(session::LaunchIndex launch) const;
    /// The selected launch at the memory levels that the chart is not about, where it is drawn there.
    [[nodiscard]] std::vector<std::pair<verdict::MemoryLevel, QPoint>> levelPositions() const;
    /// Its work that the chart is not about, where it is drawn: of tensor cores, or scalar.
    [[nodiscard]] std::vector<std::pair<QString, QPoint>> partPositions() const;
    /// Restricts the chart to launches the filter accepts; an empty function shows all.
    void setFilter(std::function<bool(session::LaunchIndex)> accepts);

    /// An arrow leads from where each of these was in the baseline to where it is.
    void setMoved(std::vector<MovedKernel> moved);
    /// Arrows there are, whether in view or not.
    [[nodiscard]] int trailCount() const;

    /// Writes what is on screen as PNG, SVG or PDF by the file's ending, with provenance in the footer.
    /// Returns an empty string, or one line saying what went wrong.
    [[nodiscard]] QString exportTo(const QString& path) const;

protected:
    /// Arrows move the selection, + and - zoom, 0 fits.
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace dormer::ui::roofline
