// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/tables/fact_model.h"

#include "ui/look/definition.h"
#include "ui/look/words.h"

#include <QTextDocument>

#include <algorithm>
#include <span>

namespace dormer::ui::tables {
namespace {

/// Names in it are foreign: none may become markup.
QString tip(const std::string& text) {
    const QString plain = look::words(text);
    return Qt::mightBeRichText(plain) ? plain.toHtmlEscaped() : plain;
}

/// A long title in two lines.
QString titleOf(const view::Column& column) {
    constexpr qsizetype kLongTitle = 14;
    const QString title = look::words(view::headText(column));
    return title.size() > kLongTitle ? look::words(view::foldedHead(column)).trimmed() : title;
}

QString tipOf(const view::Column& column) {
    return column.metric.empty() ? tip(column.tooltip) : look::definitionOf(column.metric);
}

} // namespace

void FactModel::setTable(view::Table table) {
    std::vector<view::Row>& mine = m_table.rows;
    const bool grows = table.columns == m_table.columns && table.rows.size() >= mine.size() &&
                       std::ranges::equal(mine, std::span(table.rows).first(mine.size()), {}, &view::Row::key,
                                          &view::Row::key);
    if (!grows) {
        beginResetModel();
        m_table = std::move(table);
        endResetModel();
        return;
    }
    const int before = rowCount(), after = static_cast<int>(table.rows.size());
    for (int row = 0; row < before; ++row) {
        view::Row& its = table.rows[static_cast<std::size_t>(row)];
        if (mine[static_cast<std::size_t>(row)] == its) continue;
        mine[static_cast<std::size_t>(row)] = std::move(its);
        emit dataChanged(index(row, 0), index(row, columnCount() - 1));
    }
    if (after == before) return;
    beginInsertRows({}, before, after - 1);
    std::move(table.rows.begin() + before, table.rows.end(), std::back_inserter(mine));
    endInsertRows();
}

void FactModel::setMarked(const QSet<QString>& keys) {
    if (keys == m_marked) return;
    m_marked = keys;
    if (!m_table.rows.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int FactModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
}

int FactModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_table.columns.size());
}

int FactModel::rowOf(const QString& key) const {
    const auto found = std::ranges::find(m_table.rows, key.toStdString(), &view::Row::key);
    return found == m_table.rows.end() ? -1 : static_cast<int>(found - m_table.rows.begin());
}

Qt::Alignment FactModel::alignmentOf(int column) const {
    const bool right = m_table.columns[static_cast<std::size_t>(column)].numeric;
    return Qt::AlignVCenter | (right ? Qt::AlignRight : Qt::AlignLeft);
}

QVariant FactModel::data(const QModelIndex& at, int role) const {
    if (!at.isValid()) return {};
    const auto column = static_cast<std::size_t>(at.column());
    const view::Row& row = m_table.rows[static_cast<std::size_t>(at.row())];
    const view::Cell& cell = row.cells[column];
    switch (role) {
    case Qt::DisplayRole:
        return look::words(cell.text);
    case Qt::ToolTipRole:
        return cell.tooltip.empty() ? tipOf(m_table.columns[column]) : tip(cell.tooltip);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(alignmentOf(at.column()));
    case NumberRole:
        return cell.value ? QVariant(*cell.value) : QVariant();
    case KeyRole:
        return look::words(row.key);
    case BoundRole:
        return at.column() == 0 && row.bound ? QVariant(static_cast<int>(*row.bound)) : QVariant();
    case StrongRole:
        return row.strong;
    case MarkedRole:
        return m_marked.contains(look::words(row.key));
    case EmphasisRole:
        return static_cast<int>(cell.emphasis);
    case BarRole:
        return cell.bar ? QVariant(*cell.bar) : QVariant();
    default:
        return {};
    }
}

QVariant FactModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section >= columnCount()) return {};
    const view::Column& column = m_table.columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole) return titleOf(column);
    if (role == Qt::ToolTipRole) return tipOf(column);
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(alignmentOf(section));
    return {};
}

FactProxy::FactProxy(FactModel& model, QObject* parent) : QSortFilterProxyModel(parent), m_model(model) {
    setSourceModel(&model);
}

bool FactProxy::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const QVariant a = left.data(FactModel::NumberRole), b = right.data(FactModel::NumberRole);
    if (a.isValid() && b.isValid()) return a.toDouble() < b.toDouble();
    if (!m_model.columns()[static_cast<std::size_t>(left.column())].numeric)
        return QString::localeAwareCompare(left.data().toString(), right.data().toString()) < 0;
    if (a.isValid() == b.isValid()) return false;
    return (sortOrder() == Qt::AscendingOrder) == a.isValid();
}

} // namespace dormer::ui::tables
