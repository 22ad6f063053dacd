// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>

#include <array>

class QPushButton;
class QStackedWidget;

namespace dormer::ui::pattern {
class PatternPanel;
} // namespace dormer::ui::pattern

namespace dormer::ui::roofline {
class RooflineChart;
} // namespace dormer::ui::roofline

namespace dormer::ui::sessions {
class SessionHub;
} // namespace dormer::ui::sessions

namespace dormer::ui::sources {
class SourceView;
} // namespace dormer::ui::sources

namespace dormer::ui::sweeps {
class SweepView;
} // namespace dormer::ui::sweeps

namespace dormer::ui::timeline {
class TimelineView;
} // namespace dormer::ui::timeline

namespace dormer::ui::transfers {
class TransfersView;
} // namespace dormer::ui::transfers

namespace dormer::ui::shell {

/// The panel of what fills the middle: the roofline, a kernel's source, the timeline, sweeps and transfers
/// where the session has some, and the picture of an access that somebody types.
class ChartPanel : public QFrame {
    Q_OBJECT
public:
    enum class Tab { Roofline, Source, Timeline, Sweeps, Transfers, Pattern };

    explicit ChartPanel(sessions::SessionHub& hub, QWidget* parent = nullptr);
    [[nodiscard]] roofline::RooflineChart& chart() { return *m_chart; }
    [[nodiscard]] sweeps::SweepView& sweeps() { return *m_sweeps; }
    [[nodiscard]] timeline::TimelineView& timeline() { return *m_timeline; }
    [[nodiscard]] transfers::TransfersView& transfers() { return *m_transfers; }
    [[nodiscard]] sources::SourceView& source() { return *m_source; }
    [[nodiscard]] pattern::PatternPanel& pattern() { return *m_pattern; }
    /// The row of tabs: above the pages, unless it is put elsewhere.
    [[nodiscard]] QWidget& tabs() { return *m_bar; }
    /// Puts something at the end of that row.
    void addBesideTabs(QWidget& widget);

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

    sessions::SessionHub& m_hub;
    QWidget* m_bar;
    QStackedWidget* m_pages;
    roofline::RooflineChart* m_chart;
    sweeps::SweepView* m_sweeps;
    timeline::TimelineView* m_timeline;
    transfers::TransfersView* m_transfers;
    sources::SourceView* m_source;
    pattern::PatternPanel* m_pattern;
    std::array<QPushButton*, 6> m_tabs{}; ///< by Tab
};

} // namespace dormer::ui::shell
