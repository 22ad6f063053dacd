// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/sweeps/sweep_chart.h"

#include "analysis/view/plot/axis_math.h"
#include "ui/plot/plot_setup.h"
#include "ui/roofline/chart_export.h"
#include "ui/sweeps/sweep_layer.h"

#include <QKeyEvent>
#include <QToolTip>

#include <algorithm>
#include <map>

namespace dormer::ui::sweeps {

using namespace view::plot;

namespace {

constexpr double kReach = 18; ///< pixels around a marker that belong to it
constexpr double kLabelGap = 10;
/// Room at the ends of an axis, as a share of it; above, names of marked points go there.
constexpr double kMargin = 0.06, kHeadroom = 0.12;

} // namespace

/// Names the points along the axis, as far as there is room.
class SweepChart::Labels : public QCPAxisTicker {
public:
    explicit Labels(const SweepChart& chart) : m_chart(chart) {}

    void generate(const QCPRange&, const QLocale&, QChar, int, QVector<double>& ticks,
                  QVector<double>* subTicks, QVector<QString>* labels) override {
        ticks.clear();
        if (subTicks) subTicks->clear();
        if (labels) labels->clear();
        std::map<double, QString> named; // series share an axis
        for (const SweepSpot& spot : m_chart.m_picture.plot.spots)
            named.try_emplace(spot.x, axisName(spot));
        std::vector<double> centres, widths;
        const QFontMetricsF metrics(m_chart.xAxis->tickLabelFont());
        for (const auto& [x, name] : named) {
            centres.push_back(m_chart.xAxis->coordToPixel(x));
            widths.push_back(metrics.horizontalAdvance(name));
        }
        const std::vector<std::size_t> shown = labelsThatFit(centres, widths, kLabelGap);
        // Side by side without an order to read between them, a few names among many nameless points mislead.
        if (!m_chart.m_picture.plot.numeric && shown.size() < named.size()) return;
        for (const std::size_t index : shown) {
            const auto at = std::next(named.begin(), static_cast<std::ptrdiff_t>(index));
            ticks.push_back(at->first);
            if (labels) labels->push_back(at->second);
        }
    }

private:
    [[nodiscard]] QString axisName(const SweepSpot& spot) const {
        if (!m_chart.m_picture.plot.numeric) return m_chart.m_picture.marks[spot.point].name;
        return QString::fromStdString(view::plot::parameterTick(spot.x));
    }

    const SweepChart& m_chart;
};

SweepChart::SweepChart(QWidget* parent) : QCustomPlot(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(QStringLiteral("Sweep chart"));
    setMouseTracking(true);
    setMinimumHeight(140);
    xAxis->setTicker(QSharedPointer<Labels>::create(*this));
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->grid()->setZeroLinePen(Qt::NoPen);
        axis->setTickLength(0);
        axis->setSubTickLength(0);
        axis->setTickLabelPadding(6);
        axis->setLabelPadding(4);
    }
    xAxis->grid()->setVisible(false);
    axisRect()->setMinimumMargins(QMargins(8, 10, 22, 6));
    new SweepLayer(*this, m_picture, m_selected, m_style);
    restyle();
}

void SweepChart::setUpAxes() {
    const auto apply = [](QCPAxis& axis, const view::plot::PlotAxis& range) {
        axis.setScaleType(range.logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
        axis.setRange(range.low, range.high);
    };
    const view::plot::SweepPlot& sweep = m_picture.plot;
    // Side by side, half a step is free at the ends.
    const double side = sweep.numeric ? kMargin : 0.5 / (sweep.x.high - sweep.x.low);
    apply(*xAxis, sweep.x.padded(side, side));
    apply(*yAxis, sweep.y.padded(sweep.y.logarithmic || sweep.y.low < 0 ? kMargin : 0, kHeadroom));
    const auto ticker = QSharedPointer<QCPAxisTickerText>::create();
    for (const double tick : sweep.y.ticks)
        ticker->addTick(tick, QString::fromStdString(view::plot::tickLabel(tick)));
    yAxis->setTicker(ticker);
    for (QCPAxis* axis : {xAxis, yAxis})
        axis->setTickLabels(!sweep.spots.empty());
    xAxis->setLabel(look::words(sweep.xTitle));
    yAxis->setLabel(look::words(sweep.yTitle));
}

void SweepChart::setPicture(SweepPicture picture) {
    m_picture = std::move(picture);
    if (m_selected && *m_selected >= m_picture.marks.size()) m_selected.reset();
    setUpAxes();
    replot(rpQueuedReplot);
}

void SweepChart::setSelected(std::optional<std::size_t> point) {
    if (point == m_selected) return;
    m_selected = point;
    replot(rpQueuedReplot);
}

std::optional<QPointF> SweepChart::positionOf(std::size_t point) const {
    for (const SweepSpot& spot : m_picture.plot.spots)
        if (spot.point == point) return QPointF(xAxis->coordToPixel(spot.x), yAxis->coordToPixel(spot.y));
    return std::nullopt;
}

std::optional<std::size_t> SweepChart::pointAt(QPointF pixel) const {
    std::vector<double> xs, ys;
    for (const SweepSpot& spot : m_picture.plot.spots) {
        xs.push_back(xAxis->coordToPixel(spot.x));
        ys.push_back(yAxis->coordToPixel(spot.y));
    }
    const auto found = nearest(xs, ys, pixel.x(), pixel.y(), kReach);
    if (!found) return std::nullopt;
    return m_picture.plot.spots[*found].point;
}

void SweepChart::mouseMoveEvent(QMouseEvent* event) {
    QCustomPlot::mouseMoveEvent(event);
    const auto point = pointAt(event->position());
    setCursor(point ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (point)
        QToolTip::showText(event->globalPosition().toPoint(), m_picture.marks[*point].hint, this);
    else
        QToolTip::hideText();
}

void SweepChart::mouseReleaseEvent(QMouseEvent* event) {
    QCustomPlot::mouseReleaseEvent(event);
    if (event->button() != Qt::LeftButton) return;
    if (const auto point = pointAt(event->position())) emit pointChosen(*point);
}

void SweepChart::keyPressEvent(QKeyEvent* event) {
    const std::vector<SweepSpot>& spots = m_picture.plot.spots;
    const int step = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (step == 0 || spots.empty()) return QCustomPlot::keyPressEvent(event);
    const auto at =
        std::ranges::find(spots, m_selected, [](const SweepSpot& spot) { return std::optional(spot.point); });
    const auto index =
        at == spots.end() ? (step > 0 ? -1 : static_cast<std::ptrdiff_t>(spots.size())) : at - spots.begin();
    const auto next =
        std::clamp<std::ptrdiff_t>(index + step, 0, static_cast<std::ptrdiff_t>(spots.size()) - 1);
    emit pointChosen(spots[static_cast<std::size_t>(next)].point);
}

void SweepChart::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) restyle();
    QCustomPlot::changeEvent(event);
}

void SweepChart::restyle() {
    applyStyle(plot::chartStyle(palette(), font()));
    replot(rpQueuedReplot);
}

void SweepChart::applyStyle(const plot::ChartStyle& style) {
    m_style = style;
    plot::stylePlot(*this, style);
}

QString SweepChart::exportTo(const QString& path, const QString& title, const QString& provenance) {
    const plot::ChartStyle onScreen = m_style;
    roofline::ChartPage page;
    page.style = plot::lightChartStyle(font());
    page.title = title;
    page.provenance = provenance;
    page.plot = size();
    page.areaIsTime = false;
    applyStyle(page.style);
    QString problem = roofline::writeChartPage(path, page, *this);
    applyStyle(onScreen);
    replot(rpQueuedReplot);
    return problem;
}

} // namespace dormer::ui::sweeps
