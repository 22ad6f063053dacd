// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/explain/search.h"

#include <QAbstractListModel>
#include <QStyledItemDelegate>

namespace dormer::ui::explain {

/// What a search found, a row per item.
class FoundModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { Detail = Qt::UserRole, KindWord };
    using QAbstractListModel::QAbstractListModel;

    void setItems(QList<Item> items);
    void search(const QString& query);
    [[nodiscard]] const Item& item(int row) const { return m_items[m_rows[row]]; }
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    QList<Item> m_items;
    QList<qsizetype> m_rows;
};

/// Title and detail from the left, the kind at the right; names that are too long lose their middle.
class FoundDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace dormer::ui::explain
