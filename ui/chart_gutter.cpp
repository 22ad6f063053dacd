// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/chart_gutter.h"

#include "analysis/format.h"
#include "ui/label_layout.h"
#include "ui/verdict_style.h"

#include <QHelpEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <cmath>

namespace dormer::ui {
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
        .arg(text(analysis::forPeople(group.totalNs, analysis::Unit::Nanoseconds)), verdictWord(group.bound));
}

} // namespace

std::vector<GutterItem> gutterItems(const Gutter& gutter, analysis::Work work, analysis::MemoryLevel level,
                                    const ChartStyle& style, double width, int mostRows) {
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
    section(QStringLiteral("no %1 work").arg(text(title(work))),
            QStringLiteral(
                "Launches that executed none of the chosen work; \"all ops\" or \"warp inst\" places them"),
            gutter.withoutWork);
    section(QStringLiteral("no %1 traffic").arg(text(title(level))),
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

    const QFontMetricsF metrics(style.small);
    std::vector<double> widths;
    for (const GutterItem& item : items) {
        const double letters = std::ceil(metrics.horizontalAdvance(item.text));
        widths.push_back(letters + (item.kind == GutterItem::Kind::Chip ? 34 : 8));
    }
    const double more = metrics.horizontalAdvance(QStringLiteral("+99 more")) + 24;
    const std::vector<FlowItem> flow = flowRows(widths, width, kRow, kGap, mostRows, more);
    for (std::size_t i = 0; i < flow.size(); ++i) {
        items[i].box = QRectF(flow[i].left, flow[i].top + (kRow - kChip) / 2, flow[i].width, kChip);
    }
    if (flow.size() < items.size()) {
        const QRectF last = flow.empty() ? QRectF() : items[flow.size() - 1].box;
        GutterItem rest{GutterItem::Kind::More,
                        QStringLiteral("+%1 more").arg(items.size() - flow.size()),
                        {},
                        {},
                        nullptr};
        rest.box = QRectF(flow.empty() ? 0 : last.right() + kGap, flow.empty() ? 2 : last.top(), more, kChip);
        items.insert(items.begin() + static_cast<std::ptrdiff_t>(flow.size()), rest);
    }
    return items;
}

double gutterHeight(const std::vector<GutterItem>& items) {
    double bottom = 0;
    for (const GutterItem& item : items)
        bottom = std::max(bottom, item.box.isNull() ? 0 : item.box.bottom() + 2);
    return bottom;
}

void paintGutter(QPainter& painter, const std::vector<GutterItem>& items, const ChartStyle& style,
                 const std::string& selectedLabel) {
    painter.setRenderHint(QPainter::Antialiasing);
    for (const GutterItem& item : items) {
        if (item.box.isNull()) continue;
        painter.setFont(style.small);
        if (item.kind != GutterItem::Kind::Title) {
            const bool selected = item.group && !selectedLabel.empty() && item.group->label == selectedLabel;
            painter.setPen(QPen(selected ? verdictColor(item.group->bound, style.dark) : style.border,
                                selected ? 1.6 : 1));
            painter.setBrush(style.sunken);
            painter.drawRoundedRect(item.box.adjusted(0.5, 0.5, -0.5, -0.5), kChip / 2, kChip / 2);
        }
        double indent = item.kind == GutterItem::Kind::More ? 12 : 0;
        if (item.group) {
            const double drop = item.group->bound == analysis::Bound::Latency ? 1 : 0;
            paintVerdict(painter, item.box.topLeft() + QPointF(13, kChip / 2 + drop), item.group->bound, 9,
                         style.dark, {});
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

void ChartGutter::setContent(const Gutter& gutter, analysis::Work work, analysis::MemoryLevel level) {
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
    m_items = gutterItems(m_gutter, m_work, m_level, chartStyle(palette(), font()), width(), kMostRows);
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
    paintGutter(painter, m_items, chartStyle(palette(), font()), m_selectedLabel);
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
            const analysis::LaunchIndex launch = hidden.group->longest;
            menu->addAction(QIcon(verdictPixmap(hidden.group->bound, 16, chartStyle(palette(), font()).dark,
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

} // namespace dormer::ui
