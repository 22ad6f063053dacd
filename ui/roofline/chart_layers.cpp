// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/roofline/chart_layers.h"

#include "analysis/view/plot/roof_geometry.h"
#include "ui/look/verdict_style.h"

#include <cmath>

namespace dormer::ui::roofline {

using namespace view::plot;

namespace {

LogScale scaleOf(const QCPAxis& axis) {
    const QCPRange range = axis.range();
    return {{std::log10(range.lower), std::log10(range.upper)},
            axis.coordToPixel(range.lower),
            axis.coordToPixel(range.upper)};
}

/// Export and printing ask for shapes instead of pictures.
bool wantsShapes(const QCPPainter& painter) {
    return painter.modes().testFlag(QCPPainter::pmNoCaching) ||
           painter.modes().testFlag(QCPPainter::pmVectorized);
}

} // namespace

QCPRange ChartLayer::getKeyRange(bool& found, QCP::SignDomain) const {
    found = false; // the chart fits its view itself
    return {};
}
QCPRange ChartLayer::getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const {
    found = false;
    return {};
}
LogScale ChartLayer::xScale() const {
    return scaleOf(*mKeyAxis);
}
LogScale ChartLayer::yScale() const {
    return scaleOf(*mValueAxis);
}

QPolygonF ChartLayer::polygonOf(const std::vector<Spot>& decades) const {
    QPolygonF polygon;
    for (const Spot& corner : decades)
        polygon << QPointF(xScale().toPixel(corner.x), yScale().toPixel(corner.y));
    return polygon;
}

void RoofLayer::draw(QCPPainter* painter) {
    painter->setAntialiasing(true);
    const std::vector<Roof> all = roofs(m_scene.feed->roofline());
    if (all.empty()) return;
    const Shades shades = shadesIn(all.front(), view());
    painter->setPen(Qt::NoPen);
    painter->setBrush(m_scene.style.shadeMemory);
    painter->drawPolygon(polygonOf(shades.memory));
    painter->setBrush(m_scene.style.shadeCompute);
    painter->drawPolygon(polygonOf(shades.compute));
    painter->setBrush(Qt::NoBrush);
    for (const Roof& roof : all) {
        QPen pen(roof.measured || all.size() == 1 ? m_scene.style.roof : m_scene.style.roofFaint,
                 roof.measured ? 2.2 : 1.4);
        if (!roof.measured) pen.setDashPattern({5, 3});
        pen.setCapStyle(Qt::FlatCap);
        painter->setPen(pen);
        painter->drawPolyline(polygonOf(outlineIn(roof, view())));
    }
    const auto ridge = ridgeIn(all.front(), view());
    if (!ridge) return;
    QPen dotted(look::verdictColor(verdict::Bound::Compute, m_scene.style.dark), 1.2);
    dotted.setDashPattern({1.5, 3});
    painter->setPen(dotted);
    painter->drawPolyline(polygonOf({{ridge->x1, ridge->y1}, {ridge->x2, ridge->y2}}));
}

double PointLayer::diameterOf(const ChartPoint& point) const {
    return markerDiameter(point.durationNs, m_scene.feed->points().longestNs());
}

void PointLayer::update() {
    const PointSet& points = m_scene.feed->points();
    const auto markers = m_binner.bin(points.all(), xScale(), yScale(), points.longestNs(), m_scene.nowMs);
    m_markers.assign(markers.begin(), markers.end());
}

void PointLayer::drawMarker(QCPPainter& painter, const Marker& marker, bool vector) {
    const plot::ChartStyle& style = m_scene.style;
    if (vector) {
        look::paintVerdict(painter, {marker.x, marker.y}, marker.bound, marker.diameter, style.dark,
                           style.panel);
        return;
    }
    const int diameter = static_cast<int>(std::lround(marker.diameter));
    Sprite& sprite = m_sprites[{static_cast<int>(marker.bound), diameter}];
    if (sprite.pixmap.isNull()) {
        // The triangle is the widest shape: 1.35 diameters, and the rim.
        const int size = static_cast<int>(diameter * 1.6) + 4;
        sprite.pixmap = QPixmap(QSize(size, size) * m_spriteRatio);
        sprite.pixmap.setDevicePixelRatio(m_spriteRatio);
        sprite.pixmap.fill(Qt::transparent);
        QPainter onto(&sprite.pixmap);
        look::paintVerdict(onto, {size / 2.0, size / 2.0}, marker.bound, diameter, style.dark, style.panel);
        sprite.offset = QPointF(size / 2.0, size / 2.0);
    }
    // Whole device pixels: an unaligned picture would be smoothed, which costs and blurs.
    const QPointF corner = QPointF(marker.x, marker.y) - sprite.offset;
    painter.drawPixmap(QPointF(std::round(corner.x() * m_spriteRatio) / m_spriteRatio,
                               std::round(corner.y() * m_spriteRatio) / m_spriteRatio),
                       sprite.pixmap);
}

void PointLayer::draw(QCPPainter* painter) {
    update();
    const double ratio = mParentPlot->bufferDevicePixelRatio();
    if (ratio != m_spriteRatio || m_scene.style.dark != m_spriteDark) {
        m_sprites.clear();
        m_spriteRatio = ratio;
        m_spriteDark = m_scene.style.dark;
    }
    const bool vector = wantsShapes(*painter);
    const PointSet& points = m_scene.feed->points();
    for (const Marker& marker : m_markers) {
        // A marker that already stood for others does not vanish because a longer launch joined it.
        const ChartPoint* point = vector || marker.count > 1 ? nullptr : points.find(marker.launch);
        const double opacity = point ? fadeIn(m_scene.nowMs - point->appearedMs) : 1;
        if (opacity < 1) painter->setOpacity(opacity);
        drawMarker(*painter, marker, vector);
        if (opacity < 1) painter->setOpacity(1);
    }
}

} // namespace dormer::ui::roofline
