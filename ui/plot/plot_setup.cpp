// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/plot/plot_setup.h"

#include "analysis/view/plot/axis_math.h"
#include "analysis/view/plot/roof_geometry.h"

#include <qcustomplot.h>

#include <cmath>

namespace dormer::ui::plot {
namespace {

/// Hands the chart's tick arithmetic to QCustomPlot.
class RoofTicker : public QCPAxisTicker {
public:
    explicit RoofTicker(int most) : m_most(most) {}

    void generate(const QCPRange& range, const QLocale&, QChar, int, QVector<double>& ticks,
                  QVector<double>* subTicks, QVector<QString>* labels) override {
        const auto all = view::plot::logTicks({std::log10(range.lower), std::log10(range.upper)}, m_most);
        ticks = QVector<double>(all.major.begin(), all.major.end());
        if (subTicks) *subTicks = QVector<double>(all.minor.begin(), all.minor.end());
        if (!labels) return;
        labels->clear();
        for (const double tick : all.major)
            labels->append(QString::fromStdString(view::plot::tickLabel(tick)));
    }

private:
    int m_most;
};

} // namespace

void setUpPlot(QCustomPlot& plot) {
    plot.setFocusPolicy(Qt::NoFocus); // keys belong to the chart
    plot.setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    plot.setNoAntialiasingOnDrag(false);
    plot.setPlottingHint(QCP::phImmediateRefresh, false);
    plot.setPlottingHint(QCP::phCacheLabels, true);
    plot.setMouseTracking(true);
    plot.xAxis->setTicker(QSharedPointer<RoofTicker>::create(view::plot::kMostXTicks));
    plot.yAxis->setTicker(QSharedPointer<RoofTicker>::create(view::plot::kMostYTicks));
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) {
        axis->setScaleType(QCPAxis::stLogarithmic);
        axis->grid()->setSubGridVisible(true);
        axis->grid()->setZeroLinePen(Qt::NoPen);
        axis->setTickLength(0);
        axis->setSubTickLength(0);
        axis->setTickLabelPadding(6);
        axis->setLabelPadding(4);
    }
    plot.axisRect()->setRangeZoomFactor(0.85);
    plot.axisRect()->setMinimumMargins(QMargins(8, 10, 22, 6));

    plot.addLayer(kRoofLayer, plot.layer("main"), QCustomPlot::limAbove);
    plot.addLayer(kPointLayer, plot.layer(kRoofLayer), QCustomPlot::limAbove);
    plot.addLayer(kNoteLayer, plot.layer("overlay"), QCustomPlot::limBelow);
    plot.layer(kNoteLayer)->setMode(QCPLayer::lmBuffered);
}

void stylePlot(QCustomPlot& plot, const ChartStyle& style) {
    plot.setBackground(QBrush(style.panel));
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) {
        axis->setBasePen(QPen(style.grid, 1));
        // Transparent, not NoPen: SVG would show a dot for each.
        axis->setTickPen(QPen(Qt::transparent));
        axis->setSubTickPen(QPen(Qt::transparent));
        axis->setTickLabelColor(style.muted);
        axis->setTickLabelFont(style.small);
        axis->setLabelColor(style.muted);
        axis->setLabelFont(style.small);
        axis->grid()->setPen(QPen(style.grid, 1));
        axis->grid()->setSubGridPen(QPen(style.minorGrid, 1));
    }
}

void labelAxes(QCustomPlot& plot, verdict::Work work, verdict::MemoryLevel level) {
    plot.xAxis->setLabel(QString::fromStdString(view::plot::intensityAxisTitle(work, level)));
    plot.yAxis->setLabel(QString::fromStdString(std::string(view::plot::rateUnit(work))));
}

} // namespace dormer::ui::plot
