// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>

namespace dormer::ui {

class RooflineChart;
class SessionHub;

/// The panel the roofline chart lies on.
class ChartPanel : public QFrame {
    Q_OBJECT
public:
    explicit ChartPanel(SessionHub& hub, QWidget* parent = nullptr);
    [[nodiscard]] RooflineChart& chart() { return *m_chart; }

private:
    RooflineChart* m_chart;
};

} // namespace dormer::ui
