// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/list_panel.h"

#include "analysis/view/details/finding_text.h"
#include "ui/kernels/kernel_table_view.h"
#include "ui/look/theme.h"
#include "ui/look/words.h"
#include "ui/todo/todo_feed.h"
#include "ui/todo/todo_view.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace dormer::ui::shell {

ListPanel::ListPanel(sessions::SessionHub& hub, todo::ToDoFeed& feed, QWidget* parent)
    : QFrame(parent)
    , m_feed(feed)
    , m_kernels(new kernels::KernelTableView(hub))
    , m_toDo(new todo::ToDoView(hub, feed))
    , m_heads(new QStackedWidget)
    , m_pages(new QStackedWidget) {
    setObjectName("panel");
    auto* row = new QHBoxLayout;
    row->setContentsMargins(2 * look::kGrid, look::kGrid / 2, 2 * look::kGrid, 0);
    row->setSpacing(2 * look::kGrid);
    auto* group = new QButtonGroup(this);
    const char* const hints[] = {"What was launched, with what bounds it",
                                 "What to change, by the estimated time saved over the whole session"};
    for (std::size_t i = 0; i < m_tabs.size(); ++i) {
        m_tabs[i] = new QPushButton;
        m_tabs[i]->setObjectName("tab");
        m_tabs[i]->setCheckable(true);
        m_tabs[i]->setToolTip(hints[i]);
        group->addButton(m_tabs[i]);
        row->addWidget(m_tabs[i]);
        connect(m_tabs[i], &QPushButton::toggled, this, [this, i](bool on) {
            if (!on) return;
            m_heads->setCurrentIndex(static_cast<int>(i));
            m_pages->setCurrentIndex(static_cast<int>(i));
        });
    }
    row->addWidget(m_heads, 1);
    m_heads->addWidget(&m_kernels->head());
    m_heads->addWidget(&m_toDo->head());
    m_heads->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_pages->addWidget(m_kernels);
    m_pages->addWidget(m_toDo);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 0, 1, look::kGrid);
    layout->setSpacing(look::kGrid / 2);
    layout->addLayout(row);
    layout->addWidget(m_pages, 1);
    m_tabs[0]->setText("Kernels");
    m_tabs[0]->setChecked(true);
    connect(&feed, &todo::ToDoFeed::changed, this, &ListPanel::nameTabs);
    nameTabs();
}

void ListPanel::nameTabs() {
    const std::size_t count = m_feed.withGain();
    m_tabs[1]->setText(look::words(view::details::recommendationsHeading(count)));
}

ListPanel::Tab ListPanel::tab() const {
    return static_cast<Tab>(m_pages->currentIndex());
}

void ListPanel::setTab(Tab tab) {
    m_tabs[static_cast<std::size_t>(tab)]->setChecked(true);
}

} // namespace dormer::ui::shell
