// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/roofline/chart_gutter.h"

#include "analysis/metrics/format.h"
#include "analysis/view/plot/label_layout.h"
#include "ui/look/verdict_style.h"

#include <QHelpEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace dormer::ui::roofline {
namespace {

constexpr double kRow = 26;
constexpr double kChip = 22;
constexpr double kGap = 6;
constexpr int kMostRows = 2;
constexpr double kWidestName = 220;

QString text(std::string_view words) {
    return QString::fromUtf8(words.data(), static_cast<int>(words.size()));
}

QString tipOf(const GutterGroup& group) {
    return QStringLiteral("%1\n%2 launch%3, %4 in all, %5")
        .arg(text(group.label))
        .arg(group.launches)
        .arg(group.launches == 1 ? QString() : QStringLiteral("es"))
        .arg(text(metrics::forPeople(group.totalNs, metrics::Unit::Nanoseconds)),
             look::verdictWord(group.bound));
}

} // namespace

std::vector<GutterItem> gutterItems(const Gutter& gutter, verdict::Work work, verdict::MemoryLevel level,
                                    const plot::ChartStyle& style, double width, int mostRows) {
    std::vector<GutterItem> items;
    const auto section = [&](const QString& title, const QString& tip,
                             const std::vector<GutterGroup>& groups) {
        if (groups.empty()) return;
        items.push_back({GutterItem::Kind::Title, title, tip, {}, nullptr});
        for (const GutterGroup& group : groups) {
            QString name =
                QFontMetricsF(style.small).elidedText(text(group.label), Qt::ElideMiddle, kWidestName);
            if (group.launches > 1) name += QStringLiteral(" ×%1").arg(group.launches);
            items.push_back({GutterItem::Kind::Chip, name, tipOf(group), {}, &group});
        }
    };
    section(QStringLiteral("no %1 work").arg(text(verdict::title(work))),
            QStringLiteral(
                "Launches that executed none of the chosen work; \"all ops\" or \"warp inst\" places them"),
            gutter.withoutWork);
    section(QStringLiteral("no %1 traffic").arg(text(verdict::title(level))),
            QStringLiteral("Launches that moved no byte at the chosen level"), gutter.withoutTraffic);
    if (gutter.notCounted > 0) {
        items.push_back(
            {GutterItem::Kind::Title,
             QStringLiteral("%1 without counters").arg(gutter.notCounted),
             QStringLiteral(
                 "Counters these axes need were not collected for these launches, or are still to come"),
             {},
             nullptr});
    }
    if (gutter.otherDevices > 0) {
        items.push_back(
            {GutterItem::Kind::Title,
             QStringLiteral("%1 on other devices").arg(gutter.otherDevices),
             QStringLiteral("The roofs are those of the first device; launches of others are not drawn"),
             {},
             nullptr});
    }

    // A title and the chip after it are laid out as one, so that no title ends a row without its chips.
    const QFontMetricsF metrics(style.small);
    std::vector<double> widths;
    std::vector<std::size_t> firsts; // item that begins each laid-out piece
    for (std::size_t i = 0; i < items.size(); ++i) {
        const double letters = std::ceil(metrics.horizontalAdvance(items[i].text));
        items[i].box.setWidth(letters + (items[i].kind == GutterItem::Kind::Chip ? 34 : 8));
        items[i].box.setHeight(kChip);
        const bool follows = i > 0 && items[i].group && !items[i - 1].group;
        if (follows) {
            widths.back() += kGap + items[i].box.width();
        } else {
            widths.push_back(items[i].box.width());
            firsts.push_back(i);
        }
    }
    const double more = metrics.horizontalAdvance(QStringLiteral("+99 more")) + 24;
    const std::vector<view::plot::FlowItem> flow =
        view::plot::flowRows(widths, width, kRow, kGap, mostRows, more);
    const std::size_t shown = flow.size() < firsts.size() ? firsts[flow.size()] : items.size();
    for (std::size_t piece = 0; piece < flow.size(); ++piece) {
        const std::size_t end = piece + 1 < firsts.size() ? firsts[piece + 1] : items.size();
        double left = flow[piece].left;
        for (std::size_t i = firsts[piece]; i < end; ++i) {
            items[i].box.moveTopLeft({left, flow[piece].top + (kRow - kChip) / 2});
            left = items[i].box.right() + kGap;
        }
    }
    for (std::size_t i = shown; i < items.size(); ++i)
        items[i].box = {};
    if (shown < items.size()) {
        const auto hidden = std::count_if(items.begin() + static_cast<std::ptrdiff_t>(shown), items.end(),
                                          [](const GutterItem& item) { return item.group; });
        const QRectF last = shown == 0 ? QRectF() : items[shown - 1].box;
        GutterItem rest{GutterItem::Kind::More, QStringLiteral("+%1 more").arg(hidden), {}, {}, nullptr};
        rest.box = QRectF(shown == 0 ? 0 : last.right() + kGap, shown == 0 ? 2 : last.top(), more, kChip);
        items.insert(items.begin() + static_cast<std::ptrdiff_t>(shown), rest);
    }
    return items;
}

double gutterHeight(const std::vector<GutterItem>& items) {
    double bottom = 0;
    for (const GutterItem& item : items)
        bottom = std::max(bottom, item.box.isNull() ? 0 : item.box.bottom() + 2);
    return bottom;
}

void paintGutter(QPainter& painter, const std::vector<GutterItem>& items, const plot::ChartStyle& style,
                 const std::string& selectedLabel) {
    painter.setRenderHint(QPainter::Antialiasing);
    for (const GutterItem& item : items) {
        if (item.box.isNull()) continue;
        painter.setFont(style.small);
        if (item.kind != GutterItem::Kind::Title) {
            const bool selected = item.group && !selectedLabel.empty() && item.group->label == selectedLabel;
            painter.setPen(QPen(selected ? look::verdictColor(item.group->bound, style.dark) : style.border,
                                selected ? 1.6 : 1));
            painter.setBrush(style.sunken);
            painter.drawRoundedRect(item.box.adjusted(0.5, 0.5, -0.5, -0.5), kChip / 2, kChip / 2);
        }
        double indent = item.kind == GutterItem::Kind::More ? 12 : 0;
        if (item.group) {
            const double drop = item.group->bound == verdict::Bound::Latency ? 1 : 0;
            look::paintVerdict(painter, item.box.topLeft() + QPointF(13, kChip / 2 + drop), item.group->bound,
                               9, style.dark, {});
            indent = 24;
        }
        painter.setPen(item.group ? style.text : style.muted);
        painter.drawText(item.box.adjusted(indent, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, item.text);
    }
}

ChartGutter::ChartGutter(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFixedHeight(0);
}

void ChartGutter::setContent(const Gutter& gutter, verdict::Work work, verdict::MemoryLevel level) {
    m_gutter = gutter;
    m_work = work;
    m_level = level;
    layOut();
}

void ChartGutter::setSelectedLabel(const std::string& label) {
    if (label == m_selectedLabel) return;
    m_selectedLabel = label;
    update();
}

void ChartGutter::layOut() {
    m_items = gutterItems(m_gutter, m_work, m_level, plot::chartStyle(palette(), font()), width(), kMostRows);
    setFixedHeight(static_cast<int>(std::ceil(gutterHeight(m_items))));
    update();
}

const GutterItem* ChartGutter::itemAt(QPointF position) const {
    for (const GutterItem& item : m_items) {
        if (item.box.contains(position)) return &item;
    }
    return nullptr;
}

void ChartGutter::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintGutter(painter, m_items, plot::chartStyle(palette(), font()), m_selectedLabel);
}

void ChartGutter::resizeEvent(QResizeEvent* event) {
    if (event->size().width() != event->oldSize().width()) layOut();
}

void ChartGutter::mousePressEvent(QMouseEvent* event) {
    const GutterItem* item = itemAt(event->position());
    if (!item || event->button() != Qt::LeftButton) return;
    if (item->group) {
        emit launchClicked(item->group->longest);
    } else if (item->kind == GutterItem::Kind::More) {
        auto* menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        for (const GutterItem& hidden : m_items) {
            if (!hidden.group || !hidden.box.isNull()) continue;
            const session::LaunchIndex launch = hidden.group->longest;
            menu->addAction(
                QIcon(look::verdictPixmap(hidden.group->bound, 16, plot::chartStyle(palette(), font()).dark,
                                          devicePixelRatioF())),
                hidden.text, this, [this, launch] { emit launchClicked(launch); });
        }
        menu->popup(event->globalPosition().toPoint());
    }
}

bool ChartGutter::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const GutterItem* item = itemAt(help->pos());
        if (item && !item->tip.isEmpty()) {
            QToolTip::showText(help->globalPos(), item->tip, this, item->box.toRect());
        } else {
            QToolTip::hideText();
        }
        return true;
    }
    if (event->type() == QEvent::MouseMove) {
        const GutterItem* item = itemAt(static_cast<QMouseEvent*>(event)->position());
        setCursor(item && item->kind != GutterItem::Kind::Title ? Qt::PointingHandCursor : Qt::ArrowCursor);
    }
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) layOut();
    return QWidget::event(event);
}

} // namespace dormer::ui::roofline
