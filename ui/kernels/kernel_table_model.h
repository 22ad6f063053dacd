// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/view/kernel_table.h"

#include <QAbstractTableModel>
#include <QTimer>

#include <functional>
#include <optional>
#include <vector>

namespace dormer::ui::sessions {
class SessionHub;
}

namespace dormer::ui::kernels {

/// A column behind those of the kernel table: of a launch that stands for its row.
struct ExtraColumn {
    view::Column head;
    std::function<view::Cell(session::LaunchIndex)> cell;
};

/// The kernel table of the hub's session (analysis/view/kernel_table.h) for Qt's views. Rows only ever
/// append, in launch order, so a view keeps its order and selection while a session grows.
class KernelTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    /// As view::KernelColumn; extra columns follow.
    enum Column {
        Marker,
        Name,
        Calls,
        Time,
        Share,
        Dram,
        L2Hit,
        Sectors,
        Conflicts,
        Occupancy,
        Savings,
        ColumnCount
    };
    using Grouping = view::Grouping;
    enum Role {
        SortRole = Qt::UserRole, ///< double, or invalid when absent; text for Name
        LaunchRole,              ///< index of the launch a row stands for
        BoundRole,               ///< verdict::Bound as int
        EmphasisRole             ///< view::Emphasis as int
    };

    explicit KernelTableModel(sessions::SessionHub& hub, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    /// Two lines each.
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// In place of those before.
    void setExtras(std::vector<ExtraColumn> extras);
    [[nodiscard]] const std::vector<ExtraColumn>& extras() const { return m_extras; }
    void setGrouping(Grouping grouping);
    [[nodiscard]] Grouping grouping() const { return m_table->grouping(); }

    /// Row a launch is in; -1 while it has none.
    [[nodiscard]] int rowOf(session::LaunchIndex launch) const;
    /// The launch a row stands for: itself, or its group's counted launch of median duration.
    [[nodiscard]] session::LaunchIndex launchAt(int row) const;
    /// Number behind a cell in SI units (seconds never: times are ns), if it is known.
    [[nodiscard]] std::optional<double> number(int row, int column) const;
    [[nodiscard]] view::Column headAt(int column) const;
    /// No cell of the column has a wider text; empty for names, which may have any length.
    [[nodiscard]] QString widest(int column) const;
    /// Time of all launches on the GPU.
    [[nodiscard]] double totalNs() const { return m_table->totalNs(); }

    /// Shows what arrived since the last time; happens by itself within 30 ms.
    void flush();

private:
    void onLaunchChanged(session::LaunchIndex launch);
    void rebuild(Grouping grouping);
    void changedAll();
    [[nodiscard]] const ExtraColumn* extraAt(int column) const;
    [[nodiscard]] view::Cell cellAt(int row, int column) const;

    sessions::SessionHub& m_hub;
    int m_rows = 0; ///< that views know of
    std::optional<view::KernelTable> m_table;
    std::vector<ExtraColumn> m_extras;
    std::vector<session::LaunchIndex> m_pending;
    QTimer m_timer;
};

} // namespace dormer::ui::kernels
