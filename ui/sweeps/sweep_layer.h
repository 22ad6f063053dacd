// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/view/plot/label_layout.h"
#include "ui/sweeps/sweep_chart.h"

namespace dormer::ui::sweeps {

/// Draws a sweep's lines, markers and names; QCustomPlot supplies axes and export. What it draws is the
/// chart's, which outlives it.
class SweepLayer : public QCPAbstractPlottable {
public:
    SweepLayer(QCustomPlot& plot, const SweepPicture& picture, const std::optional<std::size_t>& selected,
               const plot::ChartStyle& style);

    double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }
    QCPRange getKeyRange(bool& found, QCP::SignDomain) const override;
    QCPRange getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const override;

protected:
    void draw(QCPPainter* painter) override;
    void drawLegendIcon(QCPPainter*, const QRectF&) const override {}

private:
    [[nodiscard]] QPointF pixelOf(const view::plot::SweepSpot& spot) const;
    [[nodiscard]] const view::plot::SweepSpot* spotOf(std::optional<std::size_t> point) const;
    void drawLines(QCPPainter& painter, view::plot::Obstacles& obstacles) const;
    void drawMarkers(QCPPainter& painter, view::plot::Obstacles& obstacles) const;
    void drawNames(QCPPainter& painter, view::plot::Obstacles& obstacles) const;
    void drawHint(QCPPainter& painter) const;

    const SweepPicture& m_picture;
    const std::optional<std::size_t>& m_selected;
    const plot::ChartStyle& m_style;
};

} // namespace dormer::ui::sweeps
