// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/roofline/chart_pass.h"

#include "analysis/metrics/format.h"
#include "analysis/view/plot/marker.h"
#include "ui/look/verdict_style.h"
#include "ui/sessions/session_hub.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace dormer::ui::roofline {

using namespace view::plot;

QPointF NoteLayer::pixelOf(const ChartPoint& point) const {
    return {xScale().toPixel(point.x), yScale().toPixel(point.y)};
}

void NoteLayer::draw(QCPPainter* painter) {
    painter->setAntialiasing(true);
    Pass pass{*painter, {xScale(), yScale()}, {}};
    for (const Marker& marker : m_points.markers()) {
        const double half = marker.diameter / 2 + 1;
        pass.obstacles.markers.push_back(uprightBox(marker.x - half, marker.y - half, 2 * half, 2 * half));
    }
    drawRoofLabels(pass);
    drawLevels(pass);
    drawParts(pass);
    drawTrails(pass);
    drawMarks(pass);
    drawSpeedup(pass);
    drawLevelNames(pass);
    drawPartNames(pass);
    drawPointLabels(pass);
    drawEmptyHint(pass);
    drawCross(pass);
}

void NoteLayer::drawRoofLabels(Pass& pass) const {
    const auto measure = [&](const std::string& text) {
        return sizeOf(m_scene.style.small, QString::fromStdString(text), pass.painter.device());
    };
    for (const PlacedText& label :
         placeRoofLabels(m_scene.feed->roofline(), pass.frame, measure, pass.obstacles))
        pass.write(label.box, QString::fromStdString(label.text), m_scene.style.small, m_scene.style.muted);
}

void NoteLayer::drawMarks(Pass& pass) const {
    const PointSet& points = m_scene.feed->points();
    QCPPainter& painter = pass.painter;
    const auto mark = [&](std::optional<session::LaunchIndex> launch, bool selected) {
        const ChartPoint* point = launch ? points.find(*launch) : nullptr;
        if (!point || !point->shown || !pass.frame.x.range.holds(point->x) ||
            !pass.frame.y.range.holds(point->y))
            return;
        const double diameter = m_points.diameterOf(*point);
        const QPointF centre = pixelOf(*point);
        const double ring = markerReach(point->bound, diameter) + 3.5;
        painter.setBrush(selected ? QBrush(m_scene.style.panel) : QBrush(Qt::NoBrush));
        painter.setPen(QPen(look::verdictColor(point->bound, m_scene.style.dark), selected ? 2 : 1.2));
        painter.drawEllipse(centre, ring, ring);
        // The selected one stands on top, also when it is not the one its cell shows.
        if (selected) {
            look::paintVerdict(painter, centre, point->bound, diameter, m_scene.style.dark,
                               m_scene.style.panel);
        }
        pass.obstacles.markers.push_back(
            uprightBox(centre.x() - ring, centre.y() - ring, 2 * ring, 2 * ring));
    };
    mark(m_scene.selected, true);
    if (m_scene.hovered != m_scene.selected) mark(m_scene.hovered, false);
}

void NoteLayer::drawSpeedup(Pass& pass) const {
    const ChartPoint* point = m_scene.selected ? m_scene.feed->points().find(*m_scene.selected) : nullptr;
    if (!point || !point->shown || !m_scene.speedup || !pass.frame.x.range.holds(point->x)) return;
    const auto arrow = speedupArrow(m_scene.feed->roofline(), pass.frame, {point->x, point->y},
                                    *m_scene.speedup, markerReach(point->bound, m_points.diameterOf(*point)));
    if (!arrow) return;
    const QColor color = look::verdictColor(point->bound, m_scene.style.dark);
    QCPPainter& painter = pass.painter;
    QPen pen(color, 1.6);
    pen.setDashPattern({2.5, 2});
    drawArrow(pass, *arrow, pen);

    const QString text = QString::fromStdString(speedupText(*m_scene.speedup));
    QFont font = m_scene.style.small;
    font.setBold(true);
    const auto label = placeBeside(arrow->middle(), 5, sizeOf(font, text, painter.device()),
                                   pass.frame.bounds(), pass.obstacles, true);
    pass.write(label->box, text, font, m_scene.style.gain);
}

void NoteLayer::drawArrow(Pass& pass, const Arrow& arrow, const QPen& pen) const {
    QCPPainter& painter = pass.painter;
    painter.setPen(pen);
    painter.drawLine(pointOf(arrow.from), pointOf(arrow.neck));
    painter.setPen(Qt::NoPen);
    painter.setBrush(pen.color());
    painter.drawPolygon(QPolygonF({pointOf(arrow.head[0]), pointOf(arrow.head[1]), pointOf(arrow.head[2])}));
    painter.setBrush(Qt::NoBrush);
    pass.obstacles.lines.push_back({arrow.from, arrow.tip()});
}

void NoteLayer::drawTrails(Pass& pass) const {
    constexpr double kRing = 3.5;
    for (const Trail& trail : m_scene.trails) {
        const ChartPoint* point = m_scene.feed->points().find(trail.to);
        if (!point || !point->shown) continue;
        const bool chosen = m_scene.selected && m_scene.feed->labelTextOf(*m_scene.selected) ==
                                                    m_scene.feed->labelTextOf(trail.to);
        const QColor colour =
            chosen ? look::verdictColor(point->bound, m_scene.style.dark) : m_scene.style.muted;
        const Spot start = pass.frame.pixel(trail.from), end = spotOf(pixelOf(*point));
        const double reach = markerReach(point->bound, m_points.diameterOf(*point)) + 2;
        const auto arrow = arrowBetween(start, end, kRing, reach);
        if (!arrow) continue; // it hardly moved
        pass.painter.setBrush(Qt::NoBrush);
        pass.painter.setPen(QPen(colour, 1.4));
        pass.painter.drawEllipse(pointOf(start), kRing, kRing);
        drawArrow(pass, *arrow, QPen(colour, chosen ? 2 : 1.2));
    }
}

void NoteLayer::drawCross(Pass& pass) const {
    if (!m_scene.cross) return;
    const QRectF area = clipRect();
    const QPointF at = *m_scene.cross;
    QCPPainter& painter = pass.painter;
    QPen pen(m_scene.style.muted, 1);
    pen.setDashPattern({4, 3});
    painter.setPen(pen);
    painter.drawLine(QPointF(area.left(), at.y()), QPointF(area.right(), at.y()));
    painter.drawLine(QPointF(at.x(), area.top()), QPointF(at.x(), area.bottom()));
    const verdict::Work work = m_scene.feed->roofline().work;
    const QFont& font = m_scene.style.small;
    const auto tell = [&](const std::string& words, double left, double top, bool fromRight, bool fromBelow) {
        const QString text = QString::fromStdString(words);
        const Extents size = sizeOf(font, text, painter.device());
        // Beside the line, on the side where there is room for it.
        const double x = std::clamp(fromRight ? left - size.width : left, area.left(),
                                    std::max(area.left(), area.right() - size.width));
        const double y = std::clamp(fromBelow ? top - size.height : top, area.top(),
                                    std::max(area.top(), area.bottom() - size.height));
        pass.write(uprightBox(x, y, size.width, size.height), text, font, m_scene.style.text,
                   m_scene.style.panel);
    };
    tell(metrics::forPeople(std::pow(10, pass.frame.x.toDecades(at.x())), intensityUnit(work)), at.x() + 3,
         area.bottom(), false, true);
    tell(rateText(std::pow(10, pass.frame.y.toDecades(at.y())), work), area.right(), at.y() - 2, true, true);
}

void NoteLayer::drawPointLabels(Pass& pass) const {
    const PointSet& points = m_scene.feed->points();
    const plot::ChartStyle& style = m_scene.style;
    QColor halo = style.panel;
    halo.setAlphaF(0.55F);
    std::vector<std::uint32_t> written;
    const auto label = [&](session::LaunchIndex launch, bool important, bool bold) {
        const ChartPoint* point = points.find(launch);
        if (!point || !point->shown ||
            std::find(written.begin(), written.end(), point->label) != written.end())
            return;
        if (!pass.frame.x.range.holds(point->x) || !pass.frame.y.range.holds(point->y)) return;
        const QFont& font = bold ? style.bold : style.small;
        QString text = QString::fromStdString(m_scene.feed->labelText(point->label));
        text = QFontMetricsF(font).elidedText(text, Qt::ElideMiddle, 220);
        const double radius = important ? markerReach(point->bound, m_points.diameterOf(*point)) + 4
                                        : m_points.diameterOf(*point) / 2;
        const Spot at = spotOf(pixelOf(*point));
        const auto place = placeBeside(at, radius, sizeOf(font, text, pass.painter.device()),
                                       pass.frame.bounds(), pass.obstacles, important);
        if (!place) return;
        if (place->leader) {
            const Spot end = *place->leader;
            const double length = std::hypot(end.x - at.x, end.y - at.y);
            const Spot edge{at.x + (end.x - at.x) / length * radius, at.y + (end.y - at.y) / length * radius};
            pass.painter.setPen(QPen(style.border, 1));
            pass.painter.drawLine(pointOf(edge), pointOf(end));
        }
        pass.write(place->box, text, font, style.text, halo);
        written.push_back(point->label);
    };
    if (m_scene.selected) label(*m_scene.selected, true, true);
    if (m_scene.hovered) label(*m_scene.hovered, true, false);
    int tried = 0;
    for (const ChartLabel& candidate : m_scene.feed->labels()) {
        if (++tried > kMostPointLabels) break;
        label(candidate.longest, false, false);
    }
}

void NoteLayer::drawEmptyHint(Pass& pass) const {
    if (m_scene.feed->points().shownCount() > 0) return;
    const bool nothing = m_scene.feed->gutter().listed() == 0 && m_scene.feed->gutter().notCounted == 0;
    const QString text = nothing ? QStringLiteral("Launches appear here while they finish")
                                 : QStringLiteral("No launch has a place on these axes");
    const Extents size = sizeOf(m_scene.style.font, text, pass.painter.device());
    pass.write({pass.frame.bounds().centre, size, 0}, text, m_scene.style.font, m_scene.style.muted,
               m_scene.style.panel);
}

} // namespace dormer::ui::roofline
