// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>

class QHBoxLayout;

namespace dormer::ui {

class RooflineChart;
class SessionHub;

/// The roofline chart under its title, the choice of memory level and work, and the export button.
class ChartPanel : public QFrame {
    Q_OBJECT
public:
    explicit ChartPanel(SessionHub& hub, QWidget* parent = nullptr);
    [[nodiscard]] RooflineChart& chart() { return *m_chart; }

signals:
    void exportRequested();

private:
    void addLevels(QHBoxLayout& row);
    void addWorks(QHBoxLayout& row);
    RooflineChart* m_chart;
};

} // namespace dormer::ui
