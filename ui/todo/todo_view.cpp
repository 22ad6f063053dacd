// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/todo/todo_view.h"

#include "ui/look/style.h"
#include "ui/look/theme.h"
#include "ui/look/words.h"
#include "ui/sessions/session_hub.h"
#include "ui/sources/code_rows.h"
#include "ui/tables/fact_table.h"
#include "ui/todo/todo_feed.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
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
    , m_folded(new QCheckBox)
    , m_head(new QWidget(this))
    , m_summary(new look::WholeLabel)
    , m_count(new QPushButton("Count per line")) {
    m_table->setObjectName("todo");
    m_table->setAccessibleName("Recommendations");
    m_table->setWideColumn(kKernel);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_empty->setObjectName("muted");
    m_empty->setWordWrap(true);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setMargin(2 * look::kGrid);
    m_summary->setObjectName("muted");
    auto* row = new QHBoxLayout(m_head);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_summary, 1);
    row->addWidget(m_count);
    m_count->setObjectName("segment");
    m_count->setProperty("offer", "lines");
    m_count->setToolTip(
        "Collected without counts per line: with them recommendations name their source lines");
    connect(m_count, &QPushButton::clicked, this, &ToDoView::linesRequested);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_table);
    layout->addWidget(m_folded);
    layout->addWidget(m_empty, 1);
    m_folded->setObjectName("folded");
    connect(m_folded, &QCheckBox::toggled, this, &ToDoView::fill);
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
    const int scrolled = m_table->verticalScrollBar()->value(); // a new order takes it away
    std::vector<view::Recommendation> shown = m_feed.list();
    const std::string folded = view::foldedText(shown);
    if (!m_folded->isChecked()) shown.resize(view::openCount(shown));
    m_folded->setVisible(!folded.empty());
    // Which ones is more than fits beside the box.
    m_folded->setText(look::words(folded.substr(0, folded.find(':'))));
    m_folded->setToolTip(look::words(folded));
    m_table->setTable(view::recommendationTable(shown));
    m_table->verticalScrollBar()->setValue(scrolled);
    m_table->setVisible(!m_feed.list().empty());
    m_empty->setVisible(m_feed.list().empty());
    const bool noPlaces = !view::whyNoPlaces(m_hub.session(), m_feed.list()).empty();
    m_count->setVisible(noPlaces);
    m_summary->setText(m_feed.list().empty() || noPlaces
                           ? QString()
                           : QStringLiteral("Click a row to jump to its source line"));
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
    m_hub.select(m_feed.list()[at].item.launch);
}

void ToDoView::showLine(const QString& key) {
    const std::size_t at = indexOf(key);
    if (at >= m_feed.list().size()) return;
    const diagnosis::ToDo& item = m_feed.list()[at].item;
    if (item.launch && !item.finding.places.empty())
        m_hub.show(*item.launch, sessions::placeOf(item.finding.places.front()));
}

void ToDoView::markSelected() {
    QSet<QString> marked;
    const auto selected = m_hub.selected();
    const auto& rows = m_table->facts().rows();
    if (selected)
        for (std::size_t i = 0; i < std::min(rows.size(), m_feed.list().size()); ++i)
            if (const auto& launch = m_feed.list()[i].item.launch;
                launch && m_hub.diagnosis().groupOf(*launch) == m_hub.diagnosis().groupOf(*selected))
                marked.insert(look::words(rows[i].key));
    m_table->facts().setMarked(marked);
    const QString current = m_table->currentIndex().data(tables::FactModel::KeyRole).toString();
    // A row chosen for another launch would look selected, too.
    if (selected && !current.isEmpty() && !marked.contains(current)) m_table->showKey({});
}

} // namespace dormer::ui::todo
