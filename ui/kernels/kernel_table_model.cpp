// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/kernels/kernel_table_model.h"

#include "ui/look/definition.h"
#include "ui/look/words.h"
#include "ui/sessions/session_hub.h"

#include <QElapsedTimer>

#include <algorithm>

namespace dormer::ui::kernels {
namespace {

using look::words;
using view::KernelColumn;

constexpr int kFlushMs = 30;
static_assert(KernelTableModel::ColumnCount == view::kKernelColumns);

KernelColumn columnAt(int column) {
    return static_cast<KernelColumn>(column);
}

QString paragraph(const std::string& text) {
    return QStringLiteral("<p>%1</p>").arg(words(text).toHtmlEscaped());
}

QString meaningOf(const view::Column& column) {
    return paragraph(column.tooltip) + look::definitionOf(column.metric);
}

Qt::Alignment alignmentOf(const view::Column& column) {
    return Qt::AlignVCenter | (column.numeric ? Qt::AlignRight : Qt::AlignLeft);
}

} // namespace

KernelTableModel::KernelTableModel(sessions::SessionHub& hub, QObject* parent)
    : QAbstractTableModel(parent), m_hub(hub), m_table(std::in_place, hub.diagnosis()) {
    m_timer.setSingleShot(true);
    m_timer.setInterval(kFlushMs);
    connect(&m_timer, &QTimer::timeout, this, &KernelTableModel::flush);
    connect(&hub, &sessions::SessionHub::sessionReset, this, [this] { rebuild(grouping()); });
    connect(&hub, &sessions::SessionHub::launchChanged, this, &KernelTableModel::onLaunchChanged);
    connect(&hub, &sessions::SessionHub::contextChanged, this, [this] {
        m_table->forgetAll();
        changedAll();
    });
    rebuild(grouping());
}

int KernelTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_rows;
}

int KernelTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount + static_cast<int>(m_extras.size());
}

void KernelTableModel::setExtras(std::vector<ExtraColumn> extras) {
    const bool same = std::ranges::equal(extras, m_extras, {}, &ExtraColumn::head, &ExtraColumn::head);
    if (!same) beginResetModel();
    m_extras = std::move(extras);
    if (same)
        changedAll();
    else
        endResetModel();
}

const ExtraColumn* KernelTableModel::extraAt(int column) const {
    return column < ColumnCount ? nullptr : &m_extras[static_cast<std::size_t>(column - ColumnCount)];
}

view::Cell KernelTableModel::cellAt(int row, int column) const {
    const auto at = static_cast<std::size_t>(row);
    const ExtraColumn* extra = extraAt(column);
    return extra != nullptr ? extra->cell(m_table->launchAt(at)) : m_table->cell(at, columnAt(column));
}

view::Column KernelTableModel::headAt(int column) const {
    const ExtraColumn* extra = extraAt(column);
    return extra != nullptr ? extra->head : m_table->column(columnAt(column));
}

void KernelTableModel::setGrouping(Grouping grouping) {
    if (grouping != m_table->grouping()) rebuild(grouping);
}

void KernelTableModel::rebuild(Grouping grouping) {
    beginResetModel();
    m_pending.clear();
    m_timer.stop();
    m_table.emplace(m_hub.diagnosis(), grouping);
    m_rows = static_cast<int>(m_table->rows());
    endResetModel();
}

void KernelTableModel::changedAll() {
    if (m_rows > 0) emit dataChanged(index(0, 0), index(m_rows - 1, columnCount() - 1));
}

void KernelTableModel::onLaunchChanged(session::LaunchIndex launch) {
    m_pending.push_back(launch);
    if (!m_timer.isActive()) m_timer.start();
}

void KernelTableModel::flush() {
    if (m_pending.empty()) return;
    QElapsedTimer cost;
    cost.start();
    const view::Column time = m_table->column(KernelColumn::Time);
    m_table->update();
    const int rows = static_cast<int>(m_table->rows());
    if (rows > m_rows) {
        beginInsertRows({}, m_rows, rows - 1);
        m_rows = rows;
        endInsertRows();
    }
    for (const session::LaunchIndex launch : m_pending)
        if (const auto row = m_table->rowOf(launch)) m_table->forget(*row);
    // What is sampled belongs to a signature: news of a launch are news of all like it.
    const session::Session& session = m_hub.session();
    if (grouping() == Grouping::AllLaunches &&
        session.processes()[session.launch(m_pending.back()).process].bySignature)
        m_table->forgetAll();
    m_pending.clear();
    if (m_table->column(KernelColumn::Time) != time)
        emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    changedAll(); // shares and the unit of times depend on all launches
    // Grouping is linear in launches: huge sessions are looked at less often, never more than a fifth of the
    // time.
    m_timer.setInterval(std::max(kFlushMs, static_cast<int>(4 * cost.elapsed())));
}

int KernelTableModel::rowOf(session::LaunchIndex launch) const {
    const auto row = m_table->rowOf(launch);
    return row && static_cast<int>(*row) < m_rows ? static_cast<int>(*row) : -1;
}

session::LaunchIndex KernelTableModel::launchAt(int row) const {
    return m_table->launchAt(static_cast<std::size_t>(row));
}

std::optional<double> KernelTableModel::number(int row, int column) const {
    return column < ColumnCount ? m_table->value(static_cast<std::size_t>(row), columnAt(column))
                                : cellAt(row, column).value;
}

QString KernelTableModel::widest(int column) const {
    return words(headAt(column).widest);
}

QVariant KernelTableModel::data(const QModelIndex& at, int role) const {
    if (!at.isValid() || at.row() >= m_rows) return {};
    const auto row = static_cast<std::size_t>(at.row());
    switch (role) {
    case Qt::DisplayRole:
        // The marker is drawn; its word is for those who can't see it.
        return at.column() == Marker ? QString() : words(cellAt(at.row(), at.column()).text);
    case Qt::AccessibleTextRole:
        return at.column() == Marker ? QVariant(words(cellAt(at.row(), Marker).text)) : QVariant();
    case Qt::ToolTipRole: {
        const view::Cell cell = cellAt(at.row(), at.column());
        const QString own = cell.tooltip.empty() ? QString() : paragraph(cell.tooltip);
        return at.column() <= Name || !cell.value ? own : own + meaningOf(headAt(at.column()));
    }
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(alignmentOf(headAt(at.column())));
    case SortRole: {
        if (at.column() == Name) return words(cellAt(at.row(), Name).text);
        const auto value = number(at.row(), at.column());
        return value ? QVariant(*value) : QVariant();
    }
    case LaunchRole:
        return raw(m_table->launchAt(row));
    case BoundRole:
        return static_cast<int>(m_table->value(row, KernelColumn::Verdict).value_or(0));
    case EmphasisRole:
        return static_cast<int>(cellAt(at.row(), at.column()).emphasis);
    default:
        return {};
    }
}

QVariant KernelTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    const view::Column column = headAt(section);
    switch (role) {
    case Qt::DisplayRole:
        return section == Marker ? QString() : words(foldedHead(column));
    case Qt::ToolTipRole:
        return meaningOf(column);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(alignmentOf(column));
    default:
        return {};
    }
}

} // namespace dormer::ui::kernels
