// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timeline_chart.h"

#include "analysis/view/timeline/words.h"
#include "ui/look/theme.h"
#include "ui/look/words.h"
#include "ui/sessions/session_hub.h"

#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace dormer::ui::timeline {

using namespace view::timeline;

namespace {

constexpr double kRowGap = 6, kRight = 8, kMostTitle = 200;
constexpr double kWheelZoom = 1.25, kKeyZoom = 1.5, kKeyMove = 0.1; // of what is in sight
constexpr double kLeastStretch = 4;                                 // pixels

} // namespace

TimelineChart::TimelineChart(sessions::SessionHub& hub, QWidget* parent)
    : QAbstractScrollArea(parent), m_hub(hub) {
    setObjectName("timelineChart");
    setAccessibleName("Timeline");
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    setFont(look::smallFont(font()));
    connect(&hub, &sessions::SessionHub::selectionChanged, this, [this] {
        if (const auto selected = m_hub.selected()) reveal(*selected);
        viewport()->update();
    });
}

double TimelineChart::laneHeight() const {
    return std::ceil(fontMetrics().height() * 1.1);
}

double TimelineChart::axisHeight() const {
    return laneHeight() + 4;
}

void TimelineChart::setTimeline(Timeline timeline) {
    const bool wasAll = m_timeline.empty() ||
                        (m_window.fromNs == 0 && m_window.toNs >= static_cast<double>(m_timeline.lengthNs));
    const auto moved = static_cast<double>(m_timeline.originNs - timeline.originNs);
    m_timeline = std::move(timeline);
    if (wasAll)
        m_window = windowOf(m_timeline, m_window.width);
    else
        m_window = m_window.moved(moved, m_timeline);
    arrange();
    QStringList rows;
    for (const TimelineRow& row : m_timeline.rows)
        rows << look::words(row.scope.empty() ? row.title : row.scope + " " + row.title);
    setAccessibleDescription(rows.join(QStringLiteral("; ")));
}

void TimelineChart::arrange() {
    const QFontMetricsF metrics(font());
    m_left = 0;
    for (const TimelineRow& row : m_timeline.rows)
        m_left = std::max(m_left, metrics.horizontalAdvance(look::words(row.title)));
    m_left = std::min(m_left, kMostTitle) + 2 * look::kGrid;
    m_places.clear();
    double y = axisHeight();
    std::string scope;
    for (std::size_t i = 0; i < m_timeline.rows.size(); ++i) {
        const TimelineRow& row = m_timeline.rows[i];
        Place place{i, y, row.kind == RowKind::Activity ? 2 * laneHeight() : laneHeight() * row.lanes, false};
        if (row.scope != scope && !row.scope.empty()) {
            place.startsScope = true;
            place.top += laneHeight();
        }
        scope = row.scope;
        y = place.top + place.height + kRowGap;
        m_places.push_back(place);
    }
    m_height = y;
    m_window.width = std::max(1.0, viewport()->width() - m_left - kRight);
    verticalScrollBar()->setRange(0,
                                  std::max(0, static_cast<int>(std::ceil(m_height)) - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(static_cast<int>(laneHeight()));
    viewport()->update();
}

void TimelineChart::setWindow(const Window& window) {
    m_window = window;
    m_window.width = std::max(1.0, viewport()->width() - m_left - kRight);
    viewport()->update();
}

void TimelineChart::showAll() {
    setWindow(windowOf(m_timeline, m_window.width));
}

void TimelineChart::reveal(session::LaunchIndex launch) {
    for (const TimelineRow& row : m_timeline.rows) {
        if (row.kind != RowKind::Kernels) continue;
        const auto bar = std::ranges::find(row.bars, raw(launch), [](const Bar& each) { return each.index; });
        if (bar == row.bars.end()) continue;
        const auto begin = static_cast<double>(bar->beginNs), end = static_cast<double>(bar->endNs);
        if (end < m_window.fromNs || begin > m_window.toNs)
            setWindow(m_window.moved((begin + end) / 2 - (m_window.fromNs + m_window.toNs) / 2, m_timeline));
        return;
    }
}

std::optional<TimelineChart::Hit> TimelineChart::hitAt(QPointF position) const {
    const double x = position.x() - m_left, y = position.y() + verticalScrollBar()->value();
    if (x < 0 || x > m_window.width || position.y() < axisHeight()) return std::nullopt;
    for (const Place& place : m_places) {
        if (y < place.top || y >= place.top + place.height) continue;
        const TimelineRow& row = m_timeline.rows[place.row];
        Hit hit{place.row, std::nullopt};
        const int lane = static_cast<int>((y - place.top) / laneHeight());
        // What is under the pointer, give or take a pixel; of several that is the longest.
        const auto from = static_cast<std::int64_t>(m_window.ns(x - 1));
        const auto to = static_cast<std::int64_t>(std::ceil(m_window.ns(x + 1)));
        std::int64_t longest = -1;
        for (const std::size_t i : barsBetween(row, from, to)) {
            const Bar& bar = row.bars[i];
            if (bar.lane != lane || bar.endNs - bar.beginNs <= longest) continue;
            longest = bar.endNs - bar.beginNs;
            hit.bar = i;
        }
        return hit;
    }
    return std::nullopt;
}

QRectF TimelineChart::boxOf(std::size_t row, std::size_t bar) const {
    const Bar& each = m_timeline.rows[row].bars[bar];
    const auto begin = static_cast<double>(each.beginNs), end = static_cast<double>(each.endNs);
    if (end < m_window.fromNs || begin > m_window.toNs) return {};
    const double left = std::max(0.0, m_window.pixel(begin));
    const double right = std::max(left + 1, std::min(m_window.width, m_window.pixel(end)));
    return {m_left + left, m_places[row].top - verticalScrollBar()->value() + laneHeight() * each.lane + 1,
            right - left, laneHeight() - 2};
}

QString TimelineChart::hintAt(QPointF position) const {
    const auto hit = hitAt(position);
    if (!hit) return {};
    const TimelineRow& row = m_timeline.rows[hit->row];
    if (row.kind == RowKind::Activity) {
        const auto at = static_cast<std::int64_t>(m_window.ns(position.x() - m_left));
        const auto step = std::ranges::lower_bound(row.steps, at, {}, &Step::endNs);
        if (step == row.steps.end() || step->beginNs > at)
            return look::words(row.title + ": not sampled then");
        return look::words(row.title + ": " + stepText(row, step->share));
    }
    if (!hit->bar) return {};
    QStringList lines;
    for (const std::string& line : barText(m_hub.diagnosis(), m_timeline, row, row.bars[*hit->bar]))
        lines << look::words(line).toHtmlEscaped();
    if (lines.isEmpty()) return {};
    lines.front() = QStringLiteral("<b>%1</b>").arg(lines.front());
    return lines.join(QStringLiteral("<br>"));
}

void TimelineChart::choose(const Hit& hit) {
    const TimelineRow& row = m_timeline.rows[hit.row];
    if (!hit.bar) return;
    const std::size_t index = row.bars[*hit.bar].index;
    if (row.kind == RowKind::Kernels)
        m_hub.select(session::LaunchIndex{static_cast<std::uint32_t>(index)});
    else if (row.kind == RowKind::Idle)
        m_hub.select(m_timeline.gaps[index].next);
}

void TimelineChart::chooseNext(int by) {
    const auto selected = m_hub.selected();
    for (const TimelineRow& row : m_timeline.rows) {
        if (row.kind != RowKind::Kernels || row.bars.empty()) continue;
        std::size_t next = 0;
        if (selected) {
            const auto bar =
                std::ranges::find(row.bars, raw(*selected), [](const Bar& each) { return each.index; });
            if (bar == row.bars.end()) continue;
            const auto at = bar - row.bars.begin() + by;
            if (at < 0 || at >= std::ssize(row.bars)) return;
            next = static_cast<std::size_t>(at);
        }
        m_hub.select(session::LaunchIndex{static_cast<std::uint32_t>(row.bars[next].index)});
        return;
    }
}

void TimelineChart::zoom(double pixel, double factor) {
    setWindow(m_window.zoomed(m_window.ns(pixel), factor, m_timeline));
}

void TimelineChart::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    arrange();
}

void TimelineChart::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange) arrange();
}

void TimelineChart::wheelEvent(QWheelEvent* event) {
    if (m_timeline.empty()) return;
    const QPoint turned = event->angleDelta();
    if (event->modifiers() & Qt::ShiftModifier || std::abs(turned.x()) > std::abs(turned.y())) {
        const double by = (turned.x() != 0 ? turned.x() : turned.y()) / 120.0;
        setWindow(m_window.moved(-by * kKeyMove * (m_window.toNs - m_window.fromNs), m_timeline));
    } else if (event->position().x() < m_left) {
        QAbstractScrollArea::wheelEvent(event); // over the titles: rows scroll
        return;
    } else {
        zoom(event->position().x() - m_left, std::pow(kWheelZoom, -turned.y() / 120.0));
    }
    event->accept();
}

void TimelineChart::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return QAbstractScrollArea::mousePressEvent(event);
    m_pressed = event->position();
    m_pressedWindow = m_window;
    m_dragging = false;
    if (event->modifiers() & Qt::ShiftModifier) m_stretch = {m_pressed.x(), m_pressed.x()};
}

void TimelineChart::mouseMoveEvent(QMouseEvent* event) {
    if (!(event->buttons() & Qt::LeftButton)) return;
    if (m_stretch) {
        m_stretch->second = event->position().x();
        viewport()->update();
        return;
    }
    const double moved = event->position().x() - m_pressed.x();
    if (!m_dragging && std::abs(moved) < QApplication::startDragDistance()) return;
    m_dragging = true;
    setWindow(m_pressedWindow.moved(-(m_pressedWindow.ns(moved) - m_pressedWindow.ns(0)), m_timeline));
}

void TimelineChart::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    if (m_stretch) {
        const auto [a, b] = *std::exchange(m_stretch, {});
        const double from = m_window.ns(std::min(a, b) - m_left), to = m_window.ns(std::max(a, b) - m_left);
        if (std::abs(a - b) >= kLeastStretch) {
            const double factor = (to - from) / (m_window.toNs - m_window.fromNs);
            // The point that stays where it is, so that the stretch fills all.
            const double fixed = (from - m_window.fromNs * factor) / (1 - factor);
            if (factor < 1) setWindow(m_window.zoomed(fixed, factor, m_timeline));
        }
        viewport()->update();
        return;
    }
    if (!std::exchange(m_dragging, false))
        if (const auto hit = hitAt(event->position())) choose(*hit);
}

void TimelineChart::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto hit = hitAt(event->position());
    if (!hit || !hit->bar) return showAll();
    const Bar& bar = m_timeline.rows[hit->row].bars[*hit->bar];
    // With a little of what is beside it.
    const auto length = std::max(1.0, static_cast<double>(bar.endNs - bar.beginNs));
    const double middle = static_cast<double>(bar.beginNs) + length / 2;
    const Window near = m_window.zoomed(middle, 1.2 * length / (m_window.toNs - m_window.fromNs), m_timeline);
    setWindow(near.moved(middle - (near.fromNs + near.toNs) / 2, m_timeline));
}

void TimelineChart::keyPressEvent(QKeyEvent* event) {
    const double span = m_window.toNs - m_window.fromNs;
    const bool control = event->modifiers() & Qt::ControlModifier;
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right: {
        const int by = event->key() == Qt::Key_Left ? -1 : 1;
        return control ? chooseNext(by) : setWindow(m_window.moved(by * kKeyMove * span, m_timeline));
    }
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoom(m_window.width / 2, 1 / kKeyZoom);
    case Qt::Key_Minus:
        return zoom(m_window.width / 2, kKeyZoom);
    case Qt::Key_Home:
        return showAll();
    default:
        return QAbstractScrollArea::keyPressEvent(event);
    }
}

bool TimelineChart::viewportEvent(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), hintAt(help->pos()), viewport());
    return true;
}

} // namespace dormer::ui::timeline
