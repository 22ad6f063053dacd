// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/kernels/fitted_table.h"
#include "ui/sessions/launch_filter.h"

#include <QSortFilterProxyModel>
#include <QWidget>

class QComboBox;
class QLabel;

namespace dormer::ui::sessions {
class SessionHub;
} // namespace dormer::ui::sessions

namespace dormer::ui::kernels {

/// Sorts by the model's numbers (absent ones last, whichever the order) and hides what the filter rejects.
/// Rows don't move while the session grows; a new one lands at the end.
class KernelTableProxy : public QSortFilterProxyModel {
    Q_OBJECT
public:
    KernelTableProxy(sessions::SessionHub& hub, KernelTableModel& model, QObject* parent = nullptr);
    void setFilter(const sessions::LaunchFilter& filter);

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    sessions::SessionHub& m_hub;
    KernelTableModel& m_model;
    sessions::LaunchFilter m_filter;
};

/// The kernel table, with its grouping switch and a summary apart, for the row of tabs. Shares the hub's
/// selection.
class KernelTableView : public QWidget {
    Q_OBJECT
public:
    explicit KernelTableView(sessions::SessionHub& hub, QWidget* parent = nullptr);

    void setFilter(const sessions::LaunchFilter& filter);
    /// Columns of a comparison, behind those of the table.
    void setComparison(std::vector<ExtraColumn> columns);
    /// Metrics of the catalogue that have columns, too; remembered. Unknown names are left out.
    void setMetrics(const QStringList& names);
    [[nodiscard]] const QStringList& metrics() const { return m_metrics; }
    /// Rows and columns that are shown, as Markdown or CSV.
    [[nodiscard]] QString asMarkdown() const;
    [[nodiscard]] QString asCsv() const;
    /// Switch and summary. Its owner is who puts it somewhere.
    [[nodiscard]] QWidget& head() { return *m_head; }
    [[nodiscard]] QTableView& table() { return *m_table; }
    [[nodiscard]] KernelTableModel& model() { return *m_model; }
    /// Rows the filter lets through.
    [[nodiscard]] int visibleRows() const { return m_proxy->rowCount(); }

signals:
    /// Somebody wants to know what a column or a verdict is: "metric:dram_bytes_per_second",
    /// "verdict:memory".
    void explanationAsked(const QString& address);

private:
    void selectFromHub();
    void selectIntoHub();
    void askForExplanation();
    void summarise();
    void fit();
    void addActions();
    void offerColumns(const QPoint& at);
    void showExtras();

    sessions::SessionHub& m_hub;
    KernelTableModel* m_model;
    KernelTableProxy* m_proxy;
    FittedTable* m_table;
    QWidget* m_head;
    QLabel* m_summary;
    QComboBox* m_choice; ///< of Grouping
    std::vector<ExtraColumn> m_comparison;
    QStringList m_metrics;
    bool m_selecting = false; ///< a selection is on its way from the hub to the table
};

} // namespace dormer::ui::kernels
