// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/workloads/workload_delegate.h"

#include "ui/look/theme.h"

#include <QPainter>

namespace dormer::ui::workloads {
namespace {

QString shows(const QModelIndex& index) {
    return index.data(kShowsRole).toString();
}

} // namespace

QSize WorkloadDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QSize size = QStyledItemDelegate::sizeHint(option, index);
    if (!shows(index).isEmpty())
        size.rheight() += QFontMetrics(look::smallFont(option.font)).height() + look::kGrid / 4;
    return size;
}

void WorkloadDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                             const QModelIndex& index) const {
    const QString below = shows(index);
    const QString count = index.data(kCountRole).toString();
    const QFont small = look::smallFont(option.font);
    QFont figures = small;
    figures.setWeight(QFont::Normal);
    const QFontMetrics metrics(small);
    QStyleOptionViewItem name = option;
    if (!below.isEmpty()) name.rect.setHeight(option.rect.height() - metrics.height());
    if (!count.isEmpty())
        name.rect.setRight(option.rect.right() - QFontMetrics(figures).horizontalAdvance(count) -
                           look::kGrid);
    QStyledItemDelegate::paint(painter, name, index);

    painter->save();
    painter->setPen(look::coloursFor(option.palette).muted);
    painter->setFont(figures);
    if (!count.isEmpty()) {
        const QRect right(name.rect.right(), name.rect.top(), option.rect.right() - name.rect.right(),
                          name.rect.height());
        painter->drawText(right, Qt::AlignRight | Qt::AlignVCenter, count);
    }
    if (!below.isEmpty()) {
        QStyleOptionViewItem laid = name;
        initStyleOption(&laid, index);
        const QStyle* style = option.widget->style();
        const int left = style->subElementRect(QStyle::SE_ItemViewItemText, &laid, option.widget).left() + 3;
        const QRect line(left, name.rect.bottom() - 1, option.rect.right() - left, metrics.height());
        painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                          metrics.elidedText(below, Qt::ElideRight, line.width()));
    }
    // Where the keyboard is: the tree has no selection to show it.
    if (option.state.testFlag(QStyle::State_HasFocus)) {
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(look::coloursFor(option.palette).accent, 1));
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    }
    painter->restore();
}

} // namespace dormer::ui::workloads
