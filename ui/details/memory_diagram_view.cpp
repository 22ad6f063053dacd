// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/details/memory_diagram_view.h"

#include "ui/look/theme.h"
#include "ui/look/words.h"
#include "ui/pattern/lane_picture_view.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace dormer::ui::details {

using namespace view::plot;

namespace {

QRectF rectOf(const PixelBox& box) {
    return {box.x, box.y, box.width, box.height};
}

QPolygonF polygonOf(const std::vector<Spot>& corners) {
    QPolygonF polygon;
    for (const Spot& corner : corners)
        polygon << QPointF(corner.x, corner.y);
    return polygon;
}

} // namespace

MemoryDiagramView::MemoryDiagramView(verdict::MemoryDiagram diagram, QWidget* parent)
    : QWidget(parent), m_diagram(std::move(diagram)) {
    setObjectName("memoryDiagram");
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setFont(look::smallFont(font()));
    setAccessibleName("Memory chart");
    QStringList flows;
    for (const verdict::MemoryFlow& flow : m_diagram.flows)
        flows << look::words(flowText(flow));
    setAccessibleDescription(flows.join(QStringLiteral("; ")));
}

MemoryLayout MemoryDiagramView::layoutFor(int width) const {
    const QFontMetricsF metrics(font());
    return memoryLayout(m_diagram, width - 1, metrics.height(), [&](const std::string& text) {
        return Extents{metrics.horizontalAdvance(look::words(text)), metrics.height()};
    });
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
    const QRectF area = rectOf(station.box);
    painter.setPen(colours.border);
    painter.setBrush(colours.sunken);
    painter.drawRoundedRect(area, look::kPanelRadius - 2, look::kPanelRadius - 2);
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    QRectF line = area.adjusted(look::kGrid, 4, -look::kGrid, -4);
    painter.setFont(strong);
    painter.setPen(colours.text);
    painter.drawText(line,
                     station.narrow ? Qt::AlignHCenter | Qt::AlignTop : Qt::AlignLeft | Qt::AlignVCenter,
                     look::words(station.name));
    painter.setFont(font());
    painter.setPen(colours.muted);
    if (station.narrow) line.setHeight(QFontMetricsF(font()).height());
    for (const std::string& text : station.details) {
        if (station.narrow) line.translate(0, line.height());
        painter.drawText(line, (station.narrow ? Qt::AlignHCenter : Qt::AlignRight) | Qt::AlignVCenter,
                         look::words(text));
    }
}

void MemoryDiagramView::paintFlow(QPainter& painter, const MemoryLayout::Flow& flow) const {
    const look::Colours& colours = look::coloursFor(palette());
    const pattern::LaneColours& looks = pattern::laneColours(colours);
    if (flow.arrow.empty()) {
        painter.setPen(QPen(colours.muted, 1, Qt::DotLine));
        painter.drawLine(QPointF(flow.arrowX(), flow.cell.y), QPointF(flow.arrowX(), flow.cell.bottom()));
    } else {
        painter.setPen(Qt::NoPen);
        painter.setBrush(looks.used);
        painter.drawPolygon(polygonOf(flow.arrow));
        painter.setBrush(looks.conflict);
        painter.drawPolygon(polygonOf(flow.excess));
    }
    const double height = QFontMetricsF(font()).height();
    QRectF line(flow.textX(), flow.textTop(height), flow.cell.right() - flow.textX(), height);
    painter.setFont(font());
    for (std::size_t i = 0; i < flow.lines.size(); ++i) {
        painter.setPen(i < flow.strong ? colours.text : colours.muted);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip,
                         look::words(flow.lines[i]));
        line.translate(0, height);
    }
}

QString MemoryDiagramView::hintAt(QPointF position) const {
    const MemoryLayout layout = layoutFor(width());
    const auto hintOf = [&](const auto& parts, const auto& boxOf) {
        for (const auto& part : parts)
            if (boxOf(part).holds(position.x(), position.y())) return look::words(part.hint);
        return QString();
    };
    const QString hint =
        hintOf(layout.stations, [](const MemoryLayout::Station& station) { return station.box; });
    return !hint.isEmpty() ? hint
                           : hintOf(layout.flows, [](const MemoryLayout::Flow& flow) { return flow.cell; });
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
