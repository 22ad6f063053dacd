// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/roofline/chart_layers.h"

#include <QFontMetricsF>

#include <cmath>
#include <numbers>

/// What the notes of the chart are drawn with.
namespace dormer::ui::roofline {

/// Room for a line of text, in pixels of the device.
inline view::plot::Extents sizeOf(const QFont& font, const QString& text, const QPaintDevice* device) {
    const QFontMetricsF metrics(font, device);
    return {std::ceil(metrics.horizontalAdvance(text)) + 6, std::ceil(metrics.height())};
}

inline view::plot::Spot spotOf(QPointF point) {
    return {point.x(), point.y()};
}
inline QPointF pointOf(view::plot::Spot spot) {
    return {spot.x, spot.y};
}

/// State of one drawing: what is already on screen that text must not cover.
struct NoteLayer::Pass {
    QCPPainter& painter;
    view::plot::ChartFrame frame;
    view::plot::Obstacles obstacles;

    void write(const view::plot::TurnedBox& box, const QString& text, const QFont& font, const QColor& color,
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

} // namespace dormer::ui::roofline
