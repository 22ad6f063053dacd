// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/look/verdict_style.h"

#include "analysis/view/plot/marker.h"
#include "analysis/view/verdict_mark.h"
#include "ui/look/words.h"

#include <QPainter>
#include <QPen>

namespace dormer::ui::look {

using verdict::Bound;

QColor verdictColor(verdict::Bound bound, bool dark) {
    const view::VerdictMark& mark = view::markOf(bound);
    return QColor(words(dark ? mark.dark : mark.light));
}

QString verdictWord(verdict::Bound bound) {
    return words(view::markOf(bound).word);
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
