// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/explain/found_model.h"

#include "ui/look/theme.h"

#include <QPainter>

#include <algorithm>

namespace dormer::ui::explain {

void FoundModel::setItems(QList<Item> items) {
    beginResetModel();
    m_rows.clear();
    m_items = std::move(items);
    endResetModel();
}

void FoundModel::search(const QString& query) {
    beginResetModel();
    m_rows = found(m_items, query);
    endResetModel();
}

int FoundModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant FoundModel::data(const QModelIndex& index, int role) const {
    const Item& found = item(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return found.title;
    case Qt::ToolTipRole:
        return found.detail.isEmpty() ? found.title : found.title + QLatin1Char('\n') + found.detail;
    case Qt::AccessibleTextRole:
        return QStringList{kindWord(found.kind), found.title, found.detail}.join(QStringLiteral(", "));
    case Detail:
        return found.detail;
    case KindWord:
        return kindWord(found.kind);
    default:
        return {};
    }
}

QSize FoundDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
    return {10 * look::kGrid, option.fontMetrics.height() + look::kGrid};
}

void FoundDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const {
    const look::Colours& colours = look::coloursFor(option.palette);
    if (option.state.testFlag(QStyle::State_Selected)) {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(colours.selection);
        painter->drawRoundedRect(option.rect, 6, 6);
        painter->restore();
    }
    QRect room = option.rect.adjusted(look::kGrid, 0, -look::kGrid, 0);
    const auto write = [&](const QString& text, const QFont& font, const QColor& colour, bool right,
                           int width) {
        const QFontMetrics metrics(font);
        const QString shown = metrics.elidedText(text, Qt::ElideMiddle, width);
        painter->setFont(font);
        painter->setPen(colour);
        painter->drawText(room, Qt::AlignVCenter | (right ? Qt::AlignRight : Qt::AlignLeft), shown);
        const int used = metrics.horizontalAdvance(shown) + 2 * look::kGrid;
        if (right)
            room.setRight(room.right() - used);
        else
            room.setLeft(room.left() + used);
    };
    painter->save();
    const QFont small = look::smallFont(option.font);
    write(index.data(FoundModel::KindWord).toString(), small, colours.muted, true, room.width());
    const QString detail = index.data(FoundModel::Detail).toString();
    // The title goes first; what is beside it gets the rest, unless that would be a few letters.
    write(index.data().toString(), option.font, colours.text, false,
          detail.isEmpty() ? room.width() : room.width() * 2 / 3);
    if (room.width() > 6 * look::kGrid) write(detail, small, colours.muted, false, room.width());
    painter->restore();
}

} // namespace dormer::ui::explain
