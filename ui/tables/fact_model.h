// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/view/table.h"

#include <QAbstractTableModel>
#include <QSet>
#include <QSortFilterProxyModel>
#include <QString>

namespace dormer::ui::tables {

/// A small table of the analysis, with keys that may be marked. Holds no widgets.
class FactModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role {
        NumberRole = Qt::UserRole,
        KeyRole,
        BoundRole,
        StrongRole,
        MarkedRole,
        BarRole,
        EmphasisRole
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// Rows that are only appended or changed in place keep the view's selection and place.
    void setTable(view::Table table);
    void setMarked(const QSet<QString>& keys);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    /// Long titles have two lines.
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    [[nodiscard]] const std::vector<view::Column>& columns() const { return m_table.columns; }
    [[nodiscard]] const std::vector<view::Row>& rows() const { return m_table.rows; }
    /// First row with the key; -1 when there is none.
    [[nodiscard]] int rowOf(const QString& key) const;

private:
    [[nodiscard]] Qt::Alignment alignmentOf(int column) const;

    view::Table m_table;
    QSet<QString> m_marked;
};

/// Sorts by number where a column has numbers, absent ones last whichever the order.
class FactProxy : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit FactProxy(FactModel& model, QObject* parent = nullptr);

protected:
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    FactModel& m_model;
};

} // namespace dormer::ui::tables
