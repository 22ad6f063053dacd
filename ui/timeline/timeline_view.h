// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/tables/fact_table.h"
#include "ui/timeline/timeline_chart.h"

#include <QTimer>

class QSplitter;

namespace dormer::ui::timeline {

/// What ran when, and where the GPU's time went: the chart and a table. Follows a session that grows while it
/// is in sight.
class TimelineView : public QWidget {
    Q_OBJECT
public:
    explicit TimelineView(sessions::SessionHub& hub, QWidget* parent = nullptr);

    /// Whether the session has anything with a place in time.
    [[nodiscard]] bool empty() const { return m_empty; }
    [[nodiscard]] TimelineChart& chart() { return *m_chart; }
    [[nodiscard]] tables::FactTable& table() { return *m_table; }
    /// Shows what arrived since the last time; happens by itself soon after it did.
    void flush();

signals:
    void contentChanged();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void noticed();
    void setEmpty(bool empty);

    sessions::SessionHub& m_hub;
    QSplitter* m_parts;
    TimelineChart* m_chart;
    tables::FactTable* m_table;
    QTimer m_timer;
    bool m_empty = true, m_stale = true;
};

} // namespace dormer::ui::timeline
