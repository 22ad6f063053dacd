// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/sweeps/sweep_view.h"

#include "ui/look/kernel_columns.h"
#include "ui/look/metric_words.h"
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
const QString kDot = QStringLiteral(" \u00b7 ");

std::vector<double> valuesOf(const metrics::SweepTable& table, std::size_t metric) {
    std::vector<double> values;
    for (const metrics::SweepPoint& point : table.points)
        if (metric < point.values.size() && point.values[metric]) values.push_back(*point.values[metric]);
    return values;
}

look::NumberScale scaleOf(const metrics::SweepTable& table, std::size_t metric) {
    return look::scaleFor(look::wordsOf(table.sweep.metrics[metric]).unit, valuesOf(table, metric));
}

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
    m_table->setObjectName("sweepPoints");
    m_table->setAccessibleName("Points of the sweep");

    auto* save = new plot::ExportButton;
    auto* head = new QHBoxLayout;
    head->setSpacing(look::kGrid);
    head->addWidget(m_sweep);
    head->addWidget(m_metric);
    head->addStretch();
    head->addWidget(m_best);
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
    if (const metrics::SweepTable* table = current()) {
        for (const std::string& name : table->sweep.metrics) {
            const look::MetricWords known = look::wordsOf(name);
            choices.push_back({known.title, look::words(name), known.hint});
        }
    }
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
    if (table == nullptr || metric() >= table->sweep.metrics.size()) {
        m_best->clear();
        return m_chart->setPicture({});
    }
    const std::string& name = table->sweep.metrics[metric()];
    const look::MetricWords known = look::wordsOf(name);
    const look::NumberScale scale = scaleOf(*table, metric());
    picture.layout = layOut(*table, metric(), scale.factor);
    picture.best = table->best;
    picture.yTitle = scale.titled(known.title);
    picture.empty = QStringLiteral("%1 was not collected").arg(known.title);
    for (const std::string& series : table->series)
        picture.series.push_back(look::words(series));
    QStringList parameters;
    for (const std::string& parameter : table->sweep.parameters)
        parameters << look::words(parameter);
    picture.xTitle =
        table->axis ? parameters.value(static_cast<qsizetype>(*table->axis)) : parameters.join(kDot);
    for (const metrics::SweepPoint& point : table->points) {
        SweepMark mark{.name = look::words(nameOf(point)), .hint = {}, .bound = boundOf(point)};
        mark.hint = QStringLiteral("<b>%1</b>").arg(look::words(point.workload).toHtmlEscaped());
        for (std::size_t i = 0; i < table->sweep.metrics.size(); ++i) {
            const auto& value = point.values[i];
            const look::NumberScale own = scaleOf(*table, i);
            mark.hint += QStringLiteral("<br>%1: %2")
                             .arg(look::wordsOf(table->sweep.metrics[i]).title.toHtmlEscaped(),
                                  value ? own.text(*value) + QLatin1Char(' ') + own.unit : look::dash());
        }
        picture.marks.push_back(std::move(mark));
    }
    QString best;
    if (table->best) {
        best = QStringLiteral("best: %1").arg(picture.marks[*table->best].name);
        if (const auto gain = metrics::gainOfBest(*table))
            best += QStringLiteral(", \u00d7%1 over the worst")
                        .arg(look::fixed(gain->overWorst, gain->overWorst < 10 ? 2 : 0));
    }
    m_best->setText(best);
    m_chart->setPicture(std::move(picture));
    markSelected();
}

void SweepView::showTable() {
    const metrics::SweepTable* table = current();
    if (table == nullptr) return m_table->setTable({}, {});
    std::vector<tables::FactColumn> columns;
    for (std::size_t i = 0; i < table->sweep.parameters.size(); ++i) {
        const bool number = table->axis == i || std::ranges::all_of(table->points, [&](const auto& point) {
                                bool ok = false;
                                look::words(point.parameters[i]).toDouble(&ok);
                                return ok;
                            });
        columns.push_back({look::words(table->sweep.parameters[i]), {}, number, !table->numeric});
    }
    std::vector<look::NumberScale> scales;
    for (std::size_t i = 0; i < table->sweep.metrics.size(); ++i) {
        const look::MetricWords known = look::wordsOf(table->sweep.metrics[i]);
        scales.push_back(scaleOf(*table, i));
        columns.push_back({scales.back().titled(known.title), known.hint, true});
    }
    std::vector<tables::FactRow> rows;
    for (std::size_t p = 0; p < table->points.size(); ++p) {
        const metrics::SweepPoint& point = table->points[p];
        tables::FactRow row{.cells = {},
                            .key = look::words(point.workload),
                            .bound = boundOf(point).value_or(verdict::Bound::Unknown),
                            .strong = table->best == p};
        for (std::size_t i = 0; i < point.parameters.size(); ++i) {
            const QString text = look::words(point.parameters[i]);
            tables::FactCell cell{.text = text, .hint = look::words(point.workload)};
            if (columns[i].numeric) cell.number = text.toDouble();
            row.cells.push_back(std::move(cell));
        }
        for (std::size_t i = 0; i < point.values.size(); ++i) {
            const auto& value = point.values[i];
            row.cells.push_back({.text = value ? scales[i].text(*value) : look::dash(),
                                 .number = value,
                                 .hint = value ? QString() : QStringLiteral("not collected")});
        }
        rows.push_back(std::move(row));
    }
    arrange(static_cast<int>(columns.size()) > kMostColumnsBeside ? Qt::Vertical : Qt::Horizontal);
    m_table->setTable(std::move(columns), std::move(rows));
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
