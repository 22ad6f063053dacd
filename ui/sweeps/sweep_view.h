// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/metrics/sweep.h"
#include "ui/sweeps/sweep_chart.h"
#include "ui/tables/fact_table.h"

#include <QTimer>

#include <unordered_map>

class QComboBox;
class QLabel;
class QSplitter;

namespace dormer::ui::sessions {
class SessionHub;
} // namespace dormer::ui::sessions

namespace dormer::ui::sweeps {

/// The sweeps of the session: one of them as a plot of a metric against its parameter and as a table. Shares
/// the hub's selection both ways, and grows while points arrive.
class SweepView : public QWidget {
    Q_OBJECT
public:
    explicit SweepView(sessions::SessionHub& hub, QWidget* parent = nullptr);

    [[nodiscard]] qsizetype sweepCount() const { return static_cast<qsizetype>(m_tables.size()); }
    [[nodiscard]] SweepChart& chart() { return *m_chart; }
    [[nodiscard]] tables::FactTable& table() { return *m_table; }
    [[nodiscard]] const metrics::SweepTable* current() const;

    /// Shows the sweep of this name, "access/offset"; nothing happens when there is none.
    void choose(const QString& sweep);
    /// Shows what arrived since the last time; happens by itself soon after it did.
    void flush();
    /// Writes the plot as PNG, SVG or PDF. Returns an empty string, or one line saying what went wrong.
    [[nodiscard]] QString exportTo(const QString& path) const;

signals:
    void sweepCountChanged();

private:
    void fillSweeps();
    void fillMetrics();
    void showPlot();
    void showTable();
    void arrange(Qt::Orientation orientation);
    void selectFromHub();
    void markSelected();
    [[nodiscard]] std::string selectedWorkload() const;
    void selectIntoHub(std::size_t point);
    [[nodiscard]] std::size_t metric() const;
    [[nodiscard]] std::optional<verdict::Bound> boundOf(const metrics::SweepPoint& point) const;
    void askForExport(const QString& ending);

    sessions::SessionHub& m_hub;
    QComboBox* m_sweep;
    QComboBox* m_metric;
    QLabel* m_best;
    QSplitter* m_parts;
    SweepChart* m_chart;
    tables::FactTable* m_table;
    QTimer m_timer;
    std::vector<metrics::SweepTable> m_tables;
    std::unordered_map<std::string, session::LaunchIndex> m_launches; ///< by workload
};

} // namespace dormer::ui::sweeps
