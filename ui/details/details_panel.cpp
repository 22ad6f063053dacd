// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/details/details_panel.h"

#include "analysis/findings/finding.h"
#include "analysis/view/details/details_facts.h"
#include "analysis/view/details/finding_text.h"
#include "analysis/view/details/stall_tables.h"
#include "analysis/view/recommendations.h"
#include "ui/details/details_parts.h"
#include "ui/details/finding_card.h"
#include "ui/details/memory_diagram_view.h"
#include "ui/look/article.h"
#include "ui/look/definition.h"
#include "ui/look/style.h"
#include "ui/look/theme.h"
#include "ui/look/verdict_style.h"
#include "ui/look/words.h"
#include "ui/sessions/run_comparison.h"
#include "ui/sessions/session_hub.h"
#include "ui/sessions/workload_launches.h"
#include "ui/todo/todo_feed.h"

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <tuple>

namespace dormer::ui::details {
namespace {

/// To-dos that are told while no launch is selected; the list below the chart has them all.
constexpr std::size_t kMostToDo = 6;
/// Below the warp states; the source has all.
constexpr std::size_t kMostStalledLines = 5;

/// Labels and values; a label that does not fit keeps both its ends.
QTableWidget* factTable(const std::vector<view::details::Fact>& rows) {
    auto* table = new QTableWidget(static_cast<int>(rows.size()), 2);
    table->setFont(look::smallFont(table->font()));
    table->horizontalHeader()->hide();
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + look::kGrid / 2);
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
        auto* value = new QTableWidgetItem(look::words(rows[i].value));
        value->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        const QString label = look::words(rows[i].label);
        table->setItem(row, 0, new QTableWidgetItem(label));
        table->item(row, 0)->setToolTip(rows[i].tooltip.empty() ? label : look::words(rows[i].tooltip));
        table->setItem(row, 1, value);
    }
    table->setFixedHeight(table->verticalHeader()->defaultSectionSize() * table->rowCount() + 2);
    return table;
}

} // namespace

DetailsPanel::DetailsPanel(sessions::SessionHub& hub, todo::ToDoFeed& feed, QWidget* parent)
    : QFrame(parent), m_hub(hub), m_feed(feed), m_scroll(new QScrollArea) {
    setObjectName("panel");
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->viewport()->setAutoFillBackground(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, look::kGrid / 2, 1, look::kGrid / 2);
    layout->addWidget(m_scroll);

    m_rebuild.setSingleShot(true);
    m_rebuild.setInterval(0);
    connect(&m_rebuild, &QTimer::timeout, this, &DetailsPanel::rebuild);
    const auto later = [this] { m_rebuild.start(); };
    connect(&hub, &sessions::SessionHub::selectionChanged, this, later);
    connect(&hub, &sessions::SessionHub::sessionReset, this, later);
    connect(&hub, &sessions::SessionHub::contextChanged, this, later);
    connect(&feed, &todo::ToDoFeed::changed, this, [this] {
        if (!m_hub.selected()) m_rebuild.start();
    });
    connect(&hub, &sessions::SessionHub::suiteChanged, this, [this] {
        if (m_hub.selected()) m_rebuild.start();
    });
    connect(&hub, &sessions::SessionHub::launchChanged, this, [this](session::LaunchIndex launch) {
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
    article->setContentsMargins(2 * look::kGrid, look::kGrid, 2 * look::kGrid, look::kGrid);
    article->setSpacing(look::kGrid);
    const auto selected = m_hub.selected();
    if (!selected) {
        auto* title = new QLabel("Details");
        title->setFont(look::headingFont(font(), 1));
        article->addWidget(title);
        article->addWidget(look::paragraph(
            m_hub.session().launches().empty()
                ? "What bounds a kernel, why, and what to do about it appears here."
                : "Select a point or a row: this panel says what bounds that kernel, why, and "
                  "what to do about it.",
            true));
        addChanges(*article);
        addToDo(*article);
    } else {
        const view::details::DetailsFacts facts = view::details::detailsFacts(m_hub.metrics(), *selected);
        addHeader(*article, facts);
        addChanges(*article);
        addWorkload(*article);
        addWhy(*article);
        addAdvice(*article);
        addFacts(*article, facts);
    }
    article->addStretch();
    m_scroll->setWidget(page); // deletes the old article
    m_scroll->setMinimumWidth(
        std::max(45 * look::kGrid,
                 page->minimumSizeHint().width() + m_scroll->verticalScrollBar()->sizeHint().width()));
    page->setAutoFillBackground(false);
    updatePlace();
}

void DetailsPanel::addHeader(QVBoxLayout& article, const view::details::DetailsFacts& facts) {
    const session::Session& session = m_hub.session();
    const session::LaunchIndex launch = *m_hub.selected();
    const verdict::Verdict& verdict = m_hub.verdict(launch);
    auto* title = look::paragraph(QString::fromStdString(m_hub.diagnosis().label(launch)));
    title->setObjectName("launchTitle");
    title->setFont(look::headingFont(font(), 3));
    constexpr qsizetype kLongest = 1000;
    title->setToolTip(
        QStringLiteral("<p>%1</p>")
            .arg(QString::fromStdString(session.kernelOf(launch).name).left(kLongest).toHtmlEscaped()));
    m_place = new QLabel;
    m_place->setObjectName("muted");
    m_place->setFont(look::smallFont(font()));
    auto* row = new QHBoxLayout;
    row->addWidget(title, 1);
    row->addWidget(m_place, 0, Qt::AlignTop);
    article.addLayout(row);

    if (const std::string& nvtx = session.launch(launch).nvtx;
        !nvtx.empty() && nvtx != session.launch(launch).workload)
        article.addWidget(look::paragraph(QString::fromStdString(nvtx), true));
    article.addWidget(look::paragraph(look::words(view::details::inOneLine(facts.configuration)), true));
    auto* card = new VerdictCard(verdict.bound, QString::fromStdString(verdict::headline(verdict)),
                                 look::words(facts.time));
    card->setObjectName("verdict");
    card->setToolTip(look::definitionOf("duration_ns"));
    article.addWidget(card);
}

void DetailsPanel::setComparison(const sessions::RunComparison& comparison) {
    m_comparison = &comparison;
    connect(&comparison, &sessions::RunComparison::changed, this, [this] { m_rebuild.start(); });
}

void DetailsPanel::addChanges(QVBoxLayout& article) {
    if (m_comparison == nullptr || m_comparison->changes() == nullptr) return;
    std::vector<compare::ChangeLine> lines;
    if (const auto selected = m_hub.selected()) {
        if (const compare::KernelChange* change = m_comparison->changeOf(*selected))
            lines = compare::changeLines(*change);
        else
            lines.push_back({compare::ChangeLine::Kind::Plain, "The baseline has no such kernel."});
    } else {
        lines = compare::changeLines(*m_comparison->changes(), m_hub.diagnosis());
    }
    look::addHeading(article, "Since the baseline");
    for (const compare::ChangeLine& line : lines) {
        auto* words = look::paragraph(look::words(line.text), line.kind == compare::ChangeLine::Kind::Plain &&
                                                                  &line != &lines.front());
        if (line.kind == compare::ChangeLine::Kind::Fixed) words->setObjectName("good");
        if (line.kind == compare::ChangeLine::Kind::New) words->setObjectName("gain");
        words->setProperty("change", true);
        article.addWidget(words);
    }
}

void DetailsPanel::addWorkload(QVBoxLayout& article) {
    const session::Session& session = m_hub.session();
    const session::Workload* workload =
        sessions::findWorkload(session, session.launch(*m_hub.selected()).workload);
    if (workload == nullptr) return;
    look::addHeading(article, workload->title.empty() ? QStringLiteral("What it shows")
                                                      : QString::fromStdString(workload->title));
    if (!workload->shows.empty()) {
        auto* shows = look::paragraph(QString::fromStdString(workload->shows));
        shows->setObjectName("shows");
        article.addWidget(shows);
    }
    if (workload->wrongByDesign) {
        auto* wrong =
            look::paragraph(QStringLiteral("Its result is wrong, by design: that is what it shows."));
        wrong->setObjectName("wrongByDesign");
        wrong->setFont(look::headingFont(font(), 0));
        article.addWidget(wrong);
        const auto check = std::ranges::find(session.checks(), workload->workload, &session::Check::workload);
        if (check != session.checks().end() && !check->detail.empty())
            article.addWidget(look::paragraph(QString::fromStdString(check->detail), true));
    }
    if (!workload->parameters.empty()) {
        QStringList parameters;
        for (const std::string& parameter : workload->parameters)
            parameters << QString::fromStdString(parameter);
        article.addWidget(look::paragraph(parameters.join(QStringLiteral(" \u00b7 ")), true));
    }
    if (workload->better.empty()) return;
    const QString better = QString::fromStdString(workload->better);
    const auto launches = sessions::launchesOfWorkloads(m_hub.diagnosis());
    const auto launch = launches.find(workload->better);
    if (launch == launches.end()) {
        article.addWidget(look::paragraph(
            QStringLiteral("Optimized version: %1, which did not run here").arg(better), true));
        return;
    }
    auto* link = new look::ElidedLink(QStringLiteral("Optimized version: %1 \u2192").arg(better));
    link->setToolTip(QStringLiteral("Selects %1, which does the same without this problem").arg(better));
    connect(link, &QPushButton::clicked, this, [this, target = launch->second] { m_hub.select(target); });
    article.addWidget(link, 0, Qt::AlignLeft);
}

void DetailsPanel::addWhy(QVBoxLayout& article) {
    const session::LaunchIndex launch = *m_hub.selected();
    const verdict::Verdict& verdict = m_hub.verdict(launch);
    look::addHeading(article, "Evidence");
    auto* reasons = new QGridLayout;
    reasons->setHorizontalSpacing(look::kGrid);
    reasons->setVerticalSpacing(3 * look::kGrid / 4);
    reasons->setColumnStretch(1, 1);
    for (const std::string& reason : verdict::evidence(m_hub.metrics(), launch, verdict)) {
        const int row = reasons->rowCount();
        reasons->addWidget(new QLabel("\u2022"), row, 0, Qt::AlignTop);
        reasons->addWidget(look::paragraph(QString::fromStdString(reason)), row, 1);
    }
    article.addLayout(reasons);
    auto* meaning =
        new look::ElidedLink(QStringLiteral("What %1 means \u2192").arg(look::verdictWord(verdict.bound)));
    meaning->setProperty("explains", "verdict");
    meaning->setToolTip("How verdicts are found, and what this one rests on");
    connect(meaning, &QPushButton::clicked, this, [this, bound = verdict.bound] {
        emit explanationAsked(QStringLiteral("verdict:") + look::words(verdict::toString(bound)));
    });
    article.addWidget(meaning, 0, Qt::AlignLeft);

    view::details::Utilization used = view::details::utilization(m_hub.session(), launch, verdict);
    if (!used.bars.empty()) {
        look::addHeading(article, look::words(view::details::kUtilizationTitle));
        auto* bars = new UtilizationBars(std::move(used.bars));
        bars->setObjectName("utilization");
        article.addWidget(bars);
        if (!used.idle.empty()) article.addWidget(look::paragraph(look::words(used.idle), true));
    }
    addStalls(article);
    look::addHeading(article, "Memory chart");
    verdict::MemoryDiagram diagram = verdict::memoryDiagram(m_hub.metrics(), launch, verdict);
    if (std::ranges::any_of(diagram.flows,
                            [](const verdict::MemoryFlow& flow) { return flow.bytes.has_value(); }))
        article.addWidget(new MemoryDiagramView(std::move(diagram)));
    else
        article.addWidget(
            look::paragraph("No counters of memory traffic were collected for this launch.", true));
}

void DetailsPanel::addStalls(QVBoxLayout& article) {
    const session::LaunchIndex launch = *m_hub.selected();
    const stalls::KernelStalls sampled =
        stalls::kernelStalls(m_hub.session(), m_hub.session().launch(launch).kernel);
    if (sampled.states.samples() == 0) return;
    view::details::StallTables tables =
        view::details::stallTables(m_hub.session(), sampled, kMostStalledLines);
    look::addHeading(article, "Warp states");
    article.addWidget(look::paragraph(look::words(tables.summary)));
    auto* bars = new UtilizationBars(std::move(tables.bars));
    bars->setObjectName("warpStates");
    article.addWidget(bars);
    if (!tables.main.empty()) article.addWidget(look::paragraph(look::words(tables.main), true));
    for (std::size_t i = 0; i < tables.places.size(); ++i) {
        const auto& [place, stalled, reason, byReason, instruction, waitsFor] =
            std::tie(tables.lines.rows[i].cells[0].text, tables.lines.rows[i].cells[1].text,
                     tables.lines.rows[i].cells[2].text, tables.lines.rows[i].cells[3].text,
                     tables.lines.rows[i].cells[4].text, tables.lines.rows[i].cells[5].text);
        auto* link =
            new look::ElidedLink(QStringLiteral("%1 \u00b7 %2 % \u00b7 %3 \u2192")
                                     .arg(look::words(place), look::words(stalled), look::words(reason)));
        link->setProperty("stall", look::words(place));
        QString tip = QStringLiteral("%1 % of the warps wait here, %2 % by %3, most at\n%4")
                          .arg(look::words(stalled), look::words(byReason), look::words(reason),
                               look::words(instruction));
        if (!waitsFor.empty()) tip += QStringLiteral("\nfor ") + look::words(waitsFor);
        link->setToolTip(tip);
        connect(link, &QPushButton::clicked, this, [this, launch, at = tables.places[i]] {
            m_hub.show(launch, {at.place.file, at.place.line, at.pc});
        });
        article.addWidget(link, 0, Qt::AlignLeft);
    }
}

void DetailsPanel::addAdvice(QVBoxLayout& article) {
    const session::LaunchIndex launch = *m_hub.selected();
    const auto found = m_hub.diagnosis().findings(launch);
    look::addHeading(article, look::words(view::details::recommendationsHeading(found.size())));
    if (found.empty()) {
        article.addWidget(look::paragraph(look::words(view::kNoRecommendations), true));
        return;
    }
    for (const findings::Finding& finding : found) {
        auto* card =
            new FindingCard(view::details::findingText(finding, m_hub.session().launch(launch).durationNs));
        connect(card, &FindingCard::placeChosen, this,
                [this, launch](const sessions::SourcePlace& place) { m_hub.show(launch, place); });
        article.addWidget(card);
    }
}

void DetailsPanel::addToDo(QVBoxLayout& article) {
    if (m_feed.withGain() == 0) return;
    look::addHeading(article, look::words(view::kRecommendationsTitle));
    std::size_t told = 0;
    for (const view::Recommendation& row : m_feed.list()) {
        if (!row.item.gainNs || told == kMostToDo) break;
        ++told;
        auto* card = new ToDoCard(row);
        connect(card, &ToDoCard::chosen, this,
                [this, launch = row.item.launch, places = row.item.finding.places] {
                    if (places.empty())
                        m_hub.select(launch);
                    else
                        m_hub.show(*launch, sessions::placeOf(places.front()));
                });
        article.addWidget(card);
    }
}

void DetailsPanel::addFacts(QVBoxLayout& article, const view::details::DetailsFacts& facts) {
    article.addSpacing(look::kGrid);
    QStringList measured;
    for (const std::string& sentence : facts.measured)
        measured << look::words(sentence);
    addFold(article, "How measured", look::paragraph(measured.join(QLatin1Char('\n')), true));
    if (!facts.metrics.empty()) addFold(article, "All metrics", factTable(facts.metrics));
    addFold(article, "Raw counters",
            facts.counters.empty()
                ? static_cast<QWidget*>(look::paragraph("No counters were collected for this launch.", true))
                : factTable(facts.counters));
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
                         .arg(session::raw(*m_hub.selected()) + 1)
                         .arg(m_hub.session().launches().size()));
}

} // namespace dormer::ui::details
