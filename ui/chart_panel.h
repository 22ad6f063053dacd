// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>

#include <array>

class QPushButton;
class QStackedWidget;

namespace dormer::ui {

class RooflineChart;
class SessionHub;
class SweepView;
class TransfersView;

/// The panel the roofline chart lies on, with tabs for sweeps and transfers where the session has some.
class ChartPanel : public QFrame {
    Q_OBJECT
public:
    enum class Tab { Roofline, Sweeps, Transfers };

    explicit ChartPanel(SessionHub& hub, QWidget* parent = nullptr);
    [[nodiscard]] RooflineChart& chart() { return *m_chart; }
    [[nodiscard]] SweepView& sweeps() { return *m_sweeps; }
    [[nodiscard]] TransfersView& transfers() { return *m_transfers; }

    [[nodiscard]] Tab tab() const;
    /// Nothing happens for a tab that has nothing in it.
    void setTab(Tab tab);
    [[nodiscard]] bool hasTab(Tab tab) const;

    /// Writes the chart of the tab in front: the sweep's, else the roofline. Returns an empty string, or one
    /// line saying what went wrong.
    [[nodiscard]] QString exportTo(const QString& path) const;

private:
    QPushButton* addTab(Tab tab, const QString& hint);
    void updateTabs();

    SessionHub& m_hub;
    QWidget* m_bar;
    QStackedWidget* m_pages;
    RooflineChart* m_chart;
    SweepView* m_sweeps;
    TransfersView* m_transfers;
    std::array<QPushButton*, 3> m_tabs{}; ///< by Tab
};

} // namespace dormer::ui
