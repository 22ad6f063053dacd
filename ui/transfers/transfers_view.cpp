// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/transfers/transfers_view.h"

#include "analysis/view/transfers.h"
#include "ui/look/theme.h"
#include "ui/look/words.h"
#include "ui/sessions/session_hub.h"
#include "ui/sessions/workload_launches.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QVBoxLayout>

namespace dormer::ui::transfers {
namespace {

constexpr int kGatherMs = 60;

} // namespace

TransfersView::TransfersView(sessions::SessionHub& hub, QWidget* parent)
    : QWidget(parent)
    , m_hub(hub)
    , m_parts(new QSplitter(Qt::Vertical))
    , m_moved(new QLabel)
    , m_outside(new QLabel)
    , m_transfers(new tables::FactTable)
    , m_calls(new tables::FactTable) {
    m_transfers->setObjectName("transfers");
    m_transfers->setAccessibleName("Transfers");
    m_calls->setObjectName("memoryCalls");
    m_calls->setAccessibleName(look::words(view::kMemoryCallsTitle));
    m_outside->setObjectName("muted");
    m_outside->setWordWrap(true);
    m_moved->setObjectName("muted");
    m_parts->addWidget(part(view::kTransfersTitle, m_moved, *m_transfers));
    m_parts->addWidget(part(view::kMemoryCallsTitle, nullptr, *m_calls));
    m_parts->setStretchFactor(0, 3);
    m_parts->setStretchFactor(1, 2);
    m_parts->setChildrenCollapsible(false);
    m_parts->setHandleWidth(look::kGrid);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, look::kGrid / 2);
    layout->addWidget(m_parts, 1);
    layout->addWidget(m_outside);

    m_timer.setSingleShot(true);
    m_timer.setInterval(kGatherMs);
    connect(&m_timer, &QTimer::timeout, this, &TransfersView::flush);
    connect(&hub, &sessions::SessionHub::suiteChanged, this, [this] {
        if (!m_timer.isActive()) m_timer.start();
    });
    connect(&hub, &sessions::SessionHub::sessionReset, this, &TransfersView::flush);
    connect(&hub, &sessions::SessionHub::selectionChanged, this, &TransfersView::markSelected);
    for (tables::FactTable* table : {m_transfers, m_calls}) {
        table->setWideColumn(0);
        connect(table, &tables::FactTable::keyChosen, this, &TransfersView::selectWorkload);
    }
    flush();
}

QWidget* TransfersView::part(std::string_view title, QLabel* summary, tables::FactTable& table) {
    auto* heading = new QLabel(look::words(title));
    heading->setFont(look::headingFont(font(), 0));
    auto* head = new QHBoxLayout;
    head->addWidget(heading);
    head->addStretch();
    if (summary != nullptr) head->addWidget(summary);
    auto* whole = new QWidget;
    auto* layout = new QVBoxLayout(whole);
    layout->setContentsMargins(0, look::kGrid / 2, 0, 0);
    layout->setSpacing(look::kGrid / 2);
    layout->addLayout(head);
    layout->addWidget(&table);
    table.setMinimumHeight(9 * look::kGrid);
    return whole;
}

bool TransfersView::empty() const {
    return m_transfers->facts().rows().empty() && m_calls->facts().rows().empty();
}

void TransfersView::flush() {
    m_timer.stop();
    const bool wasEmpty = empty();
    view::TransferTables tables = view::transferTables(m_hub.session());
    m_moved->setText(look::words(tables.moved));
    m_outside->setText(look::words(tables.outside));
    m_outside->setVisible(!tables.outside.empty());
    m_transfers->setTable(std::move(tables.transfers));
    m_calls->setTable(std::move(tables.calls));
    m_transfers->parentWidget()->setVisible(!m_transfers->facts().rows().empty());
    m_calls->parentWidget()->setVisible(!m_calls->facts().rows().empty());
    markSelected();
    if (empty() != wasEmpty) emit contentChanged();
}

void TransfersView::markSelected() {
    QSet<QString> marked;
    if (const auto selected = m_hub.selected())
        if (const std::string& workload = m_hub.session().launch(*selected).workload; !workload.empty())
            marked.insert(look::words(workload));
    for (tables::FactTable* table : {m_transfers, m_calls}) {
        table->facts().setMarked(marked);
        // A row chosen for another workload would look selected, too.
        if (!marked.isEmpty() &&
            !marked.contains(table->currentIndex().data(tables::FactModel::KeyRole).toString()))
            table->showKey({});
    }
}

void TransfersView::selectWorkload(const QString& workload) {
    if (workload.isEmpty()) return;
    const auto selected = m_hub.selected();
    if (selected && look::words(m_hub.session().launch(*selected).workload) == workload) return;
    const auto launches = sessions::launchesOfWorkloads(m_hub.diagnosis());
    const auto launch = launches.find(workload.toStdString());
    if (launch != launches.end())
        m_hub.select(launch->second);
    else
        m_hub.select(std::nullopt); // a selection of another workload would contradict the chosen row
}

} // namespace dormer::ui::transfers
