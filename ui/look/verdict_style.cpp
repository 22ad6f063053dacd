// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/look/verdict_style.h"

#include "analysis/view/plot/marker.h"

#include <QPainter>
#include <QPen>

namespace dormer::ui::look {

using verdict::Bound;

QColor verdictColor(verdict::Bound bound, bool dark) {
    // Okabe and Ito's colours, which stay apart for colour-blind readers.
    switch (bound) {
    case verdict::Bound::Memory:
        return dark ? QColor(0x56, 0xB4, 0xE9) : QColor(0x00, 0x72, 0xB2);
    case verdict::Bound::Compute:
        return dark ? QColor(0xE8, 0x6A, 0x17) : QColor(0xD5, 0x5E, 0x00);
    case verdict::Bound::Latency:
        return dark ? QColor(0xB7, 0x9B, 0xE0) : QColor(0x8A, 0x6F, 0xB0);
    case verdict::Bound::Balanced:
        return dark ? QColor(0x1F, 0xB8, 0x8B) : QColor(0x00, 0x9E, 0x73);
    case verdict::Bound::Unknown:
        break;
    }
    return dark ? QColor(0x9A, 0xA1, 0xAC) : QColor(0x70, 0x77, 0x82);
}

QString verdictWord(verdict::Bound bound) {
    switch (bound) {
    case verdict::Bound::Memory:
        return QStringLiteral("memory-bound");
    case verdict::Bound::Compute:
        return QStringLiteral("compute-bound");
    case verdict::Bound::Latency:
        return QStringLiteral("latency-bound");
    case verdict::Bound::Balanced:
        return QStringLiteral("balanced");
    case verdict::Bound::Unknown:
        break;
    }
    return QStringLiteral("not judged");
}

QPainterPath verdictPath(Bound bound, double diameter) {
    QPainterPath path;
    const std::vector<view::plot::Spot> corners = view::plot::markerCorners(bound, diameter);
    if (corners.empty()) path.addEllipse(QPointF(0, 0), diameter / 2, diameter / 2);
    for (const view::plot::Spot& corner : corners)
        path.elementCount() == 0 ? path.moveTo(corner.x, corner.y) : path.lineTo(corner.x, corner.y);
    path.closeSubpath();
    return path;
}

void paintVerdict(QPainter& painter, QPointF centre, verdict::Bound bound, double diameter, bool dark,
                  const QColor& ground) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(centre);
    const QColor color = verdictColor(bound, dark);
    if (bound == verdict::Bound::Unknown) {
        const double stroke = view::plot::ringStroke(diameter);
        painter.setPen(QPen(color, stroke));
        painter.setBrush(Qt::NoBrush);
        painter.drawPath(verdictPath(bound, diameter - stroke));
    } else {
        painter.setPen(ground.isValid() ? QPen(ground, 1.2) : QPen(Qt::NoPen));
        painter.setBrush(color);
        painter.drawPath(verdictPath(bound, diameter));
    }
    painter.restore();
}

QPixmap verdictPixmap(verdict::Bound bound, int size, bool dark, double devicePixelRatio) {
    QPixmap pixmap(QSize(size, size) * devicePixelRatio);
    pixmap.setDevicePixelRatio(devicePixelRatio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    // A triangle of equal area reaches 0.78 diameters up from its centroid.
    const double drop = bound == verdict::Bound::Latency ? size * 0.1 : 0;
    paintVerdict(painter, QPointF(size / 2.0, size / 2.0 + drop), bound, size * 0.68, dark, QColor());
    return pixmap;
}

} // namespace dormer::ui::look
