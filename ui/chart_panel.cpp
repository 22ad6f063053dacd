// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/chart_panel.h"

#include "ui/roofline_chart.h"
#include "ui/theme.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace dormer::ui {
namespace {

QPushButton* segment(std::string_view title, const QString& hint) {
    auto* button = new QPushButton(QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size())));
    button->setObjectName("segment");
    button->setCheckable(true);
    button->setToolTip(hint);
    return button;
}

} // namespace

ChartPanel::ChartPanel(SessionHub& hub, QWidget* parent) : QFrame(parent), m_chart(new RooflineChart(hub)) {
    setObjectName("panel");
    auto* title = new QLabel("Roofline");
    title->setFont(headingFont(font(), 1));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(2 * kGrid, kGrid, 2 * kGrid, 0);
    row->setSpacing(kGrid / 2);
    row->addWidget(title);
    row->addSpacing(2 * kGrid);
    addLevels(*row);
    row->addSpacing(2 * kGrid);
    addWorks(*row);
    row->addStretch();
    auto* whole = new QPushButton("Fit");
    whole->setObjectName("segment");
    whole->setToolTip("Show all roofs and points again");
    connect(whole, &QPushButton::clicked, m_chart, &RooflineChart::resetView);
    auto* save = new QPushButton("Export");
    save->setObjectName("segment");
    save->setToolTip("Save the chart as PNG, SVG or PDF (Ctrl+E)");
    connect(save, &QPushButton::clicked, this, &ChartPanel::exportRequested);
    row->addWidget(whole);
    row->addWidget(save);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 0, 1, kGrid / 2);
    layout->setSpacing(kGrid / 2);
    layout->addLayout(row);
    layout->addWidget(m_chart, 1);
}

void ChartPanel::addLevels(QHBoxLayout& row) {
    using analysis::MemoryLevel;
    auto* group = new QButtonGroup(this);
    for (const MemoryLevel level :
         {MemoryLevel::Dram, MemoryLevel::L2, MemoryLevel::L1, MemoryLevel::Shared}) {
        auto* button = segment(analysis::title(level), "Bytes of this memory level on the horizontal axis");
        button->setChecked(level == m_chart->level());
        group->addButton(button);
        connect(button, &QPushButton::clicked, m_chart, [this, level] { m_chart->setLevel(level); });
        row.addWidget(button);
    }
}

void ChartPanel::addWorks(QHBoxLayout& row) {
    using analysis::Work;
    auto* group = new QButtonGroup(this);
    for (const Work work : {Work::Fp32, Work::Fp64, Work::IntegerAndFp, Work::WarpInstructions}) {
        auto* button = segment(analysis::title(work), "What counts as work on the vertical axis");
        button->setChecked(work == m_chart->work());
        group->addButton(button);
        connect(button, &QPushButton::clicked, m_chart, [this, work] { m_chart->setWork(work); });
        row.addWidget(button);
    }
}

} // namespace dormer::ui
