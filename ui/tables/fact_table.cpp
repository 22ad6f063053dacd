// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/tables/fact_table.h"

#include "ui/look/theme.h"
#include "ui/look/verdict_style.h"
#include "ui/look/words.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QPainter>
#include <QStyle>
#include <QStyledItemDelegate>

#include <algorithm>
#include <set>

namespace dormer::ui::tables {
namespace {

constexpr int kRowHeight = 3 * look::kGrid;
constexpr int kMarker = 11;
constexpr int kMarkerRoom = 3 * look::kGrid;
constexpr int kPadding = 3 * look::kGrid / 2;
constexpr int kBarHeight = 3;
/// Texts are measured in so many rows, spread over the table.
constexpr int kMeasured = 200;
/// What the wide column gives up to the others, it keeps so much; then the table scrolls sideways.
constexpr int kLeastWide = 14 * look::kGrid;
constexpr int kMostTextWidth = 44 * look::kGrid;

class FactDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const look::Colours& colours = look::coloursFor(option.palette);
        if (index.data(FactModel::MarkedRole).toBool()) painter->fillRect(option.rect, colours.selection);
        QStyleOptionViewItem shifted = option;
        const QVariant bound = index.data(FactModel::BoundRole);
        if (bound.isValid()) {
            if (option.state.testFlag(QStyle::State_Selected))
                painter->fillRect(option.rect, colours.selection);
            shifted.rect.setLeft(option.rect.left() + kMarkerRoom - look::kGrid / 2);
        }
        QStyledItemDelegate::paint(painter, shifted, index);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (bound.isValid()) {
            const QPointF centre(option.rect.left() + kMarkerRoom / 2.0 + 2,
                                 QRectF(option.rect).center().y());
            look::paintVerdict(*painter, centre, static_cast<verdict::Bound>(bound.toInt()), kMarker,
                               look::isDark(option.palette), colours.panel);
        }
        if (const QVariant share = index.data(FactModel::BarRole); share.isValid()) {
            QRectF bar(option.rect.left() + look::kGrid / 2.0, option.rect.bottom() - kBarHeight - 1.0,
                       option.rect.width() - look::kGrid, kBarHeight);
            painter->setPen(Qt::NoPen);
            painter->setBrush(colours.track);
            painter->drawRoundedRect(bar, kBarHeight / 2.0, kBarHeight / 2.0);
            bar.setWidth(std::max<double>(kBarHeight, bar.width() * share.toDouble()));
            painter->setBrush(colours.muted);
            painter->drawRoundedRect(bar, kBarHeight / 2.0, kBarHeight / 2.0);
        }
        painter->restore();
    }

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        option->state &= ~QStyle::State_HasFocus; // the whole row is what is chosen
        if (index.data(FactModel::StrongRole).toBool()) option->font.setWeight(QFont::DemiBold);
        if (index.data(FactModel::EmphasisRole).toInt() == static_cast<int>(view::Emphasis::Bad)) {
            const QColor gain = look::coloursFor(option->palette).gain;
            option->palette.setColor(QPalette::Text, gain);
            option->palette.setColor(QPalette::HighlightedText, gain);
            option->font.setWeight(QFont::DemiBold);
        }
        // The bar lies below the figure.
        if (index.data(FactModel::BarRole).isValid())
            option->rect.setBottom(option->rect.bottom() - kBarHeight);
    }
};

} // namespace

FactTable::FactTable(QWidget* parent) : QTableView(parent), m_sorted(m_facts) {
    setModel(&m_sorted);
    setItemDelegate(new FactDelegate(this));
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setShowGrid(false);
    setWordWrap(false);
    setTextElideMode(Qt::ElideMiddle);
    setCornerButtonEnabled(false);
    setTabKeyNavigation(false);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(kRowHeight);
    QHeaderView* heads = horizontalHeader();
    heads->setHighlightSections(false);
    heads->setFont(look::smallFont(font()));
    heads->setSectionResizeMode(QHeaderView::Interactive);
    heads->setMinimumSectionSize(4 * look::kGrid);
    heads->setSortIndicatorShown(true);
    heads->setSortIndicator(-1, Qt::AscendingOrder); // as it came, until somebody asks for another order
    heads->setSortIndicatorClearable(true);
    setSortingEnabled(true);
    connect(heads, &QHeaderView::sortIndicatorChanged, this, &FactTable::sizeColumns);

    auto* copy = new QAction(QStringLiteral("Copy"), this);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    connect(copy, &QAction::triggered, this, [this] { QApplication::clipboard()->setText(asText()); });
    addAction(copy);
    setContextMenuPolicy(Qt::ActionsContextMenu);

    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& row) {
        if (!m_showing && row.isValid()) emit keyChosen(row.data(FactModel::KeyRole).toString());
    });
}

void FactTable::setTable(view::Table table) {
    const QString kept = currentIndex().data(FactModel::KeyRole).toString();
    m_showing = true;
    m_facts.setTable(std::move(table));
    m_showing = false;
    if (!kept.isEmpty() && !currentIndex().isValid()) showKey(kept);
    sizeColumns();
}

void FactTable::showKey(const QString& key) {
    if (!key.isEmpty() && currentIndex().data(FactModel::KeyRole).toString() == key) return;
    m_showing = true;
    const int row = key.isEmpty() ? -1 : m_facts.rowOf(key);
    const QModelIndex at = row < 0 ? QModelIndex() : m_sorted.mapFromSource(m_facts.index(row, 0));
    if (at.isValid()) {
        selectionModel()->setCurrentIndex(at,
                                          QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        scrollTo(at);
    } else {
        clearSelection();
        setCurrentIndex({});
    }
    m_showing = false;
}

QString FactTable::asText() const {
    std::set<int> rows;
    for (const QModelIndex& index : selectionModel()->selectedRows())
        rows.insert(index.row());
    if (rows.empty())
        for (int row = 0; row < m_sorted.rowCount(); ++row)
            rows.insert(row);
    const auto line = [&](const auto& cell) {
        QStringList cells;
        for (int column = 0; column < m_sorted.columnCount(); ++column)
            cells << cell(column);
        return cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    };
    QString text = line([&](int column) {
        return look::words(view::headText(m_facts.columns()[static_cast<std::size_t>(column)]));
    });
    for (const int row : rows)
        text += line([&](int column) { return m_sorted.index(row, column).data().toString(); });
    return text;
}

void FactTable::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    sizeColumns();
}

int FactTable::headWidth(int column) const {
    const QHeaderView& head = *horizontalHeader();
    const int width = head.sectionSizeHint(column);
    // Qt reserves room for the arrow of the order in every column; one has it.
    if (!head.isSortIndicatorShown() || head.sortIndicatorSection() == column) return width;
    return width - style()->pixelMetric(QStyle::PM_HeaderMarkSize, nullptr, &head) -
           style()->pixelMetric(QStyle::PM_HeaderMargin, nullptr, &head);
}

void FactTable::sizeColumns() {
    const int count = m_facts.columnCount();
    if (count == 0) return;
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    const QFontMetrics metrics(strong);
    std::vector<int> widths(static_cast<std::size_t>(count));
    const auto& rows = m_facts.rows();
    const std::size_t stride = std::max<std::size_t>(1, rows.size() / kMeasured);
    int sum = 0;
    for (int column = 0; column < count; ++column) {
        const auto at = static_cast<std::size_t>(column);
        int width = 0;
        for (std::size_t row = 0; row < rows.size(); row += stride)
            width = std::max(width, metrics.horizontalAdvance(look::words(rows[row].cells[at].text)));
        widths[at] = std::max({std::min(width, kMostTextWidth) + kPadding,
                               horizontalHeader()->minimumSectionSize(), headWidth(column)});
        if (column == 0 && !rows.empty() && rows.front().bound) widths[at] += kMarkerRoom;
        sum += widths[at];
    }
    int left = viewport()->width() - sum;
    if (m_wide >= 0 && m_wide < count) {
        // Other texts give way, as far as need be, before the wide column has no room.
        const int most = std::max(kLeastWide, viewport()->width() / 5);
        for (int column = 0; column < count && left < 0; ++column) {
            int& width = widths[static_cast<std::size_t>(column)];
            if (column == m_wide || m_facts.columns()[static_cast<std::size_t>(column)].numeric ||
                width <= most)
                continue;
            const int given = std::min(width - most, -left);
            left += given;
            width -= given;
        }
        int& wide = widths[static_cast<std::size_t>(m_wide)];
        wide = std::max(std::min(wide, kLeastWide), wide + left);
    } else if (left > 0)
        for (int column = 0; column < count; ++column)
            widths[static_cast<std::size_t>(column)] += left * (column + 1) / count - left * column / count;
    for (int column = 0; column < count; ++column)
        setColumnWidth(column, widths[static_cast<std::size_t>(column)]);
}

} // namespace dormer::ui::tables
