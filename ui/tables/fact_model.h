// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/verdict/verdict.h"

#include <QAbstractTableModel>
#include <QSet>
#include <QSortFilterProxyModel>
#include <QString>

#include <optional>
#include <vector>

namespace dormer::ui::tables {

struct FactColumn {
    QString title;
    QString hint;
    bool numeric = false; ///< sorted by number, absent values last
    bool left = false;    ///< set left although it is numeric
    bool operator==(const FactColumn&) const = default;
};

struct FactCell {
    QString text;
    std::optional<double> number{};
    QString hint{};              ///< what it is, or why there is a dash
    std::optional<double> bar{}; ///< 0..1: drawn under the number
    bool gain = false;           ///< vermilion: what is to be gained
    bool operator==(const FactCell&) const = default;
};

struct FactRow {
    std::vector<FactCell> cells;
    QString key;                           ///< what a choice of this row means; several rows may share one
    std::optional<verdict::Bound> bound{}; ///< marker before the first cell
    bool strong = false;
    bool operator==(const FactRow&) const = default;
};

/// A small table of ready-made values, with keys that may be marked. Holds no widgets.
class FactModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role { NumberRole = Qt::UserRole, KeyRole, BoundRole, StrongRole, MarkedRole, BarRole, GainRole };

    using QAbstractTableModel::QAbstractTableModel;

    /// Rows that are only appended or changed in place keep the view's selection and place.
    void setTable(std::vector<FactColumn> columns, std::vector<FactRow> rows);
    void setMarked(const QSet<QString>& keys);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    /// Long titles have two lines.
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    [[nodiscard]] const std::vector<FactColumn>& columns() const { return m_columns; }
    [[nodiscard]] const std::vector<FactRow>& rows() const { return m_rows; }
    /// First row with the key; -1 when there is none.
    [[nodiscard]] int rowOf(const QString& key) const;

private:
    [[nodiscard]] Qt::Alignment alignmentOf(int column) const;

    std::vector<FactColumn> m_columns;
    std::vector<FactRow> m_rows;
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
