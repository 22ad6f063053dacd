// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/details_parts.h"

#include "analysis/format.h"
#include "ui/kernel_columns.h"
#include "ui/theme.h"
#include "ui/verdict_style.h"

#include <QHelpEvent>
#include <QLabel>
#include <QPainter>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>

namespace dormer::ui {
namespace {

constexpr int kMarkerSize = 14;
constexpr int kMarkerColumn = 5 * kGrid;
constexpr int kBarHeight = 8;
constexpr double kThickestArrow = 14;

QColor tinted(const QColor& ground, const QColor& colour, double share) {
    const auto mix = [share](int a, int b) { return static_cast<int>(a + (b - a) * share); };
    return QColor(mix(ground.red(), colour.red()), mix(ground.green(), colour.green()),
                  mix(ground.blue(), colour.blue()));
}

} // namespace

VerdictCard::VerdictCard(analysis::Bound bound, QString headline, QString reason, QWidget* parent)
    : QWidget(parent), m_bound(bound) {
    setAccessibleName(headline);
    auto* title = new QLabel(std::move(headline));
    title->setFont(headingFont(font(), 3));
    title->setWordWrap(true);
    title->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kMarkerColumn, 3 * kGrid / 2, 2 * kGrid, 3 * kGrid / 2);
    layout->setSpacing(kGrid / 2);
    layout->addWidget(title);
    if (!reason.isEmpty()) {
        auto* line = new QLabel(std::move(reason));
        line->setFont(smallFont(font()));
        line->setWordWrap(true);
        layout->addWidget(line);
    }
}

void VerdictCard::paintEvent(QPaintEvent*) {
    const bool dark = isDark(palette());
    const QColor ground =
        tinted(coloursFor(palette()).panel, verdictColor(m_bound, dark), dark ? 0.22 : 0.12);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ground);
    painter.drawRoundedRect(rect(), kPanelRadius, kPanelRadius);
    const double middle =
        layout()->itemAt(0)->geometry().top() + QFontMetrics(headingFont(font(), 3)).height() / 2.0;
    paintVerdict(painter, QPointF(kMarkerColumn / 2.0 + 2, middle), m_bound, kMarkerSize, dark, ground);
}

HeadroomBars::HeadroomBars(std::vector<HeadroomBar> bars, QWidget* parent)
    : QWidget(parent), m_bars(std::move(bars)) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setFont(smallFont(font()));
}

int HeadroomBars::rowHeight() const {
    return fontMetrics().height() + kGrid / 2;
}

QSize HeadroomBars::sizeHint() const {
    return {30 * kGrid, rowHeight() * static_cast<int>(m_bars.size())};
}

void HeadroomBars::paintEvent(QPaintEvent*) {
    const Colours& colours = coloursFor(palette());
    const bool dark = isDark(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    int names = 0;
    for (const HeadroomBar& bar : m_bars)
        names = std::max(names, fontMetrics().horizontalAdvance(bar.name));
    names += 3 * kGrid / 2;
    const int numbers = fontMetrics().horizontalAdvance("100.0 % of roof") + kGrid / 2;
    const double length = std::max(8, width() - names - numbers);
    for (std::size_t i = 0; i < m_bars.size(); ++i) {
        const HeadroomBar& bar = m_bars[i];
        const QRectF row(0, static_cast<double>(i) * rowHeight(), width(), rowHeight());
        painter.setPen(colours.muted);
        painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter, bar.name);
        const QRectF track(names, row.center().y() - kBarHeight / 2.0, length, kBarHeight);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colours.track);
        painter.drawRoundedRect(track, kBarHeight / 2.0, kBarHeight / 2.0);
        const double filled = length * std::clamp(bar.share, 0.0, 1.0);
        if (filled > 0) {
            painter.setBrush(verdictColor(bar.side, dark));
            const QRectF fill(track.left(), track.top(), std::max(filled, 2.0), kBarHeight);
            const double radius = std::min(kBarHeight / 2.0, fill.width() / 2);
            painter.drawRoundedRect(fill, radius, radius);
        }
        painter.setPen(bar.share > 1 ? colours.gain : colours.text);
        const double percent = 100 * bar.share;
        painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter,
                         QStringLiteral("%1 % of roof").arg(fixed(percent, percent < 1 ? 1 : 0)));
    }
}

bool HeadroomBars::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto row = static_cast<std::size_t>(help->pos().y() / std::max(1, rowHeight()));
    QToolTip::showText(help->globalPos(), row < m_bars.size() ? m_bars[row].hint : QString(), this);
    return true;
}

BytesFlow::BytesFlow(std::vector<FlowStation> stations, QWidget* parent)
    : QWidget(parent), m_stations(std::move(stations)) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setFont(smallFont(font()));
}

QSize BytesFlow::sizeHint() const {
    return {40 * kGrid, 3 * fontMetrics().height() + 3 * kGrid / 2};
}

QRectF BytesFlow::box(std::size_t station) const {
    // Boxes hold names only, so that the gaps have room for figures like "1.99 GB".
    const double edge = fontMetrics().horizontalAdvance("DRAM") + 2 * kGrid;
    const double steps = std::max(1.0, static_cast<double>(m_stations.size()) - 1);
    const double step = (width() - 1 - edge) / steps;
    return {0.5 + static_cast<double>(station) * step, 0.5, edge, 2.0 * fontMetrics().height() + kGrid};
}

QRectF BytesFlow::gap(std::size_t station) const {
    const QRectF left = box(station);
    const QRectF right = box(station + 1);
    return {left.right(), left.top(), right.left() - left.right(), left.height()};
}

void BytesFlow::paintEvent(QPaintEvent*) {
    const Colours& colours = coloursFor(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    double most = 0;
    for (const FlowStation& station : m_stations)
        most = std::max(most, station.bytesOnward.value_or(0));
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    const double line = fontMetrics().height();
    for (std::size_t i = 0; i < m_stations.size(); ++i) {
        const FlowStation& station = m_stations[i];
        const QRectF area = box(i);
        painter.setPen(colours.border);
        painter.setBrush(colours.sunken);
        painter.drawRoundedRect(area, kPanelRadius - 2, kPanelRadius - 2);
        painter.setPen(colours.text);
        painter.setFont(strong);
        painter.drawText(area, Qt::AlignCenter, station.name);
        painter.setPen(colours.muted);
        painter.setFont(font());
        // Details may be wider than their box: the outer ones grow inwards.
        const QRectF below(0, area.bottom() + 2, width(), line);
        if (i == 0)
            painter.drawText(below, Qt::AlignLeft, station.detail);
        else if (i + 1 == m_stations.size())
            painter.drawText(below, Qt::AlignRight, station.detail);
        else
            painter.drawText(below.translated(area.center().x() - width() / 2.0, 0), Qt::AlignHCenter,
                             station.detail);
        if (i + 1 < m_stations.size()) paintArrow(painter, i, most);
    }
}

void BytesFlow::paintArrow(QPainter& painter, std::size_t station, double most) const {
    const std::optional<double>& bytes = m_stations[station].bytesOnward;
    const QRectF space = gap(station);
    const double line = fontMetrics().height();
    painter.drawText(QRectF(space.left(), space.top() + 2, space.width(), line), Qt::AlignCenter,
                     QString::fromStdString(analysis::forPeople(bytes, analysis::Unit::Bytes)));
    const double middle = space.top() + line + kThickestArrow / 2 + 4;
    if (bytes && most > 0) {
        const double thick = std::max(1.5, kThickestArrow * *bytes / most);
        painter.fillRect(QRectF(space.left() + 1, middle - thick / 2, space.width() - 2, thick),
                         verdictColor(analysis::Bound::Memory, isDark(palette())));
    } else {
        painter.setPen(QPen(coloursFor(palette()).muted, 1, Qt::DotLine));
        painter.drawLine(QPointF(space.left() + 2, middle), QPointF(space.right() - 2, middle));
    }
}

bool BytesFlow::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QString hint;
    for (std::size_t i = 0; i < m_stations.size(); ++i) {
        if (box(i).contains(help->pos())) hint = m_stations[i].hint;
        if (i + 1 < m_stations.size() && gap(i).contains(help->pos())) hint = m_stations[i].onwardHint;
    }
    QToolTip::showText(help->globalPos(), hint, this);
    return true;
}

} // namespace dormer::ui
