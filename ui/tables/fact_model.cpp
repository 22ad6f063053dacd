// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/tables/fact_model.h"

#include <algorithm>

namespace dormer::ui::tables {
namespace {

constexpr qsizetype kLongTitle = 14;

/// A long title broken at the blank nearest to its middle.
QString inTwoLines(QString title) {
    if (title.size() <= kLongTitle) return title;
    const qsizetype middle = title.size() / 2;
    const qsizetype before = title.lastIndexOf(QLatin1Char(' '), middle);
    const qsizetype after = title.indexOf(QLatin1Char(' '), middle);
    const qsizetype at = before < 0 || (after >= 0 && after - middle < middle - before) ? after : before;
    if (at >= 0) title[at] = QLatin1Char('\n');
    return title;
}

} // namespace

void FactModel::setTable(std::vector<FactColumn> columns, std::vector<FactRow> rows) {
    const bool grows =
        columns == m_columns && rows.size() >= m_rows.size() &&
        std::ranges::equal(
            m_rows,
            std::ranges::subrange(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(m_rows.size())),
            {}, &FactRow::key, &FactRow::key);
    if (!grows) {
        beginResetModel();
        m_columns = std::move(columns);
        m_rows = std::move(rows);
        endResetModel();
        return;
    }
    const int before = rowCount(), after = static_cast<int>(rows.size());
    for (int row = 0; row < before; ++row) {
        FactRow& mine = m_rows[static_cast<std::size_t>(row)];
        FactRow& its = rows[static_cast<std::size_t>(row)];
        if (mine == its) continue;
        mine = std::move(its);
        emit dataChanged(index(row, 0), index(row, columnCount() - 1));
    }
    if (after == before) return;
    beginInsertRows({}, before, after - 1);
    std::move(rows.begin() + before, rows.end(), std::back_inserter(m_rows));
    endInsertRows();
}

void FactModel::setMarked(const QSet<QString>& keys) {
    if (keys == m_marked) return;
    m_marked = keys;
    if (!m_rows.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int FactModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int FactModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

int FactModel::rowOf(const QString& key) const {
    const auto found = std::ranges::find(m_rows, key, &FactRow::key);
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

Qt::Alignment FactModel::alignmentOf(int column) const {
    const FactColumn& about = m_columns[static_cast<std::size_t>(column)];
    return Qt::AlignVCenter | (about.numeric && !about.left ? Qt::AlignRight : Qt::AlignLeft);
}

QVariant FactModel::data(const QModelIndex& at, int role) const {
    if (!at.isValid()) return {};
    const FactRow& row = m_rows[static_cast<std::size_t>(at.row())];
    const FactCell& cell = row.cells[static_cast<std::size_t>(at.column())];
    switch (role) {
    case Qt::DisplayRole:
        return cell.text;
    case Qt::ToolTipRole:
        return cell.hint.isEmpty() ? m_columns[static_cast<std::size_t>(at.column())].hint : cell.hint;
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(alignmentOf(at.column()));
    case NumberRole:
        return cell.number ? QVariant(*cell.number) : QVariant();
    case KeyRole:
        return row.key;
    case BoundRole:
        return at.column() == 0 && row.bound ? QVariant(static_cast<int>(*row.bound)) : QVariant();
    case StrongRole:
        return row.strong;
    case MarkedRole:
        return m_marked.contains(row.key);
    case GainRole:
        return cell.gain;
    case BarRole:
        return cell.bar ? QVariant(*cell.bar) : QVariant();
    default:
        return {};
    }
}

QVariant FactModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section >= columnCount()) return {};
    const FactColumn& column = m_columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole) return inTwoLines(column.title);
    if (role == Qt::ToolTipRole) return column.hint;
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(alignmentOf(section));
    return {};
}

FactProxy::FactProxy(FactModel& model, QObject* parent) : QSortFilterProxyModel(parent), m_model(model) {
    setSourceModel(&model);
}

bool FactProxy::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    if (!m_model.columns()[static_cast<std::size_t>(left.column())].numeric)
        return QString::localeAwareCompare(left.data().toString(), right.data().toString()) < 0;
    const QVariant a = left.data(FactModel::NumberRole), b = right.data(FactModel::NumberRole);
    if (!a.isValid() || !b.isValid()) {
        if (a.isValid() == b.isValid()) return false;
        return (sortOrder() == Qt::AscendingOrder) == a.isValid();
    }
    return a.toDouble() < b.toDouble();
}

} // namespace dormer::ui::tables
