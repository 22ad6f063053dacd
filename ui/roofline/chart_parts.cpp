// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Tensor and scalar work of the selected launch apart: marks of what the chart is not about, and their roofs.
#include "ui/roofline/chart_pass.h"

namespace dormer::ui::roofline {

using namespace view::plot;

namespace {

constexpr double kStroke = 1.8;
constexpr double kRadius = kLevelMark - kStroke;

} // namespace

void NoteLayer::drawParts(Pass& pass) {
    m_parts = partMarks(m_scene.parts, pass.frame, kLevelMark);
    if (!m_parts) return;
    QCPPainter& painter = pass.painter;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_scene.style.roofFaint, 1));
    for (const PartMarks::Flat& flat : m_parts->flats) {
        painter.drawLine(pointOf(flat.from), pointOf(flat.to));
        pass.obstacles.lines.push_back({flat.from, flat.to});
    }
    painter.setPen(QPen(m_scene.style.roof, 1.4, Qt::DotLine));
    painter.drawLine(pointOf(m_parts->from), pointOf(m_parts->to));
    pass.obstacles.lines.push_back({m_parts->from, m_parts->to});
    painter.setPen(QPen(m_scene.style.roof, kStroke));
    painter.setBrush(m_scene.style.panel);
    for (const PartMarks::Mark& mark : m_parts->marks) {
        painter.drawEllipse(pointOf(mark.at), kRadius, kRadius);
        pass.obstacles.markers.push_back(
            uprightBox(mark.at.x - kLevelMark, mark.at.y - kLevelMark, 2 * kLevelMark, 2 * kLevelMark));
    }
    painter.setBrush(Qt::NoBrush);
}

void NoteLayer::drawPartNames(Pass& pass) const {
    if (!m_parts) return;
    for (const PartMarks::Flat& flat : m_parts->flats) {
        const QString words = QString::fromStdString(flat.label);
        const auto box =
            placeAlong(flat.from, flat.to, 3, sizeOf(m_scene.style.small, words, pass.painter.device()), 0.5,
                       pass.frame.bounds(), pass.obstacles);
        if (box) pass.write(*box, words, m_scene.style.small, m_scene.style.muted);
    }
    for (const PartMarks::Mark& mark : m_parts->marks) {
        const QString name = QString::fromStdString(mark.name);
        const auto place =
            placeBeside(mark.at, kLevelMark, sizeOf(m_scene.style.small, name, pass.painter.device()),
                        pass.frame.bounds(), pass.obstacles, true);
        if (place->leader) {
            pass.painter.setPen(QPen(m_scene.style.roofFaint, 1));
            pass.painter.drawLine(pointOf(mark.at), pointOf(*place->leader));
        }
        pass.write(place->box, name, m_scene.style.small, m_scene.style.text, m_scene.style.panel);
    }
}

} // namespace dormer::ui::roofline
