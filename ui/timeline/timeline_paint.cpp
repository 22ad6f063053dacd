// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
// How the rows of the timeline are painted.
#include "ui/timeline/timeline_chart.h"

#include "analysis/view/timeline/words.h"
#include "ui/look/theme.h"
#include "ui/look/verdict_style.h"
#include "ui/look/words.h"
#include "ui/sessions/session_hub.h"

#include <QPainter>
#include <QScrollBar>

#include <algorithm>

namespace dormer::ui::timeline {

using namespace view::timeline;

namespace {

constexpr double kTicksApart = 110; // pixels
constexpr double kLeastLabel = 56;  // pixels of a bar that has room for a name
constexpr int kFaintest = 60;       // alpha of joined bars that fill next to nothing

QColor faint(QColor colour, double covered) {
    colour.setAlpha(kFaintest + static_cast<int>(covered * (255 - kFaintest)));
    return colour;
}

QColor inkOn(const QColor& fill) {
    return look::contrast(fill, Qt::white) >= look::contrast(fill, Qt::black) ? Qt::white : Qt::black;
}

} // namespace

void TimelineChart::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    const look::Colours& colours = look::coloursFor(palette());
    painter.fillRect(viewport()->rect(), colours.panel);
    const double scrolled = verticalScrollBar()->value();
    paintAxis(painter);
    painter.save();
    painter.setClipRect(QRectF(0, axisHeight(), viewport()->width(), viewport()->height() - axisHeight()));
    for (const Place& place : m_places) {
        const double top = place.top - scrolled;
        if (top + place.height < 0 || top - laneHeight() > viewport()->height()) continue;
        if (place.startsScope) {
            painter.setPen(colours.text);
            painter.drawText(QRectF(0, top - laneHeight(), viewport()->width(), laneHeight()),
                             Qt::AlignLeft | Qt::AlignVCenter, look::words(m_timeline.rows[place.row].scope));
        }
        paintRow(painter, place, top);
    }
    painter.restore();
    if (m_stretch) {
        QColor band = colours.accent;
        band.setAlpha(kFaintest);
        painter.fillRect(QRectF(std::min(m_stretch->first, m_stretch->second), axisHeight(),
                                std::abs(m_stretch->second - m_stretch->first), viewport()->height()),
                         band);
    }
}

void TimelineChart::paintTicks(QPainter& painter, double top, double bottom) const {
    painter.setPen(look::coloursFor(palette()).border);
    for (const double tick : timeTicks(m_window, kTicksApart)) {
        const double x = m_left + m_window.pixel(tick);
        painter.drawLine(QPointF(x, top), QPointF(x, bottom));
    }
}

void TimelineChart::paintAxis(QPainter& painter) const {
    const look::Colours& colours = look::coloursFor(palette());
    paintTicks(painter, axisHeight() - 4, viewport()->height());
    for (const double tick : timeTicks(m_window, kTicksApart)) {
        const double x = m_left + m_window.pixel(tick);
        const QString text = look::words(tickText(tick, static_cast<double>(m_timeline.lengthNs)));
        const double width = QFontMetricsF(font()).horizontalAdvance(text);
        painter.setPen(colours.muted);
        painter.drawText(
            QPointF(std::clamp(x - width / 2, m_left, viewport()->width() - width - 2), axisHeight() - 6),
            text);
    }
}

void TimelineChart::paintRow(QPainter& painter, const Place& place, double top) const {
    const look::Colours& colours = look::coloursFor(palette());
    const TimelineRow& row = m_timeline.rows[place.row];
    const QFontMetricsF metrics(font());
    const double titleHeight = std::min(place.height, laneHeight());
    painter.setPen(colours.muted);
    painter.drawText(QRectF(0, top, m_left - look::kGrid, titleHeight), Qt::AlignRight | Qt::AlignVCenter,
                     metrics.elidedText(look::words(row.title), Qt::ElideMiddle, m_left - look::kGrid));
    const QRectF box(m_left, top, m_window.width, place.height);
    painter.fillRect(box, colours.sunken);
    paintTicks(painter, box.top(), box.bottom());
    if (row.kind == RowKind::Activity)
        paintActivity(painter, row, box);
    else
        paintBars(painter, row, top);
}

void TimelineChart::paintActivity(QPainter& painter, const TimelineRow& row, const QRectF& box) const {
    const QColor colour = look::coloursFor(palette()).accent;
    const auto column = [&](const DrawnStep& step, double share) {
        const double height = box.height() * std::clamp(share, 0.0, 1.0);
        return QRectF(box.left() + step.left, box.bottom() - height, std::max(1.0, step.right - step.left),
                      height);
    };
    for (const DrawnStep& step : drawnSteps(row, m_window)) {
        if (step.highest > step.mean) painter.fillRect(column(step, step.highest), faint(colour, 0.1));
        painter.fillRect(column(step, step.mean), colour);
    }
}

void TimelineChart::paintBars(QPainter& painter, const TimelineRow& row, double top) const {
    const look::Colours& colours = look::coloursFor(palette());
    const bool dark = look::isDark(palette());
    const QFontMetricsF metrics(font());
    const auto selected = m_hub.selected();
    for (const DrawnBar& drawn : drawnBars(row, m_window)) {
        const QRectF box(m_left + drawn.left, top + laneHeight() * drawn.lane + 1, drawn.right - drawn.left,
                         laneHeight() - 2);
        QColor fill = row.kind == RowKind::Transfers ? colours.good
                      : row.kind == RowKind::Kernels ? colours.accent
                                                     : colours.track;
        if (!drawn.bar) {
            painter.fillRect(box, faint(fill, drawn.covered));
            continue;
        }
        const Bar& bar = row.bars[*drawn.bar];
        if (row.kind == RowKind::Kernels)
            fill = look::verdictColor(
                m_hub.verdict(session::LaunchIndex{static_cast<std::uint32_t>(bar.index)}).bound, dark);
        painter.fillRect(box, fill);
        if (row.kind == RowKind::Ranges) {
            painter.setPen(colours.border);
            painter.drawRect(box.adjusted(0, 0, -1, -1));
        }
        if (row.kind == RowKind::Kernels && selected && raw(*selected) == bar.index) {
            painter.setPen(QPen(colours.text, 2));
            painter.drawRect(box.adjusted(1, 1, -1, -1));
        }
        if (box.width() < kLeastLabel) continue;
        const QString label = look::words(barLabel(m_hub.session(), m_timeline, row, bar));
        painter.setPen(row.kind == RowKind::Kernels && !colours.contrast ? inkOn(fill) : colours.text);
        QRectF words = box.adjusted(3, 0, -3, 0);
        if (colours.contrast && row.kind != RowKind::Ranges) { // no ink reads well enough on every fill
            words.setWidth(std::min(words.width(), metrics.horizontalAdvance(label) + 2));
            painter.fillRect(words.adjusted(-1, 1, 1, -1), colours.panel);
        }
        painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(label, Qt::ElideMiddle, words.width()));
    }
}

} // namespace dormer::ui::timeline
