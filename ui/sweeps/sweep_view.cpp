// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/sweeps/sweep_view.h"

#include "analysis/metrics/workload_facts.h"
#include "analysis/view/plot/sweep_words.h"
#include "ui/look/style.h"
#include "ui/look/theme.h"
#include "ui/look/words.h"
#include "ui/plot/export_button.h"
#include "ui/sessions/session_hub.h"
#include "ui/sessions/workload_launches.h"

#include <QElapsedTimer>
#include <QHBoxLayout>
#include <QLabel>
#include <QMessageBox>
#include <QSignalBlocker>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace dormer::ui::sweeps {
namespace {

constexpr int kGatherMs = 60;
constexpr int kWidestChoice = 40 * look::kGrid;
/// A table of more columns than this goes below the plot.
constexpr int kMostColumnsBeside = 4;
/// Of the plot and the table, whichever way they lie.
const QList<int> kShares{570, 430};

QString titleOf(const session::Sweep& sweep) {
    return look::words(sweep.title.empty() ? sweep.name : sweep.title);
}

/// Keeps what is chosen when the choices are made anew. True when the choice had to change.
void refill(QComboBox& box, const std::vector<std::array<QString, 3>>& choices) {
    bool same = static_cast<std::size_t>(box.count()) == choices.size();
    for (int i = 0; same && i < box.count(); ++i)
        same = box.itemData(i).toString() == choices[static_cast<std::size_t>(i)][1];
    if (same) return;
    const QSignalBlocker quiet(box);
    const QString chosen = box.currentData().toString();
    box.clear();
    for (const auto& [title, data, hint] : choices) {
        box.addItem(title, data);
        box.setItemData(box.count() - 1, hint, Qt::ToolTipRole);
    }
    box.setCurrentIndex(std::max(0, box.findData(chosen)));
    box.updateGeometry();
}

} // namespace

SweepView::SweepView(sessions::SessionHub& hub, QWidget* parent)
    : QWidget(parent)
    , m_hub(hub)
    , m_sweep(new look::PillCombo)
    , m_metric(new look::PillCombo)
    , m_best(new QLabel)
    , m_parts(new QSplitter(Qt::Horizontal))
    , m_chart(new SweepChart)
    , m_table(new tables::FactTable) {
    m_sweep->setObjectName("sweep");
    m_sweep->setAccessibleName("Sweep");
    m_metric->setObjectName("sweepMetric");
    m_metric->setAccessibleName("Metric");
    for (QComboBox* box : {m_sweep, m_metric})
        box->setMaximumWidth(kWidestChoice);
    m_best->setObjectName("muted");
    m_best->setToolTip("By the first metric of the sweep");
    m_best->setWordWrap(true);
    m_table->setObjectName("sweepPoints");
    m_table->setAccessibleName("Points of the sweep");

    auto* save = new plot::ExportButton;
    auto* head = new QHBoxLayout;
    head->setSpacing(look::kGrid);
    head->addWidget(m_sweep);
    head->addWidget(m_metric);
    head->addStretch();
    head->addWidget(save);
    m_parts->addWidget(m_chart);
    m_parts->addWidget(m_table);
    m_parts->setSizes(kShares);
    m_parts->setChildrenCollapsible(false);
    m_parts->setHandleWidth(look::kGrid);
    m_table->setMinimumSize(16 * look::kGrid, 9 * look::kGrid);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, look::kGrid / 2);
    layout->setSpacing(look::kGrid / 2);
    layout->addLayout(head);
    layout->addWidget(m_best);
    layout->addWidget(m_parts, 1);

    m_timer.setSingleShot(true);
    m_timer.setInterval(kGatherMs);
    connect(&m_timer, &QTimer::timeout, this, &SweepView::flush);
    const auto later = [this] {
        if (!m_timer.isActive()) m_timer.start();
    };
    connect(&hub, &sessions::SessionHub::launchChanged, this, [this, later] {
        if (!m_hub.session().sweeps().empty()) later();
    });
    connect(&hub, &sessions::SessionHub::suiteChanged, this, later);
    connect(&hub, &sessions::SessionHub::contextChanged, this, later);
    connect(&hub, &sessions::SessionHub::sessionReset, this, &SweepView::flush);
    connect(&hub, &sessions::SessionHub::selectionChanged, this, &SweepView::selectFromHub);
    connect(m_sweep, &QComboBox::currentIndexChanged, this, [this] {
        fillMetrics();
        showTable();
        showPlot();
    });
    connect(m_metric, &QComboBox::currentIndexChanged, this, &SweepView::showPlot);
    connect(m_chart, &SweepChart::pointChosen, this, &SweepView::selectIntoHub);
    connect(m_table, &tables::FactTable::keyChosen, this, [this](const QString& workload) {
        const metrics::SweepTable* table = current();
        if (table == nullptr) return;
        const auto point =
            std::ranges::find(table->points, workload.toStdString(), &metrics::SweepPoint::workload);
        if (point != table->points.end())
            selectIntoHub(static_cast<std::size_t>(point - table->points.begin()));
    });
    connect(save, &plot::ExportButton::exportWanted, this, &SweepView::askForExport);
    flush();
}

const metrics::SweepTable* SweepView::current() const {
    const auto found = std::ranges::find(m_tables, m_sweep->currentData().toString().toStdString(),
                                         [](const metrics::SweepTable& table) { return table.sweep.name; });
    return found == m_tables.end() ? nullptr : &*found;
}

std::size_t SweepView::metric() const {
    return static_cast<std::size_t>(std::max(0, m_metric->currentIndex()));
}

void SweepView::choose(const QString& sweep) {
    if (const int at = m_sweep->findData(sweep); at >= 0) m_sweep->setCurrentIndex(at);
}

void SweepView::flush() {
    QElapsedTimer cost;
    cost.start();
    m_timer.stop();
    const std::size_t before = m_tables.size();
    m_tables = metrics::sweepTables(m_hub.metrics());
    m_launches = m_tables.empty() ? decltype(m_launches)() : sessions::launchesOfWorkloads(m_hub.diagnosis());
    fillSweeps();
    fillMetrics();
    showTable();
    showPlot();
    if (m_tables.size() != before) emit sweepCountChanged();
    // Never more than a fifth of the time, however large the session is.
    m_timer.setInterval(std::max(kGatherMs, static_cast<int>(4 * cost.elapsed())));
}

void SweepView::fillSweeps() {
    std::vector<std::array<QString, 3>> choices;
    for (const metrics::SweepTable& table : m_tables)
        choices.push_back(
            {titleOf(table.sweep), look::words(table.sweep.name), look::words(table.sweep.name)});
    refill(*m_sweep, choices);
    m_sweep->setToolTip(m_sweep->currentData().toString());
}

void SweepView::fillMetrics() {
    std::vector<std::array<QString, 3>> choices;
    if (const metrics::SweepTable* table = current())
        for (const std::string& name : table->sweep.metrics)
            choices.push_back(
                {look::words(metrics::metricTitle(name)), look::words(name), look::words(name)});
    refill(*m_metric, choices);
    m_metric->setVisible(m_metric->count() > 1);
    m_sweep->setToolTip(m_sweep->currentData().toString());
}

std::optional<verdict::Bound> SweepView::boundOf(const metrics::SweepPoint& point) const {
    const auto launch = m_launches.find(point.workload);
    if (launch == m_launches.end()) return std::nullopt;
    return m_hub.verdict(launch->second).bound;
}

void SweepView::showPlot() {
    const metrics::SweepTable* table = current();
    SweepPicture picture;
    m_best->setText(table ? look::words(view::plot::bestText(*table)) : QString());
    m_best->setVisible(!m_best->text().isEmpty());
    if (table == nullptr) return m_chart->setPicture({});
    picture.plot = view::plot::sweepPlot(*table, metric());
    picture.best = table->best;
    picture.bestLabel = look::words(view::plot::bestLabel(*table));
    picture.empty = look::words(view::plot::whyNoPlot(*table, metric()));
    for (const std::string& series : table->series)
        picture.series.push_back(look::words(series));
    for (const metrics::SweepPoint& point : table->points)
        picture.marks.push_back({.name = look::words(view::plot::shortPointText(*table, point)),
                                 .hint = look::words(view::plot::pointTip(*table, point))
                                             .toHtmlEscaped()
                                             .replace(QLatin1Char('\n'), QStringLiteral("<br>")),
                                 .bound = boundOf(point)});
    m_chart->setPicture(std::move(picture));
    markSelected();
}

void SweepView::showTable() {
    const metrics::SweepTable* table = current();
    if (table == nullptr) return m_table->setTable({});
    view::Table cells = view::plot::sweepTable(*table);
    for (std::size_t i = 0; i < table->points.size(); ++i)
        cells.rows[i].bound = boundOf(table->points[i]).value_or(verdict::Bound::Unknown);
    arrange(static_cast<int>(cells.columns.size()) > kMostColumnsBeside ? Qt::Vertical : Qt::Horizontal);
    m_table->setTable(std::move(cells));
}

void SweepView::arrange(Qt::Orientation orientation) {
    if (m_parts->orientation() == orientation) return;
    m_parts->setOrientation(orientation);
    m_parts->setSizes(kShares);
}

void SweepView::selectFromHub() {
    const std::string workload = selectedWorkload();
    const auto holds = [&](const metrics::SweepTable& table) {
        return std::ranges::find(table.points, workload, &metrics::SweepPoint::workload) !=
               table.points.end();
    };
    // A point of another sweep brings that one up; which the user may then leave for any other.
    if (!workload.empty() && current() != nullptr && !holds(*current())) {
        const auto other = std::ranges::find_if(m_tables, holds);
        if (other != m_tables.end()) choose(look::words(other->sweep.name));
    }
    markSelected();
}

void SweepView::markSelected() {
    const std::string workload = selectedWorkload();
    std::optional<std::size_t> point;
    if (const metrics::SweepTable* table = current(); table != nullptr && !workload.empty()) {
        const auto found = std::ranges::find(table->points, workload, &metrics::SweepPoint::workload);
        if (found != table->points.end()) point = static_cast<std::size_t>(found - table->points.begin());
    }
    m_chart->setSelected(point);
    m_table->showKey(point ? look::words(workload) : QString());
}

std::string SweepView::selectedWorkload() const {
    const auto selected = m_hub.selected();
    return selected ? m_hub.session().launch(*selected).workload : std::string();
}

void SweepView::selectIntoHub(std::size_t point) {
    const metrics::SweepTable* table = current();
    if (table == nullptr || point >= table->points.size()) return;
    const std::string& workload = table->points[point].workload;
    // Another launch of the same workload may be the selected one already: it stays.
    if (const auto selected = m_hub.selected();
        selected && m_hub.session().launch(*selected).workload == workload)
        return;
    const auto launch = m_launches.find(workload);
    if (launch != m_launches.end()) return m_hub.select(launch->second);
    // Of transfers alone there is no launch to select; the point is marked here only.
    m_chart->setSelected(point);
    m_table->showKey(look::words(workload));
}

QString SweepView::exportTo(const QString& path) const {
    const metrics::SweepTable* table = current();
    if (table == nullptr) return QStringLiteral("there is no sweep to export");
    return m_chart->exportTo(
        path, titleOf(table->sweep) + QStringLiteral(" (%1)").arg(look::words(table->sweep.name)),
        look::words(session::provenance(m_hub.session())));
}

void SweepView::askForExport(const QString& ending) {
    const QString name = m_sweep->currentData().toString().replace(QLatin1Char('/'), QLatin1Char('-'));
    const QString path = plot::askPicturePath(this, name, ending);
    if (path.isEmpty()) return;
    const QString problem = exportTo(path);
    if (!problem.isEmpty()) QMessageBox::warning(this, QStringLiteral("Dormer"), problem);
}

} // namespace dormer::ui::sweeps
