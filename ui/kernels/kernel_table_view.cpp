// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/kernels/kernel_table_view.h"

#include "analysis/metrics/format.h"
#include "analysis/view/text_table.h"
#include "ui/kernels/fitted_table.h"
#include "ui/kernels/table_text.h"
#include "ui/look/definition.h"
#include "ui/look/style.h"
#include "ui/look/theme.h"
#include "ui/look/verdict_style.h"
#include "ui/look/words.h"
#include "ui/sessions/session_hub.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QSettings>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <tuple>

namespace dormer::ui::kernels {
namespace {

constexpr int kMarker = 11;
/// Of a cell that is copied; more loses its middle.
constexpr std::size_t kMostCopiedColumns = 400;
const QString kColumnsKey = QStringLiteral("kernelColumns");

/// Draws the verdict's marker, and what is to be gained in vermilion.
class KernelDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        if (index.column() != KernelTableModel::Marker) return;
        const auto bound = static_cast<verdict::Bound>(index.data(KernelTableModel::BoundRole).toInt());
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        look::paintVerdict(*painter, QRectF(option.rect).center(), bound, kMarker,
                           look::isDark(option.palette), option.palette.color(QPalette::Base));
        painter->restore();
    }

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        option->textElideMode = index.column() == KernelTableModel::Name ? Qt::ElideMiddle : Qt::ElideNone;
        option->state &= ~QStyle::State_HasFocus; // the whole row is what is selected
        if (index.column() == KernelTableModel::Name && option->state.testFlag(QStyle::State_Selected))
            option->font.setWeight(QFont::DemiBold);
        if (index.data(KernelTableModel::EmphasisRole).toInt() != static_cast<int>(view::Emphasis::Bad))
            return;
        const QColor gain = look::coloursFor(option->palette).gain;
        option->palette.setColor(QPalette::Text, gain);
        option->palette.setColor(QPalette::HighlightedText, gain);
        option->font.setWeight(QFont::DemiBold);
    }
};

} // namespace

KernelTableProxy::KernelTableProxy(sessions::SessionHub& hub, KernelTableModel& model, QObject* parent)
    : QSortFilterProxyModel(parent), m_hub(hub), m_model(model) {
    setDynamicSortFilter(false);
    setSourceModel(&model);
    connect(&hub, &sessions::SessionHub::sessionReset, this, [this] { m_filter.forget(); });
    // Numbers that an expression compares come in after the launch did.
    connect(&model, &QAbstractItemModel::dataChanged, this, [this] {
        if (m_filter.dependsOnNumbers()) invalidateFilter();
    });
}

void KernelTableProxy::setFilter(const sessions::LaunchFilter& filter) {
    m_filter = filter;
    invalidateFilter();
}

bool KernelTableProxy::filterAcceptsRow(int row, const QModelIndex&) const {
    return !m_filter.active() || m_filter.accepts(m_hub.diagnosis(), m_model.launchAt(row));
}

bool KernelTableProxy::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const int column = left.column();
    if (column == KernelTableModel::Name)
        return QString::localeAwareCompare(left.data(KernelTableModel::SortRole).toString(),
                                           right.data(KernelTableModel::SortRole).toString()) < 0;
    const auto a = m_model.number(left.row(), column);
    const auto b = m_model.number(right.row(), column);
    if (!a || !b) {
        if (a.has_value() == b.has_value()) return false;
        return (sortOrder() == Qt::AscendingOrder) == a.has_value();
    }
    return *a < *b;
}

KernelTableView::KernelTableView(sessions::SessionHub& hub, QWidget* parent)
    : QWidget(parent)
    , m_hub(hub)
    , m_model(new KernelTableModel(hub, this))
    , m_proxy(new KernelTableProxy(hub, *m_model, this))
    , m_table(new FittedTable(*m_model))
    , m_head(new QWidget(this))
    , m_summary(new look::WholeLabel)
    , m_choice(new look::PillCombo) {
    m_summary->setObjectName("muted");
    auto* head = new QHBoxLayout(m_head);
    head->setContentsMargins(0, look::kGrid / 4, 0, 0);
    head->setSpacing(look::kGrid);
    using Grouping = KernelTableModel::Grouping;
    const std::tuple<Grouping, const char*, const char*> choices[] = {
        {Grouping::ByKernel, "by kernel", "One row for launches of the same kernel and configuration"},
        {Grouping::ByProcess, "by process", "The same for each process"},
        {Grouping::ByNvtx, "by NVTX range", "The same for each NVTX range"},
        {Grouping::ByStream, "by stream", "The same for each stream"},
        {Grouping::AllLaunches, "all launches", "One row for each launch, in launch order"}};
    for (const auto& [grouping, text, hint] : choices) {
        m_choice->addItem(text, static_cast<int>(grouping));
        m_choice->setItemData(m_choice->count() - 1, hint, Qt::ToolTipRole);
    }
    m_choice->setObjectName("grouping");
    m_choice->setAccessibleName("Rows of the table");
    m_choice->setToolTip("What makes a row of the table");
    connect(m_choice, &QComboBox::currentIndexChanged, this,
            [this] { m_model->setGrouping(static_cast<Grouping>(m_choice->currentData().toInt())); });
    head->addWidget(m_choice);
    head->addWidget(m_summary, 1);

    m_table->setObjectName("kernels");
    m_table->setAccessibleName("Kernels");
    m_table->setModel(m_proxy);
    m_table->setItemDelegate(new KernelDelegate(m_table));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setCornerButtonEnabled(false);
    m_table->setTabKeyNavigation(false);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    QHeaderView* columns = m_table->horizontalHeader();
    columns->setHighlightSections(false);
    columns->setSortIndicatorShown(true);
    columns->setSortIndicator(-1, Qt::AscendingOrder); // as launched, until somebody asks for another order
    columns->setSortIndicatorClearable(true);
    m_table->setSortingEnabled(true);
    columns->setSectionResizeMode(QHeaderView::Interactive);
    columns->setSectionResizeMode(KernelTableModel::Marker, QHeaderView::Fixed);
    columns->setMinimumSectionSize(4 * look::kGrid);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_table);

    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &KernelTableView::selectIntoHub);
    connect(&hub, &sessions::SessionHub::selectionChanged, this, &KernelTableView::selectFromHub);
    addActions();
    setMetrics(QSettings().value(kColumnsKey).toStringList());
    connect(m_model, &QAbstractItemModel::rowsInserted, this, [this] {
        if (!m_metrics.isEmpty()) showExtras(); // another unit may suit them now
        fit();
        // A launch may be selected before the table has its row.
        if (m_hub.selected() && !m_table->currentIndex().isValid()) selectFromHub();
    });
    connect(m_model, &QAbstractItemModel::dataChanged, this, &KernelTableView::summarise);
    connect(m_model, &QAbstractItemModel::headerDataChanged, this, &KernelTableView::fit); // another unit
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] {
        fit();
        selectFromHub();
    });
    fit();
}

void KernelTableView::fit() {
    m_table->fitColumns();
    summarise();
}

void KernelTableView::addActions() {
    const auto add = [this](const char* text, auto made, const QKeySequence& keys = {}) {
        auto* action = new QAction(QString::fromLatin1(text), m_table);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetShortcut);
        connect(action, &QAction::triggered, this,
                [this, made] { QApplication::clipboard()->setText((this->*made)()); });
        m_table->addAction(action);
    };
    add("Copy table as Markdown", &KernelTableView::asMarkdown,
        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C));
    add("Copy table as CSV", &KernelTableView::asCsv, QKeySequence::Copy);
    auto* explain = new QAction("Explain this number", m_table);
    explain->setShortcut(Qt::SHIFT | Qt::Key_F1);
    explain->setShortcutContext(Qt::WidgetShortcut);
    connect(explain, &QAction::triggered, this, &KernelTableView::askForExplanation);
    m_table->addAction(explain);
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_table->horizontalHeader()->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_table->horizontalHeader(), &QWidget::customContextMenuRequested, this,
            &KernelTableView::offerColumns);
    auto* columns = new QPushButton("Columns");
    columns->setObjectName("segment");
    columns->setProperty("offer", "columns");
    columns->setToolTip("Adds metrics of the catalogue to the table");
    connect(columns, &QPushButton::clicked, this, [this] { offerColumns({}); });
    m_head->layout()->addWidget(columns);
}

void KernelTableView::askForExplanation() {
    const QModelIndex at = m_table->currentIndex();
    if (!at.isValid()) return;
    const view::Column column = m_model->headAt(at.column());
    if (!column.metric.empty())
        return emit explanationAsked(QStringLiteral("metric:") + look::words(column.metric));
    // Names, markers and savings rest on the verdict.
    const auto bound =
        static_cast<verdict::Bound>(at.siblingAtColumn(0).data(KernelTableModel::BoundRole).toInt());
    emit explanationAsked(QStringLiteral("verdict:") + look::words(verdict::toString(bound)));
}

void KernelTableView::offerColumns(const QPoint& at) {
    auto* menu = new QMenu(this);
    menu->setObjectName("columns");
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    menu->setStyleSheet("QMenu { menu-scrollable: 1; }");
    const int section = at.isNull() ? -1 : m_table->horizontalHeader()->logicalIndexAt(at);
    if (const view::Column column = section < 0 ? view::Column() : m_model->headAt(section);
        !column.metric.empty()) {
        const QString metric = look::words(column.metric);
        menu->addAction(QStringLiteral("Explain %1").arg(metric), this,
                        [this, metric] { emit explanationAsked(QStringLiteral("metric:") + metric); });
        menu->addSeparator();
    }
    for (const metrics::Metric& metric : metrics::metricCatalogue()) {
        const QString name = look::words(metric.name);
        QAction* action = menu->addAction(name);
        action->setCheckable(true);
        action->setChecked(m_metrics.contains(name));
        action->setToolTip(look::definitionOf(metric.name));
        connect(action, &QAction::toggled, this, [this, name](bool on) {
            QStringList names = m_metrics;
            if (on)
                names << name;
            else
                names.removeAll(name);
            setMetrics(names);
        });
    }
    menu->popup(m_table->horizontalHeader()->mapToGlobal(at));
}

void KernelTableView::setComparison(std::vector<ExtraColumn> columns) {
    m_comparison = std::move(columns);
    showExtras();
}

void KernelTableView::setMetrics(const QStringList& names) {
    m_metrics.clear();
    for (const QString& name : names)
        if (metrics::findMetric(name.toStdString()) != nullptr) m_metrics << name;
    QSettings().setValue(kColumnsKey, m_metrics);
    showExtras();
}

void KernelTableView::showExtras() {
    std::vector<ExtraColumn> columns = m_comparison;
    for (const QString& name : m_metrics)
        columns.push_back(metricColumn(m_hub, *metrics::findMetric(name.toStdString())));
    m_model->setExtras(std::move(columns));
}

QString KernelTableView::asMarkdown() const {
    const view::TextCells cells = view::textCells(shownTable(*m_table), "", kMostCopiedColumns);
    return look::words(view::markdownTable(cells.columns, cells.rows));
}

QString KernelTableView::asCsv() const {
    return csvText(shownTable(*m_table));
}

void KernelTableView::setFilter(const sessions::LaunchFilter& filter) {
    m_proxy->setFilter(filter);
    selectFromHub();
    summarise();
}

void KernelTableView::selectFromHub() {
    m_selecting = true;
    const auto selected = m_hub.selected();
    const int row = selected ? m_model->rowOf(*selected) : -1;
    // The cursor stays in its column: what it is on can be explained.
    const QModelIndex now = m_table->currentIndex();
    const int column = now.isValid() ? now.column() : KernelTableModel::Name;
    const QModelIndex at = row < 0 ? QModelIndex() : m_proxy->mapFromSource(m_model->index(row, column));
    if (at.isValid()) {
        m_table->selectionModel()->setCurrentIndex(at, QItemSelectionModel::ClearAndSelect |
                                                           QItemSelectionModel::Rows);
        m_table->scrollTo(at);
    } else {
        m_table->clearSelection();
        m_table->setCurrentIndex({});
    }
    m_selecting = false;
}

void KernelTableView::selectIntoHub() {
    if (m_selecting) return;
    const QModelIndex current = m_table->currentIndex();
    if (!current.isValid()) return;
    const int row = m_proxy->mapToSource(current).row();
    // A launch inside the group may be the selected one already: it stays.
    if (m_hub.selected() && m_model->rowOf(*m_hub.selected()) == row) return;
    m_hub.select(m_model->launchAt(row));
}

void KernelTableView::summarise() {
    const session::Session& session = m_hub.session();
    QString text = look::words(view::launchTotals(m_hub.diagnosis(), m_model->totalNs()));
    if (m_proxy->rowCount() < m_model->rowCount()) {
        double shownNs = 0;
        for (int row = 0; row < m_proxy->rowCount(); ++row)
            shownNs +=
                m_model->number(m_proxy->mapToSource(m_proxy->index(row, 0)).row(), KernelTableModel::Time)
                    .value_or(0);
        text = QStringLiteral("%1 of %2 rows, %3 \u00b7 ")
                   .arg(m_proxy->rowCount())
                   .arg(m_model->rowCount())
                   .arg(look::words(metrics::forPeople(shownNs, metrics::Unit::Nanoseconds))) +
               text;
    }
    m_summary->setText(session.launches().empty() ? QString() : text);
}

} // namespace dormer::ui::kernels
