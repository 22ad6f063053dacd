// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/metrics/group.h"

#include <QAbstractTableModel>
#include <QTimer>

#include <array>
#include <optional>
#include <vector>

namespace dormer::ui::sessions {
class SessionHub;
} // namespace dormer::ui::sessions

namespace dormer::ui::kernels {

/// The session's launches as rows, one a launch or one a group of equal launches. Holds values, no widgets.
/// Rows only ever append, in launch order, so a view keeps its order and selection while a session grows.
/// Numbers are computed when asked for and kept; nothing is computed for rows nobody looks at.
class KernelTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Marker, Name, Calls, Time, Dram, L2Hit, Sectors, Conflicts, Occupancy, Gain, ColumnCount };
    enum class Grouping { ByKernel, AllLaunches };
    enum Role {
        SortRole = Qt::UserRole, ///< double, or invalid when absent; text for Name
        LaunchRole,              ///< index of the launch a row stands for
        BoundRole,               ///< analysis::Bound as int
        EmphasisRole             ///< true when the number is something to be gained
    };

    explicit KernelTableModel(sessions::SessionHub& hub, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    void setGrouping(Grouping grouping);
    [[nodiscard]] Grouping grouping() const { return m_grouping; }

    /// Row a launch is in; -1 while it has none.
    [[nodiscard]] int rowOf(session::LaunchIndex launch) const;
    /// The launch a row stands for: itself, or its group's counted launch of median duration.
    [[nodiscard]] session::LaunchIndex launchAt(int row) const;
    /// Number behind a cell in SI units (seconds never: times are ns), if it is known.
    [[nodiscard]] std::optional<double> number(int row, Column column) const;
    /// Time of all launches on the GPU.
    [[nodiscard]] double totalNs() const;

    /// Shows what arrived since the last time; happens by itself within 30 ms.
    void flush();

private:
    struct Cell {
        bool known = false;
        double value = 0; ///< NaN = absent
    };

    void onLaunchChanged(session::LaunchIndex launch);
    void rebuild();
    void onContextChanged();
    [[nodiscard]] const metrics::LaunchGroup& groupAt(int row) const;
    [[nodiscard]] int wantedRows() const;
    [[nodiscard]] double compute(int row, Column column) const;
    [[nodiscard]] double rowNs(int row) const;
    [[nodiscard]] int callsOf(int row) const;
    [[nodiscard]] QString text(int row, Column column) const;
    [[nodiscard]] QString toolTip(int row, Column column) const;
    [[nodiscard]] bool emphasis(int row, Column column) const;

    sessions::SessionHub& m_hub;
    Grouping m_grouping = Grouping::ByKernel;
    int m_rows = 0;
    mutable std::vector<std::array<Cell, ColumnCount>> m_cells;
    std::vector<session::LaunchIndex> m_pending;
    QTimer m_timer;
};

} // namespace dormer::ui::kernels
