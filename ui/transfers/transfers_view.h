// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/tables/fact_table.h"

#include <QTimer>

class QLabel;
class QSplitter;

namespace dormer::ui::sessions {
class SessionHub;
} // namespace dormer::ui::sessions

namespace dormer::ui::transfers {

/// What moved between host and device, how fast, and what taking memory cost: two tables. Rows of the
/// selected launch's workload are marked; a click on a row selects a launch of its workload if it has one.
class TransfersView : public QWidget {
    Q_OBJECT
public:
    explicit TransfersView(sessions::SessionHub& hub, QWidget* parent = nullptr);

    [[nodiscard]] bool empty() const;
    [[nodiscard]] tables::FactTable& transfers() { return *m_transfers; }
    [[nodiscard]] tables::FactTable& memoryCalls() { return *m_calls; }
    /// Shows what arrived since the last time; happens by itself soon after it did.
    void flush();

signals:
    void contentChanged();

private:
    QWidget* part(std::string_view title, QLabel* summary, tables::FactTable& table);
    void markSelected();
    void selectWorkload(const QString& workload);

    sessions::SessionHub& m_hub;
    QSplitter* m_parts;
    QLabel* m_moved;   ///< bytes of all transfers
    QLabel* m_outside; ///< what a suite did outside of its workloads
    tables::FactTable* m_transfers;
    tables::FactTable* m_calls;
    QTimer m_timer;
};

} // namespace dormer::ui::transfers
