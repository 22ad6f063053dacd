// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// The hierarchical roofline of the selected launch: its places at the other memory levels, and their roofs.
#include "ui/roofline/chart_pass.h"

#include <QFontMetricsF>

namespace dormer::ui::roofline {

using namespace view::plot;

namespace {

constexpr double kStroke = 1.8;
constexpr double kRadius = kLevelMark - kStroke;

QString nameOf(verdict::MemoryLevel level) {
    const std::string_view name = verdict::title(level);
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

} // namespace

void NoteLayer::drawLevels(Pass& pass) {
    m_levels = levelMarks(m_scene.levels, m_scene.feed->roofline().level, pass.frame, kLevelMark);
    if (!m_levels) return;
    QCPPainter& painter = pass.painter;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_scene.style.roofFaint, 1));
    const auto measure = [&](const std::string& text) {
        return sizeOf(m_scene.style.small, QString::fromStdString(text), painter.device());
    };
    for (const PlacedRoof& roof : placeLevelRoofs(m_scene.levelRoofs, pass.frame, measure, pass.obstacles)) {
        painter.setPen(QPen(m_scene.style.roofFaint, 1));
        painter.drawLine(pointOf(roof.from), pointOf(roof.to));
        if (roof.label)
            pass.write(roof.label->box, QString::fromStdString(roof.label->text), m_scene.style.small,
                       m_scene.style.muted);
    }
    painter.setPen(QPen(m_scene.style.roof, 1.4));
    painter.drawLine(pointOf(m_levels->from), pointOf(m_levels->to));
    pass.obstacles.lines.push_back({m_levels->from, m_levels->to});
    painter.setPen(QPen(m_scene.style.roof, kStroke));
    painter.setBrush(m_scene.style.panel);
    for (const LevelMarks::Mark& mark : m_levels->marks) {
        painter.drawEllipse(pointOf(mark.at), kRadius, kRadius);
        pass.obstacles.markers.push_back(
            uprightBox(mark.at.x - kLevelMark, mark.at.y - kLevelMark, 2 * kLevelMark, 2 * kLevelMark));
    }
    painter.setBrush(Qt::NoBrush);
}

void NoteLayer::drawLevelNames(Pass& pass) const {
    if (!m_levels) return;
    const std::vector<LevelMarks::Mark>& marks = m_levels->marks;
    for (std::size_t first = 0, last = 0; first < marks.size(); first = last + 1) {
        // Marks that touch share a name: beside them nobody could tell which is whose.
        QString name = nameOf(marks[first].level);
        for (last = first;
             last + 1 < marks.size() && marks[last + 1].at.x - marks[last].at.x < 2 * kLevelMark; ++last)
            name += QStringLiteral(" / ") + nameOf(marks[last + 1].level);
        const Spot middle{(marks[first].at.x + marks[last].at.x) / 2, marks[first].at.y};
        const double radius = kLevelMark + (marks[last].at.x - marks[first].at.x) / 2;
        const auto place =
            placeBeside(middle, radius, sizeOf(m_scene.style.small, name, pass.painter.device()),
                        pass.frame.bounds(), pass.obstacles, true);
        if (place->leader) {
            pass.painter.setPen(QPen(m_scene.style.roofFaint, 1));
            pass.painter.drawLine(pointOf(middle), pointOf(*place->leader));
        }
        pass.write(place->box, name, m_scene.style.small, m_scene.style.text, m_scene.style.panel);
    }
}

} // namespace dormer::ui::roofline
