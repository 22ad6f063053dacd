// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/verdict/verdict.h"
#include "analysis/view/plot/sweep_plot.h"
#include "ui/plot/chart_style.h"

#include <qcustomplot.h>

#include <optional>
#include <vector>

namespace dormer::ui::sweeps {

/// What the plot shows of one point of a sweep, in the order of SweepTable::points.
struct SweepMark {
    QString name;                        ///< what tells it from the others
    QString hint;                        ///< said on hover
    std::optional<verdict::Bound> bound; ///< absent while no launch of it is known: a grey ring
};

struct SweepPicture {
    view::plot::SweepPlot plot;
    std::vector<SweepMark> marks;
    std::vector<QString> series; ///< names of the lines; empty when there is one
    std::optional<std::size_t> best;
    QString bestLabel;
    QString empty; ///< said when there is nothing to plot
};

/// A metric against a sweep's parameter. Points wear their verdict's colour and shape; the best and the
/// selected one are named. A click or an arrow key chooses a point.
class SweepChart : public QCustomPlot {
    Q_OBJECT
public:
    explicit SweepChart(QWidget* parent = nullptr);

    void setPicture(SweepPicture picture);
    void setSelected(std::optional<std::size_t> point);
    [[nodiscard]] const SweepPicture& picture() const { return m_picture; }
    [[nodiscard]] std::optional<std::size_t> selected() const { return m_selected; }
    /// Where a point's marker is, in this widget's coordinates; absent for a point without a value.
    [[nodiscard]] std::optional<QPointF> positionOf(std::size_t point) const;
    /// What is drawn now goes into a picture file, see writeChartPage().
    [[nodiscard]] QString exportTo(const QString& path, const QString& title, const QString& provenance);

signals:
    void pointChosen(std::size_t point);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    class Labels;
    void restyle();
    void applyStyle(const plot::ChartStyle& style);
    void setUpAxes();
    [[nodiscard]] std::optional<std::size_t> pointAt(QPointF pixel) const;

    SweepPicture m_picture;
    std::optional<std::size_t> m_selected;
    plot::ChartStyle m_style;
};

} // namespace dormer::ui::sweeps
