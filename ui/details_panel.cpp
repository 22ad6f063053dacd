// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/details_panel.h"

#include "analysis/finding.h"
#include "analysis/format.h"
#include "ui/article.h"
#include "ui/details_facts.h"
#include "ui/finding_card.h"
#include "ui/kernel_columns.h"
#include "ui/memory_diagram_view.h"
#include "ui/session_hub.h"
#include "ui/theme.h"
#include "ui/todo_feed.h"
#include "ui/todo_rows.h"
#include "ui/workload_launches.h"

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace dormer::ui {
namespace {

/// To-dos that are told while no launch is selected; the list below the chart has them all.
constexpr std::size_t kMostToDo = 6;

/// Names and values as collected; a name that does not fit keeps both its ends.
QTableWidget* counterTable(const std::vector<std::pair<QString, QString>>& rows) {
    auto* table = new QTableWidget(static_cast<int>(rows.size()), 2);
    table->setFont(smallFont(table->font()));
    table->horizontalHeader()->hide();
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + kGrid / 2);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->setTextElideMode(Qt::ElideMiddle);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const int row = static_cast<int>(i);
        auto* value = new QTableWidgetItem(rows[i].second);
        value->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        table->setItem(row, 0, new QTableWidgetItem(rows[i].first));
        table->item(row, 0)->setToolTip(rows[i].first);
        table->setItem(row, 1, value);
    }
    table->setFixedHeight(table->verticalHeader()->defaultSectionSize() * table->rowCount() + 2);
    return table;
}

} // namespace

DetailsPanel::DetailsPanel(SessionHub& hub, ToDoFeed& feed, QWidget* parent)
    : QFrame(parent), m_hub(hub), m_feed(feed), m_scroll(new QScrollArea) {
    setObjectName("panel");
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->viewport()->setAutoFillBackground(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, kGrid / 2, 1, kGrid / 2);
    layout->addWidget(m_scroll);

    m_rebuild.setSingleShot(true);
    m_rebuild.setInterval(0);
    connect(&m_rebuild, &QTimer::timeout, this, &DetailsPanel::rebuild);
    const auto later = [this] { m_rebuild.start(); };
    connect(&hub, &SessionHub::selectionChanged, this, later);
    connect(&hub, &SessionHub::sessionReset, this, later);
    connect(&hub, &SessionHub::contextChanged, this, later);
    connect(&feed, &ToDoFeed::changed, this, [this] {
        if (!m_hub.selected()) m_rebuild.start();
    });
    connect(&hub, &SessionHub::suiteChanged, this, [this] {
        if (m_hub.selected()) m_rebuild.start();
    });
    connect(&hub, &SessionHub::launchChanged, this, [this](analysis::LaunchIndex launch) {
        if (m_hub.selected() == launch)
            m_rebuild.start();
        else
            updatePlace();
    });
    rebuild();
}

void DetailsPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) m_rebuild.start();
    QFrame::changeEvent(event);
}

void DetailsPanel::rebuild() {
    m_place = nullptr;
    auto* page = new QWidget;
    auto* article = new QVBoxLayout(page);
    article->setContentsMargins(2 * kGrid, kGrid, 2 * kGrid, kGrid);
    article->setSpacing(kGrid);
    const auto selected = m_hub.selected();
    if (!selected) {
        auto* title = new QLabel("Details");
        title->setFont(headingFont(font(), 1));
        article->addWidget(title);
        article->addWidget(
            paragraph(m_hub.session().launches().empty()
                          ? "What bounds a kernel, why, and what to do about it appears here."
                          : "Select a point or a row: this panel says what bounds that kernel, why, and "
                            "what to do about it.",
                      true));
        addToDo(*article);
    } else {
        addHeader(*article);
        addWorkload(*article);
        addWhy(*article);
        addAdvice(*article);
        addCounters(*article);
    }
    article->addStretch();
    m_scroll->setWidget(page); // deletes the old article
    page->setAutoFillBackground(false);
    updatePlace();
}

void DetailsPanel::addHeader(QVBoxLayout& article) {
    const analysis::Session& session = m_hub.session();
    const analysis::LaunchIndex launch = *m_hub.selected();
    const analysis::Verdict& verdict = m_hub.verdict(launch);
    auto* title = paragraph(QString::fromStdString(launchLabel(session, launch)));
    title->setObjectName("launchTitle");
    title->setFont(headingFont(font(), 3));
    constexpr qsizetype kLongest = 1000;
    title->setToolTip(
        QStringLiteral("<p>%1</p>")
            .arg(QString::fromStdString(session.kernelOf(launch).name).left(kLongest).toHtmlEscaped()));
    m_place = new QLabel;
    m_place->setObjectName("muted");
    m_place->setFont(smallFont(font()));
    auto* row = new QHBoxLayout;
    row->addWidget(title, 1);
    row->addWidget(m_place, 0, Qt::AlignTop);
    article.addLayout(row);

    if (const std::string& nvtx = session.launch(launch).nvtx;
        !nvtx.empty() && nvtx != session.launch(launch).workload)
        article.addWidget(paragraph(QString::fromStdString(nvtx), true));
    article.addWidget(paragraph(configurationLine(session, launch), true));
    const QString time = QString::fromStdString(
        analysis::forPeople(session.launch(launch).durationNs, analysis::Unit::Nanoseconds));
    const bool emulated =
        session.processes()[session.launch(launch).process].origin == analysis::Origin::Emulated;
    auto* card = new VerdictCard(verdict.bound, QString::fromStdString(headline(verdict)),
                                 time + QLatin1Char(' ') +
                                     (emulated ? QStringLiteral("predicted") : QStringLiteral("on the GPU")));
    card->setObjectName("verdict");
    card->setToolTip(definitionOf("duration_ns"));
    article.addWidget(card);
}

void DetailsPanel::addWorkload(QVBoxLayout& article) {
    const analysis::Session& session = m_hub.session();
    const analysis::Workload* workload = findWorkload(session, session.launch(*m_hub.selected()).workload);
    if (workload == nullptr) return;
    addHeading(article, workload->title.empty() ? QStringLiteral("What it shows")
                                                : QString::fromStdString(workload->title));
    if (!workload->shows.empty()) {
        auto* shows = paragraph(QString::fromStdString(workload->shows));
        shows->setObjectName("shows");
        article.addWidget(shows);
    }
    if (workload->wrongByDesign) {
        auto* wrong = paragraph(QStringLiteral("Its result is wrong, by design: that is what it shows."));
        wrong->setObjectName("wrongByDesign");
        wrong->setFont(headingFont(font(), 0));
        article.addWidget(wrong);
        const auto check =
            std::ranges::find(session.checks(), workload->workload, &analysis::Check::workload);
        if (check != session.checks().end() && !check->detail.empty())
            article.addWidget(paragraph(QString::fromStdString(check->detail), true));
    }
    if (!workload->parameters.empty()) {
        QStringList parameters;
        for (const std::string& parameter : workload->parameters)
            parameters << QString::fromStdString(parameter);
        article.addWidget(paragraph(parameters.join(QStringLiteral(" \u00b7 ")), true));
    }
    if (workload->better.empty()) return;
    const QString better = QString::fromStdString(workload->better);
    const auto launches = launchesOfWorkloads(session);
    const auto launch = launches.find(workload->better);
    if (launch == launches.end()) {
        article.addWidget(
            paragraph(QStringLiteral("Without this fault: %1, which did not run here").arg(better), true));
        return;
    }
    auto* link = new QPushButton(QStringLiteral("Without this fault: %1 \u2192").arg(better));
    link->setObjectName("link");
    link->setToolTip(
        QStringLiteral("Selects the workload that does the same without the fault this one shows"));
    connect(link, &QPushButton::clicked, this, [this, target = launch->second] { m_hub.select(target); });
    article.addWidget(link, 0, Qt::AlignLeft);
}

void DetailsPanel::addWhy(QVBoxLayout& article) {
    const analysis::LaunchIndex launch = *m_hub.selected();
    const analysis::Verdict& verdict = m_hub.verdict(launch);
    addHeading(article, "Why");
    auto* reasons = new QGridLayout;
    reasons->setHorizontalSpacing(kGrid);
    reasons->setVerticalSpacing(3 * kGrid / 4);
    reasons->setColumnStretch(1, 1);
    for (const std::string& reason : evidence(m_hub.metrics(), launch, verdict)) {
        const int row = reasons->rowCount();
        reasons->addWidget(new QLabel("\u2022"), row, 0, Qt::AlignTop);
        reasons->addWidget(paragraph(QString::fromStdString(reason)), row, 1);
    }
    article.addLayout(reasons);

    std::vector<HeadroomBar> bars = headroom(m_hub.session(), launch, verdict);
    if (!bars.empty()) {
        addHeading(article, "Headroom");
        auto* widget = new HeadroomBars(std::move(bars));
        widget->setObjectName("headroom");
        article.addWidget(widget);
        const QStringList idle = idleResources(verdict);
        if (!idle.isEmpty())
            article.addWidget(paragraph(QStringLiteral("below 0.1 %: ") + idle.join(", "), true));
    }
    addHeading(article, "Where the bytes go");
    analysis::MemoryDiagram diagram = memoryDiagram(m_hub.metrics(), launch);
    if (std::ranges::any_of(diagram.flows,
                            [](const analysis::MemoryFlow& flow) { return flow.bytes.has_value(); }))
        article.addWidget(new MemoryDiagramView(std::move(diagram)));
    else
        article.addWidget(
            paragraph("No counter of this launch tells: none of memory traffic was collected.", true));
}

void DetailsPanel::addAdvice(QVBoxLayout& article) {
    const analysis::LaunchIndex launch = *m_hub.selected();
    addHeading(article, "What to do");
    const auto found = findings(m_hub.metrics(), launch, m_hub.verdict(launch));
    if (found.empty()) {
        article.addWidget(paragraph("Nothing stands out in the counters that were collected.", true));
        return;
    }
    for (const analysis::Finding& finding : found) {
        auto* card = new FindingCard(finding, m_hub.session().launch(launch).durationNs);
        connect(card, &FindingCard::placeChosen, this,
                [this, launch](const SourcePlace& place) { m_hub.show(launch, place); });
        article.addWidget(card);
    }
}

void DetailsPanel::addToDo(QVBoxLayout& article) {
    if (m_feed.withGain() == 0) return;
    addHeading(article, "What to do first");
    std::size_t told = 0;
    for (const analysis::ToDo& item : m_feed.list()) {
        if (!item.gainNs || told == kMostToDo) break;
        ++told;
        auto* card = new ToDoCard(item);
        connect(card, &ToDoCard::chosen, this,
                [this, launch = item.launch, place = firstPlace(item.finding)] {
                    if (place)
                        m_hub.show(*launch, *place);
                    else
                        m_hub.select(launch);
                });
        article.addWidget(card);
    }
}

void DetailsPanel::addCounters(QVBoxLayout& article) {
    const analysis::LaunchIndex launch = *m_hub.selected();
    article.addSpacing(kGrid);
    addFold(article, "How measured",
            paragraph(howMeasured(m_hub.metrics(), launch).join(QLatin1Char('\n')), true));
    const auto rows = rawCounters(m_hub.session(), launch);
    addFold(article, "Raw counters",
            rows.empty()
                ? static_cast<QWidget*>(paragraph("No counters were collected for this launch.", true))
                : counterTable(rows));
}

void DetailsPanel::addFold(QVBoxLayout& article, const QString& title, QWidget* content) {
    const bool open = m_unfolded.contains(title);
    const auto caption = [title](bool unfolded) {
        return (unfolded ? QStringLiteral("\u25be  ") : QStringLiteral("\u25b8  ")) + title;
    };
    auto* button = new QPushButton(caption(open));
    button->setObjectName("link");
    button->setCheckable(true);
    button->setChecked(open);
    connect(button, &QPushButton::toggled, content, [this, button, content, title, caption](bool unfolded) {
        button->setText(caption(unfolded));
        content->setVisible(unfolded);
        m_unfolded.removeAll(title);
        if (unfolded) m_unfolded << title;
    });
    article.addWidget(button, 0, Qt::AlignLeft);
    article.addWidget(content);
    content->setVisible(open);
}

void DetailsPanel::updatePlace() {
    if (m_place == nullptr || !m_hub.selected()) return;
    m_place->setText(QStringLiteral("launch %1 of %2")
                         .arg(analysis::raw(*m_hub.selected()) + 1)
                         .arg(m_hub.session().launches().size()));
}

} // namespace dormer::ui
