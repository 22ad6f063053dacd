// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/verdict/verdict.h"

#include <QColor>
#include <QPainterPath>
#include <QPixmap>
#include <QString>

class QPainter;

namespace dormer::ui::look {

/// Colour and shape say the verdict, see view/plot/marker.h.
inline constexpr int kBoundCount = 5;

[[nodiscard]] QColor verdictColor(verdict::Bound bound, bool dark);
/// "memory-bound", "compute-bound", ..., "undetermined".
[[nodiscard]] QString verdictWord(verdict::Bound bound);
/// The shape around (0, 0).
[[nodiscard]] QPainterPath verdictPath(verdict::Bound bound, double diameter);
/// Draws the marker, with a thin rim in `ground` that keeps neighbours apart.
void paintVerdict(QPainter& painter, QPointF centre, verdict::Bound bound, double diameter, bool dark,
                  const QColor& ground);
/// The marker alone on transparent ground, in a square of `size` device-independent pixels.
[[nodiscard]] QPixmap verdictPixmap(verdict::Bound bound, int size, bool dark, double devicePixelRatio = 1.0);

} // namespace dormer::ui::look
