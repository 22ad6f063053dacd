// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/todo/todo_view.h"

#include "ui/look/theme.h"
#include "ui/sessions/session_hub.h"
#include "ui/sources/code_rows.h"
#include "ui/tables/fact_table.h"
#include "ui/todo/todo_feed.h"
#include "ui/todo/todo_rows.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace dormer::ui::todo {
namespace {

enum ToDoColumn { kRank, kFinding, kKernel };

} // namespace

ToDoView::ToDoView(sessions::SessionHub& hub, ToDoFeed& feed, QWidget* parent)
    : QWidget(parent)
    , m_hub(hub)
    , m_feed(feed)
    , m_table(new tables::FactTable)
    , m_empty(new QLabel(
          "Nothing stands out yet: findings appear here as kernels are counted, those that could save "
          "most time first."))
    , m_head(new QWidget(this))
    , m_summary(new QLabel) {
    m_table->setObjectName("todo");
    m_table->setAccessibleName("To do");
    m_table->setWideColumn(kKernel);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_empty->setObjectName("muted");
    m_empty->setWordWrap(true);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setMargin(2 * look::kGrid);
    m_summary->setObjectName("muted");
    auto* row = new QHBoxLayout(m_head);
    row->setContentsMargins(0, 0, 0, 0);
    row->addStretch();
    row->addWidget(m_summary);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_table);
    layout->addWidget(m_empty, 1);
    connect(&feed, &ToDoFeed::changed, this, &ToDoView::fill);
    connect(&hub, &sessions::SessionHub::selectionChanged, this, &ToDoView::markSelected);
    connect(m_table, &tables::FactTable::keyChosen, this, &ToDoView::selectRow);
    const auto showIt = [this](const QModelIndex& at) {
        showLine(at.data(tables::FactModel::KeyRole).toString());
    };
    connect(m_table, &QAbstractItemView::clicked, this, showIt);
    connect(m_table, &QAbstractItemView::activated, this, showIt);
    fill();
}

void ToDoView::fill() {
    ToDoTable table = toDoTable(m_feed.list());
    const int scrolled = m_table->verticalScrollBar()->value(); // a new order takes it away
    m_table->setTable(std::move(table.columns), std::move(table.rows));
    m_table->verticalScrollBar()->setValue(scrolled);
    m_table->setVisible(!m_feed.list().empty());
    m_empty->setVisible(m_feed.list().empty());
    m_summary->setText(m_feed.list().empty() ? QString() : QStringLiteral("click a row: its line is shown"));
    markSelected();
}

std::size_t ToDoView::indexOf(const QString& key) const {
    const int row = m_table->facts().rowOf(key);
    return row < 0 ? m_feed.list().size() : static_cast<std::size_t>(row);
}

void ToDoView::selectRow(const QString& key) {
    const std::size_t at = indexOf(key);
    if (at >= m_feed.list().size()) return;
    // One about transfers has no launch: a selection of another workload would contradict the chosen row.
    m_hub.select(m_feed.list()[at].launch);
}

void ToDoView::showLine(const QString& key) {
    const std::size_t at = indexOf(key);
    if (at >= m_feed.list().size()) return;
    const diagnosis::ToDo& item = m_feed.list()[at];
    const auto place = firstPlace(item.finding);
    if (item.launch && place) m_hub.show(*item.launch, *place);
}

void ToDoView::markSelected() {
    QSet<QString> marked;
    const auto selected = m_hub.selected();
    const auto& rows = m_table->facts().rows();
    if (selected)
        for (std::size_t i = 0; i < std::min(rows.size(), m_feed.list().size()); ++i)
            if (const auto& launch = m_feed.list()[i].launch;
                launch && m_hub.diagnosis().groupOf(*launch) == m_hub.diagnosis().groupOf(*selected))
                marked.insert(rows[i].key);
    m_table->facts().setMarked(marked);
    const QString current = m_table->currentIndex().data(tables::FactModel::KeyRole).toString();
    // A row chosen for another launch would look selected, too.
    if (selected && !current.isEmpty() && !marked.contains(current)) m_table->showKey({});
}

} // namespace dormer::ui::todo
