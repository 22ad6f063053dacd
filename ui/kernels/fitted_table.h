// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/kernels/kernel_table_model.h"

#include <QTableView>

namespace dormer::ui::kernels {

/// The kernel table on screen. Names get what the figures leave; where that is too little to tell kernels
/// apart, the least telling columns go, and at last the table scrolls sideways: figures are never cut.
class FittedTable : public QTableView {
    Q_OBJECT
public:
    /// The model below any proxy; must outlive the table.
    explicit FittedTable(const KernelTableModel& kernels, QWidget* parent = nullptr);

    /// To be called when rows came in or a head changed; a new size or font does by itself.
    void fitColumns();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    [[nodiscard]] int figureWidth(int column, const QFontMetrics& figures) const;
    [[nodiscard]] int nameWidth(const QFontMetrics& names) const;

    const KernelTableModel& m_kernels;
};

} // namespace dormer::ui::kernels
