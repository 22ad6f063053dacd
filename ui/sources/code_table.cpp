// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/sources/code_table.h"

#include "ui/look/theme.h"
#include "ui/look/verdict_style.h"

#include <QEvent>
#include <QFontDatabase>
#include <QHeaderView>
#include <QPainter>
#include <QScrollBar>
#include <QSet>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace dormer::ui::sources {
namespace {

constexpr int kPadding = look::kGrid / 2;
constexpr int kStripe = 3;
/// Name of the table beside the source.
const QLatin1String kInstructions("machineCode");
/// Characters of a line of code that must have room.
constexpr int kLeastText = 30;
constexpr double kLeastTint = 0.10, kMostTint = 0.5, kMostTintContrast = 0.4;

QColor mixed(const QColor& ground, const QColor& colour, double share) {
    const auto mix = [share](int a, int b) { return static_cast<int>(a + (b - a) * share); };
    return {mix(ground.red(), colour.red()), mix(ground.green(), colour.green()),
            mix(ground.blue(), colour.blue())};
}

/// Vermilion marks what is to be gained; traffic that nothing is wasted of is no fault.
QColor hue(Heat heat, const look::Colours& colours) {
    const bool dark = colours.dark;
    switch (heat) {
    case Heat::Waste:
        return look::verdictColor(verdict::Bound::Compute, dark);
    case Heat::Traffic:
        return look::verdictColor(verdict::Bound::Memory, dark);
    case Heat::Stalls:
        return look::verdictColor(verdict::Bound::Latency, dark);
    case Heat::Instructions:
        break;
    }
    return colours.muted;
}

/// Paints all of a row; the text begins where the bar below says.
class CodeDelegate : public QStyledItemDelegate {
public:
    CodeDelegate(const QScrollBar& shift, QObject* parent) : QStyledItemDelegate(parent), m_shift(shift) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const look::Colours& colours = look::coloursFor(option.palette);
        const bool chosen = option.state.testFlag(QStyle::State_Selected);
        const bool marked = index.data(CodeModel::MarkedRole).toBool();
        if (chosen || marked) painter->fillRect(option.rect, colours.selection);
        const auto kind = static_cast<Heat>(index.data(CodeModel::KindRole).toInt());
        const double heat = index.data(CodeModel::HeatRole).toDouble();
        if (index.column() == CodeModel::Share && heat > 0) {
            painter->fillRect(option.rect, heatColour(heat, kind, colours));
            painter->fillRect(QRect(option.rect.left(), option.rect.top(), kStripe, option.rect.height()),
                              mixed(colours.panel, hue(kind, colours), std::min(1.0, 0.3 + heat)));
        }
        const bool isText = index.column() == CodeModel::Text;
        const bool isReason = index.column() == CodeModel::StallReason;
        painter->save();
        painter->setClipRect(option.rect);
        painter->setFont(option.font);
        painter->setPen(isText || index.column() == CodeModel::Share || heat > 0 ? colours.text
                                                                                 : colours.muted);
        if (index.column() == CodeModel::Number) painter->setPen(chosen ? colours.text : colours.muted);
        const QRect inside = option.rect.adjusted(kPadding, 0, -kPadding, 0);
        if (isText)
            painter->drawText(
                QRect(inside.left() + kPadding - m_shift.value(), inside.top(), 1 << 20, inside.height()),
                Qt::AlignLeft | Qt::AlignVCenter, index.data().toString());
        else
            painter->drawText(inside, (isReason ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter,
                              index.data().toString());
        painter->restore();
    }

private:
    const QScrollBar& m_shift;
};

} // namespace

QColor heatColour(double share, Heat heat, const look::Colours& colours) {
    if (share <= 0) return colours.panel;
    const double most = colours.contrast ? kMostTintContrast : kMostTint;
    return mixed(colours.panel, hue(heat, colours), kLeastTint + (most - kLeastTint) * std::min(share, 1.0));
}

CodeTable::CodeTable(const QString& name, QWidget* parent)
    : QWidget(parent), m_view(new QTableView), m_bar(new QScrollBar(Qt::Horizontal)) {
    m_view->setObjectName(name);
    m_view->setAccessibleName(name == kInstructions ? QStringLiteral("Instructions")
                                                    : QStringLiteral("Source"));
    QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    fixed.setPointSizeF(font().pointSizeF() - (name == kInstructions ? 1 : 0.5));
    m_view->setFont(fixed);
    m_view->setModel(&m_model);
    m_view->setItemDelegate(new CodeDelegate(*m_bar, m_view));
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setSelectionMode(QAbstractItemView::SingleSelection);
    m_view->setShowGrid(false);
    m_view->setWordWrap(false);
    m_view->setCornerButtonEnabled(false);
    m_view->setTabKeyNavigation(false);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setAutoScroll(false); // it would scroll sideways to the text's cell
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_view->verticalHeader()->setMinimumSectionSize(1);
    m_view->verticalHeader()->setDefaultSectionSize(m_view->fontMetrics().height() + 2);
    m_view->horizontalHeader()->setFont(look::smallFont(font()));
    m_view->horizontalHeader()->setHighlightSections(false);
    m_view->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_view->horizontalHeader()->setMinimumSectionSize(1);
    m_view->horizontalHeader()->setStretchLastSection(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_view, 1);
    layout->addWidget(m_bar);
    connect(m_bar, &QScrollBar::valueChanged, this, [this] { m_view->viewport()->update(); });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& at) {
                if (!m_showing && at.isValid()) {
                    reveal(static_cast<std::size_t>(at.row()));
                    emit rowChosen(static_cast<std::size_t>(at.row()));
                }
            });
}

void CodeTable::setSource(std::shared_ptr<const lines::KernelSource> source,
                          std::optional<std::size_t> file) {
    m_showing = true;
    m_model.setSource(std::move(source), file);
    m_showing = false;
    m_marked.reset();
    m_bar->setValue(0);
    sizeColumns();
}

void CodeTable::setHeat(Heat heat) {
    m_model.setHeat(heat);
    sizeColumns();
}

void CodeTable::showRow(std::optional<std::size_t> row) {
    m_showing = true;
    if (row) {
        const QModelIndex at = m_model.index(static_cast<int>(*row), CodeModel::Number);
        m_view->selectionModel()->setCurrentIndex(at, QItemSelectionModel::ClearAndSelect |
                                                          QItemSelectionModel::Rows);
        reveal(*row);
    } else {
        m_view->selectionModel()->clear();
    }
    m_showing = false;
}

void CodeTable::mark(const std::vector<std::size_t>& rows, std::optional<std::size_t> shown) {
    m_model.setMarked(rows);
    m_marked = shown;
    if (shown) reveal(*shown);
}

void CodeTable::reveal(std::size_t row) {
    const QModelIndex at = m_model.index(static_cast<int>(row), CodeModel::Number);
    if (!at.isValid()) return;
    const QRect place = m_view->visualRect(at);
    if (m_view->viewport()->rect().contains(place.center())) return m_view->scrollTo(at);
    m_view->scrollTo(at, QAbstractItemView::PositionAtCenter);
}

std::optional<std::size_t> CodeTable::row() const {
    const QModelIndex at = m_view->currentIndex();
    if (!at.isValid()) return std::nullopt;
    return static_cast<std::size_t>(at.row());
}

void CodeTable::sizeColumns() {
    const QFontMetrics fixed(m_view->font()), heads(m_view->horizontalHeader()->font());
    const auto width = [&](const QString& figure, int column) {
        const QString head = m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        return std::max(fixed.horizontalAdvance(figure), heads.horizontalAdvance(head)) + 2 * kPadding +
               kStripe;
    };
    for (int column = 0; column < CodeModel::Text; ++column) {
        // What stands in them: nothing is cut, and there is no room for what is nowhere.
        QSet<QString> texts{column == CodeModel::Number ? QString(m_model.widestNumber(), QLatin1Char('0'))
                                                        : QStringLiteral("0.00 M")};
        if (column == CodeModel::Share || column == CodeModel::Stalled || column == CodeModel::StallReason)
            for (int row = 0; row < m_model.rowCount(); ++row)
                texts.insert(m_model.index(row, column).data().toString());
        int widest = 0;
        for (const QString& text : texts)
            widest = std::max(widest, width(text, column));
        m_view->setColumnWidth(column, widest);
        m_widths[static_cast<std::size_t>(column)] = widest;
    }
    shareRoom();
}

void CodeTable::shareRoom() {
    using Column = CodeModel::Column;
    std::array<bool, CodeModel::Text> shown{};
    int used = 0;
    const auto set = [&](int column, bool on) {
        bool& now = shown[static_cast<std::size_t>(column)];
        if (now != on) used += (on ? 1 : -1) * m_widths[static_cast<std::size_t>(column)];
        now = on;
    };
    for (int column = 0; column < CodeModel::Text; ++column)
        set(column, m_model.hasColumn(static_cast<Column>(column)));
    // Numbers of a chosen line stand below, too: where room is short, the code is what is read here.
    const int least = kLeastText * m_view->fontMetrics().horizontalAdvance(QLatin1Char('0'));
    for (const auto& [first, last] : {std::pair{CodeModel::StallReason, CodeModel::StallReason},
                                      {CodeModel::Sectors, CodeModel::SectorsIdeal},
                                      {CodeModel::Wavefronts, CodeModel::WavefrontsIdeal},
                                      {CodeModel::Stalled, CodeModel::Stalled}})
        for (int column = first; column <= last && m_view->viewport()->width() - used < least; ++column)
            for (int each = first; each <= last; ++each)
                set(each, false);
    for (int column = 0; column < CodeModel::Text; ++column)
        m_view->setColumnHidden(column, !shown[static_cast<std::size_t>(column)]);
    sizeBar();
}

void CodeTable::sizeBar() {
    const int text = m_view->fontMetrics().horizontalAdvance(QLatin1Char('0')) * (m_model.longestText() + 2);
    const int hidden = std::max(0, text - m_view->columnWidth(CodeModel::Text) + 2 * kPadding);
    m_bar->setRange(0, hidden);
    m_bar->setPageStep(std::max(1, m_view->columnWidth(CodeModel::Text)));
    m_bar->setSingleStep(m_view->fontMetrics().horizontalAdvance(QStringLiteral("0000")));
    m_bar->setVisible(hidden > 0);
}

void CodeTable::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    shareRoom();
    // What was brought into view before there was room, or while there was more of it.
    if (const auto current = row() ? row() : m_marked)
        QMetaObject::invokeMethod(
            this, [this, at = *current] { reveal(at); }, Qt::QueuedConnection);
}

void CodeTable::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) sizeColumns();
}

} // namespace dormer::ui::sources
