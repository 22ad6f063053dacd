// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/kernels/fitted_table.h"

#include "ui/look/theme.h"

#include <QEvent>
#include <QHeaderView>

#include <algorithm>
#include <array>

namespace dormer::ui::kernels {
namespace {

constexpr int kMarkerWidth = 5 * look::kGrid;
constexpr int kPadding = 3 * look::kGrid / 2;
/// Names keep room for so many characters of average width before columns go for them.
constexpr int kLeastNameLength = 24;
/// Names are measured in so many rows, spread over the table.
constexpr int kMeasured = 200;

} // namespace

FittedTable::FittedTable(const KernelTableModel& kernels, QWidget* parent)
    : QTableView(parent), m_kernels(kernels) {}

void FittedTable::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    fitColumns();
}

void FittedTable::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange) fitColumns();
}

int FittedTable::figureWidth(int column, const QFontMetrics& figures) const {
    if (column == KernelTableModel::Marker) return kMarkerWidth;
    const QString widest = m_kernels.widest(column);
    int width = figures.horizontalAdvance(widest);
    if (widest.isEmpty() && column >= KernelTableModel::ColumnCount)
        for (int row = 0, rows = m_kernels.rowCount(); row < rows; row += std::max(1, rows / kMeasured))
            width =
                std::max(width, figures.horizontalAdvance(m_kernels.index(row, column).data().toString()));
    const QFontMetrics heads(horizontalHeader()->font());
    const QString head = m_kernels.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    for (const QString& line : head.split(QLatin1Char('\n')))
        width = std::max(width, heads.horizontalAdvance(line) + look::kGrid); // and the arrow of the order
    return width + kPadding;
}

int FittedTable::nameWidth(const QFontMetrics& names) const {
    const int most = kLeastNameLength * names.averageCharWidth();
    const int rows = m_kernels.rowCount(), stride = std::max(1, rows / kMeasured);
    int width = names.horizontalAdvance(QStringLiteral("kernel"));
    for (int row = 0; row < rows && width < most; row += stride)
        width = std::max(
            width, names.horizontalAdvance(m_kernels.index(row, KernelTableModel::Name).data().toString()));
    return std::min(width, most) + kPadding;
}

void FittedTable::fitColumns() {
    QFont strong = font();
    strong.setWeight(QFont::DemiBold); // what is selected, and what is to be gained
    const QFontMetrics metrics(strong);
    QHeaderView& heads = *horizontalHeader();
    heads.setFont(look::smallFont(font()));
    verticalHeader()->setDefaultSectionSize(std::max(3 * look::kGrid, metrics.height() + look::kGrid / 2));
    std::array<int, KernelTableModel::ColumnCount> widths{};
    for (int column = 0; column < KernelTableModel::ColumnCount; ++column)
        widths[static_cast<std::size_t>(column)] =
            column == KernelTableModel::Name ? nameWidth(metrics) : figureWidth(column, metrics);
    int left = viewport()->width();
    // Columns that the user added stay.
    for (int column = KernelTableModel::ColumnCount; column < m_kernels.columnCount(); ++column) {
        setColumnWidth(column, figureWidth(column, metrics));
        left -= columnWidth(column);
    }
    auto shown = view::kernelColumnsWithin(widths, left);
    if (const int sorted = heads.sortIndicatorSection();
        sorted >= 0 && sorted < KernelTableModel::ColumnCount)
        shown[static_cast<std::size_t>(sorted)] = true;
    for (int column = 0; column < KernelTableModel::ColumnCount; ++column) {
        const auto at = static_cast<std::size_t>(column);
        setColumnHidden(column, !shown[at]);
        setColumnWidth(column, widths[at]);
        if (shown[at]) left -= widths[at];
    }
    setColumnWidth(KernelTableModel::Name, widths[KernelTableModel::Name] + std::max(0, left));
}

} // namespace dormer::ui::kernels
