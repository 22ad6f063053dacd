// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/roofline/chart_layers.h"

#include "ui/look/verdict_style.h"
#include "ui/plot/roof_geometry.h"

#include <cmath>

namespace dormer::ui::roofline {
namespace {

plot::LogScale scaleOf(const QCPAxis& axis) {
    const QCPRange range = axis.range();
    return {{std::log10(range.lower), std::log10(range.upper)},
            axis.coordToPixel(range.lower),
            axis.coordToPixel(range.upper)};
}

QLineF lineOf(const plot::Segment& segment, const plot::LogScale& x, const plot::LogScale& y) {
    return {x.toPixel(segment.x1), y.toPixel(segment.y1), x.toPixel(segment.x2), y.toPixel(segment.y2)};
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
plot::LogScale ChartLayer::xScale() const {
    return scaleOf(*mKeyAxis);
}
plot::LogScale ChartLayer::yScale() const {
    return scaleOf(*mValueAxis);
}

void RoofLayer::drawShades(QCPPainter& painter) const {
    const std::vector<plot::Roof> all = plot::roofs(m_scene.feed->roofline());
    if (all.empty() || !all.front().ridge()) return;
    const plot::Roof& roof = all.front();
    const plot::LogScale x = xScale(), y = yScale();
    const double ridge = x.toPixel(*roof.ridge()), top = y.toPixel(*roof.compute);
    const double left = x.toPixel(x.range.lower), right = x.toPixel(x.range.upper);
    const double bottom = y.toPixel(y.range.lower);
    const double leftTop = y.toPixel(*roof.memory + x.range.lower);
    painter.setPen(Qt::NoPen);
    if (ridge > left) {
        // The roof reaches the lower edge inside the view when the view is tall or zoomed in.
        painter.setBrush(m_scene.style.shadeMemory);
        painter.drawPolygon(QPolygonF({{left, leftTop}, {ridge, top}, {ridge, bottom}, {left, bottom}}));
    }
    if (ridge < right) {
        painter.setBrush(m_scene.style.shadeCompute);
        painter.drawPolygon(QPolygonF(
            {{std::max(ridge, left), top}, {right, top}, {right, bottom}, {std::max(ridge, left), bottom}}));
    }
}

void RoofLayer::draw(QCPPainter* painter) {
    painter->setAntialiasing(true);
    drawShades(*painter);
    const plot::LogScale x = xScale(), y = yScale();
    const std::vector<plot::Roof> all = plot::roofs(m_scene.feed->roofline());
    for (const plot::Roof& roof : all) {
        QPen pen(roof.measured || all.size() == 1 ? m_scene.style.roof : m_scene.style.roofFaint,
                 roof.measured ? 2.2 : 1.4);
        if (!roof.measured) pen.setDashPattern({5, 3});
        pen.setCapStyle(Qt::FlatCap);
        painter->setPen(pen);
        painter->setBrush(Qt::NoBrush);
        const auto slope = plot::slopeIn(roof, view()), flat = plot::flatIn(roof, view());
        QPainterPath path;
        if (slope) {
            const QLineF line = lineOf(*slope, x, y);
            path.moveTo(line.p1());
            path.lineTo(line.p2());
        }
        if (flat) {
            const QLineF line = lineOf(*flat, x, y);
            // One path through the ridge keeps the dashes and the corner whole.
            const bool joined = slope && std::abs(slope->x2 - flat->x1) < 1e-9;
            joined ? path.lineTo(line.p1()) : path.moveTo(line.p1());
            path.lineTo(line.p2());
        }
        painter->drawPath(path);
    }
    if (all.empty() || !all.front().ridge()) return;
    const double ridge = *all.front().ridge();
    if (!x.range.holds(ridge)) return;
    QPen dotted(look::verdictColor(verdict::Bound::Compute, m_scene.style.dark), 1.2);
    dotted.setDashPattern({1.5, 3});
    painter->setPen(dotted);
    painter->drawLine(
        QPointF(x.toPixel(ridge), std::max(y.toPixel(*all.front().compute), y.toPixel(y.range.upper))),
        QPointF(x.toPixel(ridge), y.toPixel(y.range.lower)));
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
