// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>

#include <array>

class QPushButton;
class QStackedWidget;

namespace dormer::ui {

class PatternPanel;
class RooflineChart;
class SessionHub;
class SourceView;
class SweepView;
class TransfersView;

/// The panel of what fills the middle: the roofline, a kernel's source, sweeps and transfers where the
/// session has some, and the picture of an access that somebody types.
class ChartPanel : public QFrame {
    Q_OBJECT
public:
    enum class Tab { Roofline, Source, Sweeps, Transfers, Pattern };

    explicit ChartPanel(SessionHub& hub, QWidget* parent = nullptr);
    [[nodiscard]] RooflineChart& chart() { return *m_chart; }
    [[nodiscard]] SweepView& sweeps() { return *m_sweeps; }
    [[nodiscard]] TransfersView& transfers() { return *m_transfers; }
    [[nodiscard]] SourceView& source() { return *m_source; }
    [[nodiscard]] PatternPanel& pattern() { return *m_pattern; }
    /// The row of tabs: above the pages, unless it is put elsewhere.
    [[nodiscard]] QWidget& tabs() { return *m_bar; }

    [[nodiscard]] Tab tab() const;
    /// Nothing happens for a tab that has nothing in it.
    void setTab(Tab tab);
    [[nodiscard]] bool hasTab(Tab tab) const;

    /// Writes the chart of the tab in front: the sweep's, else the roofline. Returns an empty string, or one
    /// line saying what went wrong.
    [[nodiscard]] QString exportTo(const QString& path) const;

signals:
    void tabChanged();

private:
    QPushButton* addTab(Tab tab, const QString& hint);
    void updateTabs();

    SessionHub& m_hub;
    QWidget* m_bar;
    QStackedWidget* m_pages;
    RooflineChart* m_chart;
    SweepView* m_sweeps;
    TransfersView* m_transfers;
    SourceView* m_source;
    PatternPanel* m_pattern;
    std::array<QPushButton*, 5> m_tabs{}; ///< by Tab
};

} // namespace dormer::ui
