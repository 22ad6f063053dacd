// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/pattern/lane_picture_view.h"

#include "ui/look/theme.h"
#include "ui/pattern/lane_hints.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace dormer::ui::pattern {
namespace {

constexpr double kRound = 3;
constexpr int kLeastWidth = 36 * look::kGrid;
/// Lower boxes have no room for an edge and what is in it: their fill alone says what they are.
constexpr double kEdged = 8;

QRectF rectOf(const view::plot::PixelBox& box) {
    return {box.x, box.y, box.width, box.height};
}

void drawBox(QPainter& painter, const view::plot::PixelBox& box, const QColor& fill, const QColor& edge) {
    const double round = std::min(kRound, box.height / 3);
    painter.setPen(edge.isValid() ? QPen(edge, 1) : QPen(Qt::NoPen));
    painter.setBrush(fill);
    painter.drawRoundedRect(edge.isValid() ? rectOf(box).adjusted(0.5, 0.5, -0.5, -0.5) : rectOf(box), round,
                            round);
}

} // namespace

const LaneColours& laneColours(const look::Colours& colours) {
    static const LaneColours light{.used = QColor(0x00, 0x72, 0xB2),
                                   .onUsed = QColor(0xFF, 0xFF, 0xFF),
                                   .conflict = QColor(0xD5, 0x5E, 0x00),
                                   .onConflict = QColor(0x10, 0x14, 0x1A),
                                   .wasted = QColor(0xFB, 0xEE, 0xE6),
                                   .wastedEdge = QColor(0xD5, 0x5E, 0x00),
                                   .wastedFlat = QColor(0xF0, 0xC3, 0xA1),
                                   .idle = QColor(0xF4, 0xF6, 0xF9),
                                   .idleEdge = QColor(0xD5, 0xDA, 0xE2),
                                   .lane = QColor(0xE8, 0xF1, 0xF8),
                                   .laneEdge = QColor(0x00, 0x72, 0xB2)};
    static const LaneColours night{.used = QColor(0x56, 0xB4, 0xE9),
                                   .onUsed = QColor(0x0B, 0x16, 0x20),
                                   .conflict = QColor(0xFF, 0x8B, 0x45),
                                   .onConflict = QColor(0x10, 0x14, 0x1A),
                                   .wasted = QColor(0x3B, 0x2A, 0x22),
                                   .wastedEdge = QColor(0xFF, 0x8B, 0x45),
                                   .wastedFlat = QColor(0x7A, 0x4A, 0x2C),
                                   .idle = QColor(0x28, 0x2D, 0x34),
                                   .idleEdge = QColor(0x40, 0x48, 0x52),
                                   .lane = QColor(0x24, 0x33, 0x42),
                                   .laneEdge = QColor(0x56, 0xB4, 0xE9)};
    static const LaneColours contrastLight{.used = QColor(0x00, 0x50, 0x7F),
                                           .onUsed = QColor(0xFF, 0xFF, 0xFF),
                                           .conflict = QColor(0x8A, 0x3A, 0x00),
                                           .onConflict = QColor(0xFF, 0xFF, 0xFF),
                                           .wasted = QColor(0xFF, 0xFF, 0xFF),
                                           .wastedEdge = QColor(0x8A, 0x3A, 0x00),
                                           .wastedFlat = QColor(0xF0, 0xC3, 0xA1),
                                           .idle = QColor(0xFF, 0xFF, 0xFF),
                                           .idleEdge = QColor(0x76, 0x76, 0x76),
                                           .lane = QColor(0xFF, 0xFF, 0xFF),
                                           .laneEdge = QColor(0x00, 0x50, 0x7F)};
    static const LaneColours contrastNight{.used = QColor(0x56, 0xB4, 0xE9),
                                           .onUsed = QColor(0x00, 0x00, 0x00),
                                           .conflict = QColor(0xFF, 0x9A, 0x55),
                                           .onConflict = QColor(0x00, 0x00, 0x00),
                                           .wasted = QColor(0x00, 0x00, 0x00),
                                           .wastedEdge = QColor(0xFF, 0x9A, 0x55),
                                           .wastedFlat = QColor(0x7A, 0x4A, 0x2C),
                                           .idle = QColor(0x00, 0x00, 0x00),
                                           .idleEdge = QColor(0x90, 0x90, 0x90),
                                           .lane = QColor(0x00, 0x00, 0x00),
                                           .laneEdge = QColor(0x56, 0xB4, 0xE9)};
    if (colours.contrast) return colours.dark ? contrastNight : contrastLight;
    return colours.dark ? night : light;
}

LanePictureView::LanePictureView(bool compact, QWidget* parent) : QWidget(parent), m_compact(compact) {
    setMouseTracking(true);
    setFont(look::smallFont(font()));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAccessibleName("Picture of the lanes");
}

void LanePictureView::setPattern(std::optional<access::LanePattern> pattern) {
    m_pattern = std::move(pattern);
    m_rows = m_pattern ? access::pictureRows(*m_pattern) : std::vector<access::PictureRow>{};
    m_banks = access::wordsPerBank(m_rows);
    m_pointed = 0;
    setAccessibleDescription(m_pattern ? QString::fromStdString(access::patternHeadline(*m_pattern))
                                       : QString());
    setFixedHeight(m_pattern ? static_cast<int>(layoutNow().height()) + 2 : 0);
    update();
}

double LanePictureView::nameWidth() const {
    int widest = fontMetrics().horizontalAdvance("lane");
    for (const access::PictureRow& row : m_rows)
        widest = std::max(widest, fontMetrics().horizontalAdvance(addressText(row.firstByte)));
    return widest + look::kGrid;
}

view::plot::LaneLayout LanePictureView::layoutNow() const {
    return view::plot::laneLayout(width(), nameWidth(), fontMetrics().height(), m_rows.size(), m_compact);
}

QSize LanePictureView::sizeHint() const {
    return {100 * look::kGrid, minimumHeight()};
}

QSize LanePictureView::minimumSizeHint() const {
    return {kLeastWidth, minimumHeight()};
}

void LanePictureView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_pointed = 0;
}

QString LanePictureView::legend() const {
    if (!m_pattern) return {};
    const bool shared = m_pattern->question.shared;
    QString words = shared ? QStringLiteral("Blue: requested; vermilion: bank conflict")
                           : QStringLiteral("Blue: requested; pale vermilion: wasted");
    if (std::ranges::any_of(m_rows, [](const auto& row) { return std::ranges::max(row.lanes) > 1; }))
        words += QStringLiteral("; a number: so many lanes");
    const int on = qPopulationCount(m_pattern->mask);
    if (on < static_cast<int>(access::kWarpLanes)) words += QStringLiteral("; %1 of 32 lanes access").arg(on);
    return words;
}

void LanePictureView::paintEvent(QPaintEvent*) {
    if (!m_pattern) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const view::plot::LaneLayout layout = layoutNow();
    paintWires(painter, layout);
    paintLanes(painter, layout);
    paintRows(painter, layout);
}

void LanePictureView::paintLanes(QPainter& painter, const view::plot::LaneLayout& layout) const {
    const LaneColours& looks = laneColours(look::coloursFor(palette()));
    const look::Colours& colours = look::coloursFor(palette());
    const view::plot::PixelBox first = layout.lane(0);
    painter.setPen(colours.muted);
    painter.drawText(QRectF(0, first.y, layout.left - look::kGrid, first.height),
                     Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("lane"));
    // Figures that touch each other can't be read: then only each fourth is written.
    const bool all = layout.cell >= fontMetrics().horizontalAdvance("00") + 3;
    for (unsigned lane = 0; lane < access::kWarpLanes; ++lane) {
        const view::plot::PixelBox box = layout.lane(lane);
        const bool on = m_pattern->active(lane), pointed = (m_pointed >> lane & 1U) != 0;
        drawBox(painter, box,
                pointed ? looks.used
                : on    ? looks.lane
                        : colours.panel,
                on ? looks.laneEdge : looks.idleEdge);
        if (!all && lane % 4 != 0) continue;
        painter.setPen(pointed ? looks.onUsed : on ? colours.text : colours.muted);
        const double spare = all ? 0 : layout.cell * 2;
        painter.drawText(rectOf(box).adjusted(-spare, 0, spare, 0), Qt::AlignCenter, QString::number(lane));
    }
}

void LanePictureView::paintWires(QPainter& painter, const view::plot::LaneLayout& layout) const {
    QColor colour = laneColours(look::coloursFor(palette())).used;
    for (const bool pointed : {false, true}) {
        colour.setAlphaF(pointed ? 1.0F : m_pointed == 0 ? 0.5F : 0.2F);
        painter.setPen(QPen(colour, pointed ? 1.6 : 1));
        for (unsigned lane = 0; lane < access::kWarpLanes; ++lane) {
            if (((m_pointed >> lane & 1U) != 0) != pointed) continue;
            const auto row = rowOfLane(*m_pattern, m_rows, lane);
            if (!row) continue;
            const auto word = static_cast<unsigned>((m_pattern->address[lane] - m_rows[*row].firstByte) / 4);
            const view::plot::PixelBox from = layout.lane(lane), to = layout.word(*row, word);
            painter.drawLine(QPointF(from.middleX(), from.bottom()), QPointF(to.middleX(), to.y));
        }
    }
}

void LanePictureView::paintRows(QPainter& painter, const view::plot::LaneLayout& layout) const {
    const LaneColours& looks = laneColours(look::coloursFor(palette()));
    const look::Colours& colours = look::coloursFor(palette());
    // Flat rows: a name where it does not touch the one above.
    double nameFree = 0;
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        const view::plot::PixelBox first = layout.word(row, 0);
        const double top = first.middleY() - fontMetrics().height() / 2.0;
        if (top >= nameFree) {
            painter.setPen(colours.muted);
            painter.drawText(QRectF(0, top, layout.left - look::kGrid, fontMetrics().height()),
                             Qt::AlignRight | Qt::AlignVCenter, addressText(m_rows[row].firstByte));
            nameFree = top + fontMetrics().height();
        }
        for (unsigned word = 0; word < access::kWarpLanes; ++word) {
            const view::plot::PixelBox box = layout.word(row, word);
            const WordLook look = lookOf(*m_pattern, m_rows[row], word, m_banks);
            const QColor none;
            const bool flat = box.height < kEdged;
            switch (look) {
            case WordLook::Used:
                drawBox(painter, box, looks.used, none);
                break;
            case WordLook::Conflict:
                drawBox(painter, box, looks.conflict, none);
                break;
            case WordLook::Wasted:
                drawBox(painter, box, flat ? looks.wastedFlat : looks.wasted, flat ? none : looks.wastedEdge);
                break;
            case WordLook::Idle:
                drawBox(painter, box, looks.idle, flat ? none : looks.idleEdge);
                break;
            }
            const unsigned lanes = m_rows[row].lanes[word];
            if (lanes < 2 || box.height < fontMetrics().ascent()) continue;
            painter.setPen(look == WordLook::Conflict ? looks.onConflict : looks.onUsed);
            painter.drawText(rectOf(box), Qt::AlignCenter, QString::number(lanes));
        }
    }
}

QString LanePictureView::hintAt(QPointF position) const {
    if (!m_pattern) return {};
    const auto hit = layoutNow().at(position.x(), position.y());
    if (!hit) return {};
    return hit->row ? wordHint(*m_pattern, m_rows, *hit->row, hit->column)
                    : laneHint(*m_pattern, hit->column);
}

void LanePictureView::mouseMoveEvent(QMouseEvent* event) {
    std::uint32_t lanes = 0;
    const auto hit = m_pattern ? layoutNow().at(event->position().x(), event->position().y()) : std::nullopt;
    if (hit && !hit->row)
        lanes = m_pattern->active(hit->column) ? 1U << hit->column : 0;
    else if (hit)
        lanes = lanesAt(*m_pattern, m_rows[*hit->row].firstByte + std::int64_t{4} * hit->column);
    setPointed(lanes);
    QWidget::mouseMoveEvent(event);
}

void LanePictureView::leaveEvent(QEvent* event) {
    setPointed(0);
    QWidget::leaveEvent(event);
}

void LanePictureView::setPointed(std::uint32_t lanes) {
    if (lanes == m_pointed) return;
    m_pointed = lanes;
    update();
}

bool LanePictureView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), hintAt(help->pos()), this);
    return true;
}

} // namespace dormer::ui::pattern
