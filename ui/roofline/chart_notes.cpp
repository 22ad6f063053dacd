// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/roofline/chart_layers.h"

#include "ui/look/verdict_style.h"
#include "ui/plot/label_layout.h"
#include "ui/plot/roof_geometry.h"
#include "ui/sessions/session_hub.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace dormer::ui::roofline {
namespace {

constexpr int kMostLabels = 12;
constexpr double kArrowHead = 7;

plot::Extents sizeOf(const QFont& font, const QString& text, const QPaintDevice* device) {
    const QFontMetricsF metrics(font, device);
    return {std::ceil(metrics.horizontalAdvance(text)) + 6, std::ceil(metrics.height())};
}

plot::Spot spotOf(QPointF point) {
    return {point.x(), point.y()};
}

} // namespace

/// State of one drawing: what is already on screen that text must not cover.
struct NoteLayer::Pass {
    QCPPainter& painter;
    plot::LogScale x, y;
    plot::TurnedBox bounds;
    plot::Obstacles obstacles;

    void write(const plot::TurnedBox& box, const QString& text, const QFont& font, const QColor& color,
               const QColor& halo = {}) {
        painter.save();
        painter.translate(box.centre.x, box.centre.y);
        painter.rotate(box.radians * 180 / std::numbers::pi);
        const QRectF area(-box.size.width / 2, -box.size.height / 2, box.size.width, box.size.height);
        if (halo.isValid()) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(halo);
            painter.drawRoundedRect(area.adjusted(0, 1, 0, -1), 3, 3);
        }
        painter.setFont(font);
        painter.setPen(color);
        painter.drawText(area, Qt::AlignCenter | Qt::TextDontClip, text);
        painter.restore();
        obstacles.text.push_back(box);
    }
};

QPointF NoteLayer::pixelOf(const ChartPoint& point) const {
    return {xScale().toPixel(point.x), yScale().toPixel(point.y)};
}

void NoteLayer::draw(QCPPainter* painter) {
    painter->setAntialiasing(true);
    Pass pass{*painter, xScale(), yScale(), {}, {}};
    const double left = pass.x.toPixel(pass.x.range.lower), right = pass.x.toPixel(pass.x.range.upper);
    const double top = pass.y.toPixel(pass.y.range.upper), bottom = pass.y.toPixel(pass.y.range.lower);
    pass.bounds = plot::uprightBox(left + 2, top + 2, right - left - 4, bottom - top - 4);
    for (const Marker& marker : m_points.markers()) {
        const double half = marker.diameter / 2 + 1;
        pass.obstacles.markers.push_back(
            plot::uprightBox(marker.x - half, marker.y - half, 2 * half, 2 * half));
    }
    for (const plot::Roof& roof : plot::roofs(m_scene.feed->roofline())) {
        for (const auto& segment : {plot::slopeIn(roof, view()), plot::flatIn(roof, view())}) {
            if (!segment) continue;
            pass.obstacles.lines.push_back(
                {plot::Spot{pass.x.toPixel(segment->x1), pass.y.toPixel(segment->y1)},
                 plot::Spot{pass.x.toPixel(segment->x2), pass.y.toPixel(segment->y2)}});
        }
    }
    drawRoofLabels(pass);
    drawRidgeLabel(pass);
    drawMarks(pass);
    drawSpeedup(pass);
    drawPointLabels(pass);
    drawEmptyHint(pass);
}

void NoteLayer::drawRoofLabels(Pass& pass) const {
    const verdict::Roofline& roofline = m_scene.feed->roofline();
    const std::vector<plot::Roof> all = plot::roofs(roofline);
    if (all.empty()) return;
    const plot::ChartStyle& style = m_scene.style;
    // Above the theoretical roof, which is the upper one.
    const auto along = [&](const std::optional<plot::Segment>& segment, double preferred,
                           std::string_view full, std::string_view brief, bool mayLeaveLine) {
        if (!segment) return;
        plot::Spot from{pass.x.toPixel(segment->x1), pass.y.toPixel(segment->y1)};
        const plot::Spot to{pass.x.toPixel(segment->x2), pass.y.toPixel(segment->y2)};
        for (const std::string_view words : {full, brief}) {
            const QString text = QString::fromUtf8(words.data(), static_cast<int>(words.size()));
            if (text.isEmpty()) return;
            const plot::Extents size = sizeOf(style.small, text, pass.painter.device());
            plot::Spot start = from;
            // Left of the ridge there is free sky above a flat roof, so its label may begin there.
            if (mayLeaveLine && to.x - from.x < size.width + 8) start.x = to.x - size.width - 8;
            if (const auto box =
                    plot::placeAlong(start, to, 3, size, preferred, pass.bounds, pass.obstacles)) {
                pass.write(*box, text, style.small, style.muted);
                return;
            }
        }
    };
    along(plot::flatIn(all.front(), view()), 1, plot::computeRoofLabel(roofline),
          plot::shortComputeRoofLabel(roofline), true);
    along(plot::slopeIn(all.front(), view()), 0.55, plot::memoryRoofLabel(roofline),
          plot::shortMemoryRoofLabel(roofline), false);
}

void NoteLayer::drawRidgeLabel(Pass& pass) const {
    const verdict::Roofline& roofline = m_scene.feed->roofline();
    if (!roofline.ridge || !(*roofline.ridge > 0)) return;
    const double decades = std::log10(*roofline.ridge);
    if (!pass.x.range.holds(decades)) return;
    const QString text = QString::fromStdString(plot::ridgeLabel(*roofline.ridge));
    const plot::Extents size = sizeOf(m_scene.style.small, text, pass.painter.device());
    const double at = pass.x.toPixel(decades), bottom = pass.y.toPixel(pass.y.range.lower);
    // At the foot of the line, either side, else higher up.
    for (const double lift : {4.0, 28.0, 52.0, 76.0}) {
        for (const double left : {at + 3, at - 3 - size.width}) {
            const plot::TurnedBox box =
                plot::uprightBox(left, bottom - lift - size.height, size.width, size.height);
            const auto hit = [&](const plot::TurnedBox& other) { return plot::overlap(box, other); };
            if (std::any_of(pass.obstacles.markers.begin(), pass.obstacles.markers.end(), hit)) continue;
            if (std::abs(box.centre.x - pass.bounds.centre.x) + size.width / 2 > pass.bounds.size.width / 2)
                continue;
            pass.write(box, text, m_scene.style.small, m_scene.style.muted);
            return;
        }
    }
}

void NoteLayer::drawMarks(Pass& pass) const {
    const PointSet& points = m_scene.feed->points();
    QCPPainter& painter = pass.painter;
    const auto mark = [&](std::optional<session::LaunchIndex> launch, bool selected) {
        const ChartPoint* point = launch ? points.find(*launch) : nullptr;
        if (!point || !point->shown || !pass.x.range.holds(point->x) || !pass.y.range.holds(point->y)) return;
        const double diameter = m_points.diameterOf(*point);
        const QPointF centre = pixelOf(*point);
        const double ring = look::verdictReach(point->bound, diameter) + 3.5;
        painter.setBrush(selected ? QBrush(m_scene.style.panel) : QBrush(Qt::NoBrush));
        painter.setPen(QPen(look::verdictColor(point->bound, m_scene.style.dark), selected ? 2 : 1.2));
        painter.drawEllipse(centre, ring, ring);
        // The selected one stands on top, also when it is not the one its cell shows.
        if (selected) {
            look::paintVerdict(painter, centre, point->bound, diameter, m_scene.style.dark,
                               m_scene.style.panel);
        }
        pass.obstacles.markers.push_back(
            plot::uprightBox(centre.x() - ring, centre.y() - ring, 2 * ring, 2 * ring));
    };
    mark(m_scene.selected, true);
    if (m_scene.hovered != m_scene.selected) mark(m_scene.hovered, false);
}

void NoteLayer::drawSpeedup(Pass& pass) const {
    const ChartPoint* point = m_scene.selected ? m_scene.feed->points().find(*m_scene.selected) : nullptr;
    if (!point || !point->shown || !m_scene.speedup) return;
    const double target = point->y + std::log10(*m_scene.speedup);
    const std::vector<plot::Roof> all = plot::roofs(m_scene.feed->roofline());
    const auto intensity = all.empty() ? std::nullopt : all.front().leastIntensity(target);
    if (!intensity || !pass.x.range.holds(point->x)) return;
    // Straight up while the roof allows it; a faster launch than that must also move fewer bytes, so the
    // arrow leans to the least intensity at which such a rate is possible.
    const QPointF start = pixelOf(*point);
    const QPointF end(pass.x.toPixel(std::max(point->x, *intensity)), pass.y.toPixel(target));
    const QLineF whole(start, end);
    const double radius = look::verdictReach(point->bound, m_points.diameterOf(*point)) + 5;
    if (whole.length() < radius + 2 * kArrowHead) return;
    const QPointF along = (end - start) / whole.length(), across(-along.y(), along.x());
    const QPointF from = start + along * radius, neck = end - along * kArrowHead;
    const QColor color = look::verdictColor(point->bound, m_scene.style.dark);
    QCPPainter& painter = pass.painter;
    QPen pen(color, 1.6);
    pen.setDashPattern({2.5, 2});
    painter.setPen(pen);
    painter.drawLine(from, neck);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(QPolygonF({end, neck + across * kArrowHead * 0.6, neck - across * kArrowHead * 0.6}));
    painter.setBrush(Qt::NoBrush);
    pass.obstacles.lines.push_back({spotOf(from), spotOf(end)});

    const QString text =
        QStringLiteral("×%1 if fixed").arg(*m_scene.speedup, 0, 'g', *m_scene.speedup < 10 ? 2 : 3);
    QFont font = m_scene.style.small;
    font.setBold(true);
    const plot::Extents size = sizeOf(font, text, painter.device());
    const auto box = plot::placeBeside(spotOf((from + end) / 2), 5, size, pass.bounds, pass.obstacles, true);
    if (box) pass.write(*box, text, font, m_scene.style.gain);
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
        if (!pass.x.range.holds(point->x) || !pass.y.range.holds(point->y)) return;
        const QFont& font = bold ? style.bold : style.small;
        QString text = QString::fromStdString(m_scene.feed->labelText(point->label));
        text = QFontMetricsF(font).elidedText(text, Qt::ElideMiddle, 220);
        const double radius = important ? look::verdictReach(point->bound, m_points.diameterOf(*point)) + 4
                                        : m_points.diameterOf(*point) / 2;
        const auto box =
            plot::placeBeside(spotOf(pixelOf(*point)), radius, sizeOf(font, text, pass.painter.device()),
                              pass.bounds, pass.obstacles, important);
        if (!box) return;
        pass.write(*box, text, font, style.text, halo);
        written.push_back(point->label);
    };
    if (m_scene.selected) label(*m_scene.selected, true, true);
    if (m_scene.hovered) label(*m_scene.hovered, true, false);
    int tried = 0;
    for (const ChartLabel& candidate : m_scene.feed->labels()) {
        if (++tried > kMostLabels) break;
        label(candidate.longest, false, false);
    }
}

void NoteLayer::drawEmptyHint(Pass& pass) const {
    if (m_scene.feed->points().shownCount() > 0) return;
    const bool nothing = m_scene.feed->gutter().listed() == 0 && m_scene.feed->gutter().notCounted == 0;
    const QString text = nothing ? QStringLiteral("Launches appear here while they finish")
                                 : QStringLiteral("No launch has a place on these axes");
    const plot::Extents size = sizeOf(m_scene.style.font, text, pass.painter.device());
    pass.write({pass.bounds.centre, size, 0}, text, m_scene.style.font, m_scene.style.muted,
               m_scene.style.panel);
}

} // namespace dormer::ui::roofline
