// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/details/memory_diagram_view.h"

#include "ui/look/theme.h"
#include "ui/look/words.h"
#include "ui/pattern/lane_picture_view.h"

#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

namespace dormer::ui::details {
namespace {

const QString kDot = QStringLiteral(" \u00b7 ");
constexpr double kArrowRoom = 28; ///< left part of a cell
constexpr double kHead = 7;       ///< height of an arrow's head

QRectF rectOf(const pattern::PixelBox& box) {
    return {box.x, box.y, box.width, box.height};
}

/// An arrow about x = 0, pointing up, from y = 0 (its tip) to y = length.
QPainterPath arrow(double thick, double length) {
    const double half = thick / 2, wide = half + 4;
    QPainterPath path(QPointF(0, 0));
    for (const QPointF& point : {QPointF(wide, kHead), QPointF(half, kHead), QPointF(half, length),
                                 QPointF(-half, length), QPointF(-half, kHead), QPointF(-wide, kHead)})
        path.lineTo(point);
    path.closeSubpath();
    return path;
}

} // namespace

MemoryDiagramView::MemoryDiagramView(verdict::MemoryDiagram diagram, QWidget* parent)
    : QWidget(parent), m_diagram(std::move(diagram)) {
    setObjectName("memoryDiagram");
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setFont(look::smallFont(font()));
    setAccessibleName("Where the bytes go");
    QStringList flows;
    for (const verdict::MemoryFlow& flow : m_diagram.flows)
        flows << QStringLiteral("%1 %2").arg(look::words(flow.what), look::words(flow.label));
    setAccessibleDescription(flows.join(QStringLiteral("; ")));
}

MemoryLayout MemoryDiagramView::layoutFor(int width) const {
    return memoryLayout(m_diagram, width - 1, fontMetrics().height());
}

int MemoryDiagramView::heightForWidth(int width) const {
    return static_cast<int>(layoutFor(width).height) + 2;
}

QSize MemoryDiagramView::sizeHint() const {
    return {40 * look::kGrid, heightForWidth(40 * look::kGrid)};
}

void MemoryDiagramView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(0.5, 0.5);
    const MemoryLayout layout = layoutFor(width());
    for (const MemoryLayout::Flow& flow : layout.flows)
        paintFlow(painter, flow);
    for (const MemoryLayout::Station& station : layout.stations)
        paintStation(painter, station);
}

void MemoryDiagramView::paintStation(QPainter& painter, const MemoryLayout::Station& station) const {
    const look::Colours& colours = look::coloursFor(palette());
    const verdict::StationFacts& facts = m_diagram.stations[station.index];
    const QRectF area = rectOf(station.box);
    painter.setPen(colours.border);
    painter.setBrush(colours.sunken);
    painter.drawRoundedRect(area, look::kPanelRadius - 2, look::kPanelRadius - 2);
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    const QRectF inside = area.adjusted(look::kGrid, 4, -look::kGrid, -4);
    painter.setFont(strong);
    painter.setPen(colours.text);
    if (!station.narrow) {
        painter.drawText(inside, Qt::AlignLeft | Qt::AlignVCenter, look::words(facts.name));
        painter.setFont(font());
        painter.setPen(colours.muted);
        painter.drawText(inside, Qt::AlignRight | Qt::AlignVCenter, look::words(facts.detail));
        return;
    }
    painter.drawText(inside, Qt::AlignHCenter | Qt::AlignTop, look::words(facts.name));
    painter.setFont(font());
    painter.setPen(colours.muted);
    double y = inside.top();
    for (const QString& part : look::words(facts.detail).split(kDot, Qt::SkipEmptyParts)) {
        y += fontMetrics().height();
        painter.drawText(QRectF(inside.left(), y, inside.width(), fontMetrics().height()), Qt::AlignCenter,
                         part);
    }
}

void MemoryDiagramView::paintFlow(QPainter& painter, const MemoryLayout::Flow& flow) const {
    const look::Colours& colours = look::coloursFor(palette());
    const pattern::LaneColours& looks = pattern::laneColours(look::isDark(palette()));
    const verdict::MemoryFlow& facts = m_diagram.flows[flow.index];
    const QRectF area = rectOf(flow.cell).adjusted(look::kGrid / 2.0, 2, 0, -2);
    const ArrowWidth width = arrowWidth(facts, m_diagram.mostBytes);
    painter.save();
    painter.translate(area.left() + kArrowRoom / 2, flow.up ? area.top() : area.bottom());
    if (!flow.up) painter.scale(1, -1);
    if (width.all > 0) {
        const QPainterPath shape = arrow(width.all, area.height());
        painter.setPen(Qt::NoPen);
        painter.fillPath(shape, looks.used);
        if (width.excess > 0) {
            // The excess is the right part of the shaft, and of the head as far as it is over it.
            painter.setClipRect(
                QRectF(width.all / 2 - width.excess, 0, width.excess + kArrowRoom, area.height()));
            painter.fillPath(shape, looks.conflict);
        }
    } else {
        painter.setPen(QPen(colours.muted, 1, Qt::DotLine));
        painter.drawLine(QPointF(0, 0), QPointF(0, area.height()));
    }
    painter.restore();

    const QStringList parts = look::words(facts.label).split(kDot);
    const double line = fontMetrics().height();
    const double top = area.center().y() - line * (parts.size() > 1 ? 2 : 1) / 2.0;
    const QRectF text(area.left() + kArrowRoom + 2, top, area.width() - kArrowRoom - 2, line);
    painter.setFont(font());
    painter.setPen(colours.text);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(look::words(facts.what) + QLatin1Char(' ') + parts.front(),
                                              Qt::ElideRight, static_cast<int>(text.width())));
    if (parts.size() < 2) return;
    painter.setPen(colours.muted);
    painter.drawText(text.translated(0, line), Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(parts[1], Qt::ElideRight, static_cast<int>(text.width())));
}

QString MemoryDiagramView::hintAt(QPointF position) const {
    const MemoryLayout layout = layoutFor(width());
    for (const MemoryLayout::Station& station : layout.stations) {
        const verdict::StationFacts& facts = m_diagram.stations[station.index];
        if (station.box.holds(position.x(), position.y()))
            return look::words(facts.detail.empty() ? facts.hint
                                                    : facts.name + ": " + facts.detail + ". " + facts.hint);
    }
    for (const MemoryLayout::Flow& flow : layout.flows) {
        const verdict::MemoryFlow& facts = m_diagram.flows[flow.index];
        if (flow.cell.holds(position.x(), position.y()))
            return look::words(facts.what + ": " + facts.label + ". " + facts.hint);
    }
    return {};
}

bool MemoryDiagramView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString hint = hintAt(help->pos());
    QToolTip::showText(help->globalPos(),
                       hint.isEmpty() ? hint : QStringLiteral("<p>%1</p>").arg(hint.toHtmlEscaped()), this);
    return true;
}

} // namespace dormer::ui::details
