// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/kernels/kernel_table_view.h"

#include "ui/kernels/fitted_table.h"
#include "ui/look/style.h"
#include "ui/look/theme.h"
#include "ui/look/verdict_style.h"
#include "ui/look/words.h"
#include "ui/sessions/session_hub.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <tuple>

namespace dormer::ui::kernels {
namespace {

constexpr int kMarker = 11;

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
}

void KernelTableProxy::setFilter(const sessions::LaunchFilter& filter) {
    m_filter = filter;
    invalidateFilter();
}

bool KernelTableProxy::filterAcceptsRow(int row, const QModelIndex&) const {
    return !m_filter.active() || m_filter.accepts(m_hub.session(), m_model.launchAt(row));
}

bool KernelTableProxy::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const auto column = static_cast<KernelTableModel::Column>(left.column());
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
    connect(m_model, &QAbstractItemModel::rowsInserted, this, [this] {
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

void KernelTableView::setFilter(const sessions::LaunchFilter& filter) {
    m_proxy->setFilter(filter);
    selectFromHub();
    summarise();
}

void KernelTableView::selectFromHub() {
    m_selecting = true;
    const auto selected = m_hub.selected();
    const int row = selected ? m_model->rowOf(*selected) : -1;
    const QModelIndex at =
        row < 0 ? QModelIndex() : m_proxy->mapFromSource(m_model->index(row, KernelTableModel::Name));
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
    if (m_proxy->rowCount() < m_model->rowCount())
        text =
            QStringLiteral("%1 of %2 rows \u00b7 ").arg(m_proxy->rowCount()).arg(m_model->rowCount()) + text;
    m_summary->setText(session.launches().empty() ? QString() : text);
}

} // namespace dormer::ui::kernels
