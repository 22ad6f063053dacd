// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/view/plot/level_layout.h"
#include "analysis/view/plot/part_line.h"
#include "ui/plot/chart_style.h"
#include "ui/roofline/chart_feed.h"

#include <qcustomplot.h>

#include <map>

namespace dormer::ui::roofline {

/// Where a kernel was in the baseline, and the launch that stands for it now.
struct Trail {
    view::plot::Spot from; ///< decades
    session::LaunchIndex to{};
};

/// From the centre of a level's mark to its rim's outer edge, in pixels.
inline constexpr double kLevelMark = 6;

/// What the layers draw from; owned by the chart, which outlives them.
struct ChartScene {
    const ChartFeed* feed = nullptr;
    plot::ChartStyle style;
    double nowMs = 0; ///< the chart's clock, for fading in
    std::optional<session::LaunchIndex> selected;
    std::optional<session::LaunchIndex> hovered;
    std::vector<Trail> trails;
    view::plot::LevelLine levels;                  ///< of the selected launch, if it has a point
    std::vector<view::plot::LevelRoof> levelRoofs; ///< with it
    view::plot::PartLine parts;                    ///< its tensor and scalar work, if it did both
    std::optional<QPointF> cross;                  ///< pixels: where intensity and rate are told
    std::optional<double> speedup;                 ///< of the selected launch if its first finding were fixed
};

/// A plottable that draws itself from the scene; QCustomPlot supplies axes, layers and export.
class ChartLayer : public QCPAbstractPlottable {
public:
    ChartLayer(QCustomPlot& plot, const ChartScene& scene)
        : QCPAbstractPlottable(plot.xAxis, plot.yAxis), m_scene(scene) {}

    double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }
    QCPRange getKeyRange(bool& found, QCP::SignDomain) const override;
    QCPRange getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const override;

    [[nodiscard]] view::plot::LogScale xScale() const;
    [[nodiscard]] view::plot::LogScale yScale() const;
    [[nodiscard]] view::plot::ChartRange view() const { return {xScale().range, yScale().range}; }

protected:
    void drawLegendIcon(QCPPainter*, const QRectF&) const override {}
    [[nodiscard]] QPolygonF polygonOf(const std::vector<view::plot::Spot>& decades) const;
    const ChartScene& m_scene;
};

/// Shades, roofs and the ridge line.
class RoofLayer : public ChartLayer {
public:
    using ChartLayer::ChartLayer;

protected:
    void draw(QCPPainter* painter) override;
};

/// Markers of the launches.
class PointLayer : public ChartLayer {
public:
    using ChartLayer::ChartLayer;
    /// As last drawn; what the pointer and the labels work with.
    [[nodiscard]] std::span<const Marker> markers() const { return m_markers; }
    /// Diameter of one launch's marker in pixels.
    [[nodiscard]] double diameterOf(const ChartPoint& point) const;
    /// Bins anew for the present axes without drawing.
    void update();

protected:
    void draw(QCPPainter* painter) override;

private:
    void drawMarker(QCPPainter& painter, const Marker& marker, bool vector);

    MarkerBinner m_binner;
    std::vector<Marker> m_markers;
    struct Sprite {
        QPixmap pixmap;
        QPointF offset;
    };
    std::map<std::pair<int, int>, Sprite> m_sprites; ///< by verdict and diameter
    double m_spriteRatio = 0;
    bool m_spriteDark = false;
};

/// Everything that is text, and the marks of selection and pointer: drawn anew when the pointer moves,
/// without the points.
class NoteLayer : public ChartLayer {
public:
    NoteLayer(QCustomPlot& plot, const ChartScene& scene, const PointLayer& points)
        : ChartLayer(plot, scene), m_points(points) {}
    /// The selected launch at the other memory levels, as last drawn, in pixels.
    [[nodiscard]] const std::optional<view::plot::LevelMarks>& levels() const { return m_levels; }
    /// Its work that the chart is not about, as last drawn, in pixels.
    [[nodiscard]] const std::optional<view::plot::PartMarks>& parts() const { return m_parts; }

protected:
    void draw(QCPPainter* painter) override;

private:
    struct Pass;
    void drawRoofLabels(Pass& pass) const;
    void drawMarks(Pass& pass) const;
    void drawSpeedup(Pass& pass) const;
    void drawLevels(Pass& pass);
    void drawLevelNames(Pass& pass) const;
    void drawParts(Pass& pass);
    void drawPartNames(Pass& pass) const;
    void drawTrails(Pass& pass) const;
    void drawArrow(Pass& pass, const view::plot::Arrow& arrow, const QPen& pen) const;
    void drawCross(Pass& pass) const;
    void drawPointLabels(Pass& pass) const;
    void drawEmptyHint(Pass& pass) const;
    [[nodiscard]] QPointF pixelOf(const ChartPoint& point) const;

    const PointLayer& m_points;
    std::optional<view::plot::LevelMarks> m_levels;
    std::optional<view::plot::PartMarks> m_parts;
};

} // namespace dormer::ui::roofline
