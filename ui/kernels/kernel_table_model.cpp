// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/kernels/kernel_table_model.h"

#include "analysis/lines/conflict_ways.h"
#include "ui/look/kernel_columns.h"
#include "ui/sessions/session_hub.h"

#include <QElapsedTimer>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace dormer::ui::kernels {
namespace {

constexpr int kFlushMs = 30;
constexpr double kNsPerUs = 1e3;

} // namespace

KernelTableModel::KernelTableModel(sessions::SessionHub& hub, QObject* parent)
    : QAbstractTableModel(parent), m_hub(hub) {
    m_timer.setSingleShot(true);
    m_timer.setInterval(kFlushMs);
    connect(&m_timer, &QTimer::timeout, this, &KernelTableModel::flush);
    connect(&hub, &sessions::SessionHub::sessionReset, this, &KernelTableModel::rebuild);
    connect(&hub, &sessions::SessionHub::launchChanged, this, &KernelTableModel::onLaunchChanged);
    connect(&hub, &sessions::SessionHub::contextChanged, this, &KernelTableModel::onContextChanged);
    rebuild();
}

int KernelTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_rows;
}

int KernelTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

void KernelTableModel::setGrouping(Grouping grouping) {
    if (grouping == m_grouping) return;
    m_grouping = grouping;
    rebuild();
}

void KernelTableModel::rebuild() {
    beginResetModel();
    m_pending.clear();
    m_timer.stop();
    m_rows = wantedRows();
    m_cells.assign(static_cast<std::size_t>(m_rows), {});
    endResetModel();
}

void KernelTableModel::onContextChanged() {
    // A device that was not described before may part or join groups.
    if (wantedRows() < m_rows) return rebuild();
    m_cells.assign(m_cells.size(), {});
    if (m_rows > 0) emit dataChanged(index(0, 0), index(m_rows - 1, ColumnCount - 1));
}

const metrics::LaunchGroup& KernelTableModel::groupAt(int row) const {
    return m_hub.diagnosis().groups()[static_cast<std::size_t>(row)];
}

int KernelTableModel::wantedRows() const {
    return static_cast<int>(m_grouping == Grouping::ByKernel ? m_hub.diagnosis().groups().size()
                                                             : m_hub.session().launches().size());
}

void KernelTableModel::onLaunchChanged(session::LaunchIndex launch) {
    m_pending.push_back(launch);
    if (!m_timer.isActive()) m_timer.start();
}

void KernelTableModel::flush() {
    if (m_pending.empty()) return;
    QElapsedTimer cost;
    cost.start();
    // Groups come in order of their first launch, so the rows on screen stay where they are.
    const int rows = wantedRows();
    if (rows > m_rows) {
        beginInsertRows({}, m_rows, rows - 1);
        m_rows = rows;
        m_cells.resize(static_cast<std::size_t>(rows));
        endInsertRows();
    }
    int first = m_rows;
    int last = -1;
    for (const session::LaunchIndex launch : m_pending) {
        const int row = rowOf(launch);
        if (row < 0) continue;
        m_cells[static_cast<std::size_t>(row)] = {};
        first = std::min(first, row);
        last = std::max(last, row);
    }
    m_pending.clear();
    if (last >= 0) emit dataChanged(index(first, 0), index(last, ColumnCount - 1));
    // Grouping is linear in launches: huge sessions are looked at less often, never more than a fifth of the
    // time.
    m_timer.setInterval(std::max(kFlushMs, static_cast<int>(4 * cost.elapsed())));
}

int KernelTableModel::rowOf(session::LaunchIndex launch) const {
    if (raw(launch) >= m_hub.session().launches().size()) return -1;
    const std::size_t row =
        m_grouping == Grouping::AllLaunches ? raw(launch) : m_hub.diagnosis().groupOf(launch);
    return row < static_cast<std::size_t>(m_rows) ? static_cast<int>(row) : -1;
}

session::LaunchIndex KernelTableModel::launchAt(int row) const {
    if (m_grouping == Grouping::AllLaunches) return session::LaunchIndex{static_cast<std::uint32_t>(row)};
    return groupAt(row).representative;
}

int KernelTableModel::callsOf(int row) const {
    return m_grouping == Grouping::AllLaunches ? 1 : static_cast<int>(groupAt(row).launches.size());
}

double KernelTableModel::rowNs(int row) const {
    if (m_grouping == Grouping::ByKernel) return groupAt(row).totalNs;
    return m_hub.session().launch(launchAt(row)).durationNs.value_or(0);
}

double KernelTableModel::totalNs() const {
    double sum = 0;
    for (const session::Launch& launch : m_hub.session().launches())
        sum += launch.durationNs.value_or(0);
    return sum;
}

std::optional<double> KernelTableModel::number(int row, Column column) const {
    Cell& cell = m_cells[static_cast<std::size_t>(row)][column];
    if (!cell.known) cell = {.known = true, .value = compute(row, column)};
    if (std::isnan(cell.value)) return std::nullopt;
    return cell.value;
}

double KernelTableModel::compute(int row, Column column) const {
    constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();
    const session::LaunchIndex launch = launchAt(row);
    const metrics::MetricEvaluator& metrics = m_hub.metrics();
    switch (column) {
    case Marker:
        return static_cast<double>(m_hub.verdict(launch).bound);
    case Calls:
        return m_grouping == Grouping::AllLaunches ? session::raw(launch) + 1.0 : callsOf(row);
    case Time:
        return rowNs(row) > 0 ? rowNs(row) : kAbsent;
    case Dram:
        return m_hub.verdict(launch).utilization[static_cast<std::size_t>(device::Resource::Dram)].value_or(
            kAbsent);
    case L2Hit:
        return metrics.value(launch, "l2_hit_rate").value_or(kAbsent);
    case Sectors: {
        const auto sectors = look::sectorsPerRequest(metrics, launch);
        return sectors ? sectors->actual : kAbsent;
    }
    case Conflicts:
        return lines::conflictWays(metrics, launch).value_or(kAbsent);
    case Occupancy:
        return metrics.value(launch, "achieved_occupancy").value_or(kAbsent);
    case Gain: {
        const auto gain = m_grouping == Grouping::ByKernel
                              ? m_hub.diagnosis().gainOfGroup(static_cast<std::size_t>(row))
                              : m_hub.diagnosis().gain(launch);
        return gain ? gain->ns : kAbsent;
    }
    case Name:
    case ColumnCount:
        break;
    }
    return kAbsent;
}

bool KernelTableModel::emphasis(int row, Column column) const {
    const auto value = number(row, column);
    if (!value) return false;
    if (column == Gain) return true;
    if (column == Conflicts) return *value > 1.1;
    if (column != Sectors) return false;
    const auto sectors = look::sectorsPerRequest(m_hub.metrics(), launchAt(row));
    return sectors && sectors->ideal && sectors->actual > 1.1 * *sectors->ideal;
}

QString KernelTableModel::text(int row, Column column) const {
    if (column == Marker) return {};
    if (column == Name) {
        return QString::fromStdString(m_grouping == Grouping::ByKernel
                                          ? groupAt(row).label
                                          : session::launchLabel(m_hub.session(), launchAt(row)));
    }
    const auto value = number(row, column);
    if (!value) return column == Gain ? QString() : look::dash();
    switch (column) {
    case Calls:
        return look::fixed(*value, 0);
    case Time:
        return look::fixed(*value / kNsPerUs, 1);
    case Dram:
    case L2Hit:
    case Occupancy:
        return look::fixed(100 * *value, 0);
    case Conflicts:
        return *value > 1.1 ? look::fixed(*value, 1) : QStringLiteral("none");
    case Sectors: {
        const auto sectors = look::sectorsPerRequest(m_hub.metrics(), launchAt(row));
        const QString ideal = sectors && sectors->ideal ? look::fixed(*sectors->ideal, 0) : look::dash();
        return QStringLiteral("%1 / %2").arg(look::fixed(*value, 1), ideal);
    }
    case Gain: // "-0.0" would look like an error
        if (*value < 0.05 * kNsPerUs) return QStringLiteral("< 0.1");
        return QStringLiteral("\u2212%1").arg(look::fixed(*value / kNsPerUs, 1));
    default:
        return {};
    }
}

QVariant KernelTableModel::data(const QModelIndex& at, int role) const {
    if (!at.isValid() || at.row() >= m_rows) return {};
    const auto column = static_cast<Column>(at.column());
    switch (role) {
    case Qt::DisplayRole:
        return text(at.row(), column);
    case Qt::ToolTipRole:
        return toolTip(at.row(), column);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            Qt::Alignment(Qt::AlignVCenter | (column <= Name ? Qt::AlignLeft : Qt::AlignRight)));
    case Qt::AccessibleTextRole:
        if (column != Marker) return {};
        return QString::fromUtf8(verdict::toString(m_hub.verdict(launchAt(at.row())).bound).data());
    case SortRole: {
        if (column == Name) return text(at.row(), column);
        const auto value = number(at.row(), column);
        return value ? QVariant(*value) : QVariant();
    }
    case LaunchRole:
        return session::raw(launchAt(at.row()));
    case BoundRole:
        return static_cast<int>(m_hub.verdict(launchAt(at.row())).bound);
    case EmphasisRole:
        return emphasis(at.row(), column);
    default:
        return {};
    }
}

} // namespace dormer::ui::kernels
