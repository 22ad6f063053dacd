// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/tables/fact_model.h"

#include <QTableView>

namespace dormer::ui::tables {

/// A table of facts: sorted by a click on a head, chosen by row, copied as tab-separated text, bars under
/// numbers that have one. What a user chooses is told; what the program chooses is not.
class FactTable : public QTableView {
    Q_OBJECT
public:
    explicit FactTable(QWidget* parent = nullptr);

    [[nodiscard]] FactModel& facts() { return m_facts; }
    /// Column that takes the width the others leave; -1 shares it out.
    void setWideColumn(int column) { m_wide = column; }
    void setTable(view::Table table);
    /// Makes the first row of a key the current one, or none for an empty key.
    void showKey(const QString& key);
    /// The chosen rows, or all of them where none is, with heads.
    [[nodiscard]] QString asText() const;

signals:
    void keyChosen(const QString& key);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    /// What a column's head needs.
    [[nodiscard]] int headWidth(int column) const;
    void sizeColumns();

    FactModel m_facts;
    FactProxy m_sorted;
    int m_wide = -1;
    bool m_showing = false; ///< the program is choosing
};

} // namespace dormer::ui::tables
