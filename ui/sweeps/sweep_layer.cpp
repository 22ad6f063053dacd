// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/sweeps/sweep_layer.h"

#include "ui/look/verdict_style.h"

#include <array>

namespace dormer::ui::sweeps {

using namespace view::plot;

namespace {

constexpr double kDiameter = 10;
constexpr double kSmallDiameter = 7;
/// More points than this get small markers.
constexpr std::size_t kMany = 40;
constexpr double kRing = 4; ///< around a marked point
constexpr double kLongestName = 260;

/// Lines of several series are told apart by their dashes and by the names at their ends.
const std::array<QVector<qreal>, 6> kDashes{
    {{}, {6, 3}, {2, 2.5}, {8, 3, 2, 3}, {10, 3, 2, 3, 2, 3}, {3, 6}}};

Extents sizeOf(const QFont& font, const QString& text) {
    const QFontMetricsF metrics(font);
    return {metrics.horizontalAdvance(text) + 2, metrics.height()};
}

} // namespace

SweepLayer::SweepLayer(QCustomPlot& plot, const SweepPicture& picture,
                       const std::optional<std::size_t>& selected, const plot::ChartStyle& style)
    : QCPAbstractPlottable(plot.xAxis, plot.yAxis)
    , m_picture(picture)
    , m_selected(selected)
    , m_style(style) {}

QCPRange SweepLayer::getKeyRange(bool& found, QCP::SignDomain) const {
    found = false; // the layout says what is in view
    return {};
}
QCPRange SweepLayer::getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const {
    found = false;
    return {};
}

QPointF SweepLayer::pixelOf(const SweepSpot& spot) const {
    return {mKeyAxis->coordToPixel(spot.x), mValueAxis->coordToPixel(spot.y)};
}

const SweepSpot* SweepLayer::spotOf(std::optional<std::size_t> point) const {
    if (!point) return nullptr;
    for (const SweepSpot& spot : m_picture.plot.spots)
        if (spot.point == *point) return &spot;
    return nullptr;
}

void SweepLayer::draw(QCPPainter* painter) {
    painter->setAntialiasing(true);
    if (m_picture.plot.spots.empty()) return drawHint(*painter);
    Obstacles obstacles;
    drawLines(*painter, obstacles);
    drawMarkers(*painter, obstacles);
    drawNames(*painter, obstacles);
}

void SweepLayer::drawLines(QCPPainter& painter, Obstacles& obstacles) const {
    const std::vector<SweepSpot>& spots = m_picture.plot.spots;
    if (!m_picture.plot.numeric) {
        // Points side by side stand on stems: there is nothing between them.
        const double ground = mValueAxis->coordToPixel(mValueAxis->range().lower);
        painter.setPen(QPen(m_style.border, spots.size() > kMany ? 1.2 : 2));
        for (const SweepSpot& spot : spots)
            painter.drawLine(QLineF(pixelOf(spot), QPointF(pixelOf(spot).x(), ground)));
        return;
    }
    painter.setBrush(Qt::NoBrush);
    for (std::size_t i = 1; i < spots.size(); ++i) {
        if (spots[i].series != spots[i - 1].series) continue;
        QPen pen(m_style.muted, 1.5);
        const QVector<qreal>& dashes = kDashes[spots[i].series % kDashes.size()];
        if (!dashes.isEmpty()) pen.setDashPattern(dashes);
        painter.setPen(pen);
        const QPointF from = pixelOf(spots[i - 1]), to = pixelOf(spots[i]);
        painter.drawLine(QLineF(from, to));
        obstacles.lines.push_back({Spot{from.x(), from.y()}, Spot{to.x(), to.y()}});
    }
}

void SweepLayer::drawMarkers(QCPPainter& painter, Obstacles& obstacles) const {
    const double diameter = m_picture.plot.spots.size() > kMany ? kSmallDiameter : kDiameter;
    const auto marker = [&](const SweepSpot& spot) {
        look::paintVerdict(painter, pixelOf(spot),
                           m_picture.marks[spot.point].bound.value_or(verdict::Bound::Unknown), diameter,
                           m_style.dark, m_style.panel);
    };
    for (const SweepSpot& spot : m_picture.plot.spots) {
        marker(spot);
        const QPointF at = pixelOf(spot);
        obstacles.markers.push_back(
            uprightBox(at.x() - diameter / 2, at.y() - diameter / 2, diameter, diameter));
    }
    const auto ring = [&](const SweepSpot* spot, const QPen& pen) {
        if (spot == nullptr) return;
        painter.setPen(pen);
        painter.setBrush(m_style.panel);
        painter.drawEllipse(pixelOf(*spot), diameter / 2 + kRing, diameter / 2 + kRing);
        marker(*spot);
    };
    ring(spotOf(m_picture.best), QPen(m_style.text, 1.4));
    ring(spotOf(m_selected), QPen(m_style.accent, 2));
}

void SweepLayer::drawNames(QCPPainter& painter, Obstacles& obstacles) const {
    const QRectF area = clipRect();
    const TurnedBox bounds = uprightBox(area.left(), area.top(), area.width(), area.height());
    const auto write = [&](const SweepSpot* spot, const QString& words, const QFont& font,
                           const QColor& ink) {
        if (spot == nullptr) return;
        const QString text = QFontMetricsF(font).elidedText(words, Qt::ElideRight, kLongestName);
        const QPointF at = pixelOf(*spot);
        const auto label = placeBeside({at.x(), at.y()}, kDiameter / 2 + kRing + 1, sizeOf(font, text),
                                       bounds, obstacles, true);
        if (label->leader) {
            painter.setPen(QPen(m_style.border, 1));
            painter.drawLine(at, QPointF(label->leader->x, label->leader->y));
        }
        const TurnedBox& box = label->box;
        const QRectF place(box.centre.x - box.size.width / 2, box.centre.y - box.size.height / 2,
                           box.size.width, box.size.height);
        QColor halo = m_style.panel;
        halo.setAlphaF(0.75F);
        painter.fillRect(place, halo);
        painter.setFont(font);
        painter.setPen(ink);
        painter.drawText(place, Qt::AlignCenter, text);
        obstacles.text.push_back(box);
    };
    if (m_picture.best) write(spotOf(m_picture.best), m_picture.bestLabel, m_style.bold, m_style.text);
    if (m_selected && m_selected != m_picture.best)
        write(spotOf(m_selected), m_picture.marks[*m_selected].name, m_style.bold, m_style.accent);
    const std::vector<SweepSpot>& spots = m_picture.plot.spots;
    for (std::size_t i = 0; i < spots.size(); ++i) {
        const bool last = i + 1 == spots.size() || spots[i + 1].series != spots[i].series;
        if (last && spots[i].series < m_picture.series.size())
            write(&spots[i], m_picture.series[spots[i].series], m_style.small, m_style.muted);
    }
}

void SweepLayer::drawHint(QCPPainter& painter) const {
    painter.setFont(m_style.font);
    painter.setPen(m_style.muted);
    painter.drawText(QRectF(clipRect()), Qt::AlignCenter | Qt::TextWordWrap, m_picture.empty);
}

} // namespace dormer::ui::sweeps
