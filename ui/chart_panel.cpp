// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/chart_panel.h"

#include "ui/roofline_chart.h"
#include "ui/theme.h"

#include <QVBoxLayout>

namespace dormer::ui {

ChartPanel::ChartPanel(SessionHub& hub, QWidget* parent) : QFrame(parent), m_chart(new RooflineChart(hub)) {
    setObjectName("panel");
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, kGrid / 2, 2 * kGrid, kGrid / 2);
    layout->addWidget(m_chart);
}

} // namespace dormer::ui
