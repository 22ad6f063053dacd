// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/learn/learn_view.h"

#include "analysis/metrics/format.h"
#include "ui/learn/progress.h"
#include "ui/look/theme.h"
#include "ui/look/verdict_style.h"
#include "ui/look/words.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace dormer::ui::learn {
namespace {

constexpr int kListWidth = 30 * look::kGrid;
constexpr int kMarkSize = 14;

QLabel* wrapped(const QString& text, const char* name = "") {
    auto* label = new QLabel(text);
    label->setObjectName(name);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    return label;
}

/// Told by a sign beside the words, not by a colour.
QString markOf(Progress progress) {
    return progress == Progress::Right   ? QStringLiteral("\u2713 ")
           : progress == Progress::Wrong ? QStringLiteral("\u2717 ")
                                         : QStringLiteral("\u00b7 ");
}

} // namespace

LearnView::LearnView(QWidget* parent)
    : QFrame(parent)
    , m_list(new QListWidget)
    , m_title(new QLabel)
    , m_about(wrapped({}, "muted"))
    , m_choices(new QVBoxLayout)
    , m_prediction(new QButtonGroup(this))
    , m_run(new QPushButton("Run and see"))
    , m_said(wrapped({}))
    , m_result(new QVBoxLayout)
    , m_next(new QPushButton) {
    setObjectName("panel");
    m_list->setObjectName("lessons");
    m_list->setAccessibleName("Lessons");
    m_list->setFixedWidth(kListWidth);
    m_title->setFont(look::headingFont(font(), 5));
    m_title->setWordWrap(true);
    m_run->setProperty("learn", "run");
    m_said->setObjectName("lessonSaid");
    m_next->setObjectName("link");
    m_next->setProperty("learn", "next");
    auto* close = new QPushButton("Close");
    close->setObjectName("link");
    close->setProperty("learn", "close");
    auto* question = new QLabel("Which of these is the fastest? Predict, then run.");
    question->setFont(look::headingFont(font(), 1));

    auto* head = new QHBoxLayout;
    head->addWidget(m_title, 1);
    head->addWidget(close, 0, Qt::AlignTop);
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setSpacing(look::kGrid);
    column->addLayout(head);
    column->addWidget(m_about);
    column->addSpacing(look::kGrid);
    column->addWidget(question);
    column->addLayout(m_choices);
    column->addWidget(m_run, 0, Qt::AlignLeft);
    column->addWidget(m_said);
    column->addLayout(m_result);
    column->addWidget(m_next, 0, Qt::AlignLeft);
    column->addStretch();
    auto* scroll = new QScrollArea;
    scroll->setWidget(page);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->viewport()->setAutoFillBackground(false);
    page->setAutoFillBackground(false);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(2 * look::kGrid, 2 * look::kGrid, 2 * look::kGrid, 2 * look::kGrid);
    layout->addWidget(m_list);
    layout->addWidget(scroll, 1);

    connect(m_list, &QListWidget::currentRowChanged, this, &LearnView::showLesson);
    connect(m_prediction, &QButtonGroup::idToggled, this, &LearnView::update);
    connect(m_run, &QPushButton::clicked, this, [this] {
        if (const Lesson* now = lesson()) emit runRequested(now->workloads());
    });
    connect(m_next, &QPushButton::clicked, this, [this] { m_list->setCurrentRow(m_list->currentRow() + 1); });
    connect(close, &QPushButton::clicked, this, &LearnView::closed);
    update();
}

const Lesson* LearnView::lesson() const {
    const auto row = static_cast<std::size_t>(std::max(0, m_list->currentRow()));
    return row < m_lessons.size() ? &m_lessons[row] : nullptr;
}

void LearnView::setSuite(const std::vector<instrument::launch::WorkloadInfo>& suite) {
    m_lessons = lessonsOf(suite);
    m_list->clear();
    int first = 0;
    for (const Lesson& each : m_lessons)
        m_list->addItem(each.title);
    // Where one left off.
    for (int row = static_cast<int>(m_lessons.size()) - 1; row >= 0; --row)
        if (progressIn(m_lessons[static_cast<std::size_t>(row)].family) == Progress::Open) first = row;
    markProgress();
    m_list->setCurrentRow(first);
}

void LearnView::markProgress() {
    for (int row = 0; row < m_list->count(); ++row) {
        const Lesson& each = m_lessons[static_cast<std::size_t>(row)];
        const Progress progress = progressIn(each.family);
        m_list->item(row)->setText(markOf(progress) + each.title);
        m_list->item(row)->setToolTip(progress == Progress::Right ? QStringLiteral("Predicted")
                                      : progress == Progress::Wrong
                                          ? QStringLiteral("Run, and the prediction was wrong")
                                          : QStringLiteral("Not run yet"));
    }
}

void LearnView::setProblem(const QString& problem) {
    m_problem = problem;
    update();
}

void LearnView::empty(QVBoxLayout& layout) {
    while (QLayoutItem* item = layout.takeAt(0)) {
        if (item->widget() != nullptr) delete item->widget();
        delete item;
    }
}

void LearnView::showLesson(int) {
    m_running = false;
    empty(*m_result);
    empty(*m_choices);
    m_said->clear();
    if (const Lesson* now = lesson()) showChoices(*now);
    update();
}

void LearnView::showChoices(const Lesson& lesson) {
    m_title->setText(lesson.title);
    m_about->setText(lesson.about);
    for (std::size_t i = 0; i < lesson.choices.size(); ++i) {
        const Choice& choice = lesson.choices[i];
        auto* button = new QRadioButton(choice.variant);
        button->setProperty("choice", choice.workload);
        m_prediction->addButton(button, static_cast<int>(i));
        auto* shows = wrapped(choice.shows, "muted");
        shows->setIndent(3 * look::kGrid);
        m_choices->addWidget(button);
        m_choices->addWidget(shows);
    }
}

void LearnView::setRunning() {
    m_running = true;
    empty(*m_result);
    update();
}

void LearnView::setResult(const diagnosis::Diagnosis& diagnosis) {
    m_running = false;
    const Lesson* now = lesson();
    if (now == nullptr) return update();
    const std::vector<Outcome> outcomes = outcomesOf(*now, diagnosis);
    if (outcomes.size() < 2) {
        m_said->setText(QStringLiteral(
            "Fewer than two of them have a time: nothing to compare. The message above, or the "
            "roofline, says what came of the run."));
        return update();
    }
    const Choice& fastest = now->choices[outcomes.front().choice];
    const bool right = m_prediction->checkedId() == static_cast<int>(outcomes.front().choice);
    m_said->setText(QStringLiteral("%1 %2 is the fastest.")
                        .arg(right ? QStringLiteral("\u2713 Right:") : QStringLiteral("\u2717 Not quite:"),
                             fastest.variant));
    remember(now->family, right);
    markProgress();
    empty(*m_result);
    for (std::size_t place = 0; place < outcomes.size(); ++place)
        showOutcome(outcomes, place);
    update();
}

void LearnView::showOutcome(const std::vector<Outcome>& outcomes, std::size_t place) {
    const Outcome& outcome = outcomes[place];
    const double times = outcome.ns / outcomes.front().ns;
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* mark = new QLabel;
    mark->setPixmap(
        look::verdictPixmap(outcome.bound, kMarkSize, look::isDark(palette()), devicePixelRatioF()));
    auto* name = new QPushButton(lesson()->choices[outcome.choice].variant);
    name->setObjectName("link");
    name->setProperty("outcome", lesson()->choices[outcome.choice].workload);
    name->setToolTip("Look at it on the roofline");
    connect(name, &QPushButton::clicked, this,
            [this, launch = outcome.launch] { emit launchChosen(launch); });
    QString text = look::words(metrics::forPeople(outcome.ns, metrics::Unit::Nanoseconds));
    if (place > 0) text += QStringLiteral(" \u00b7 \u00d7%1").arg(times, 0, 'f', times < 10 ? 2 : 0);
    text += QStringLiteral(" \u00b7 ") + look::verdictWord(outcome.bound);
    layout->addWidget(mark);
    layout->addWidget(name);
    layout->addWidget(new QLabel(text));
    layout->addStretch();
    m_result->addWidget(row);
}

void LearnView::update() {
    const int row = m_list->currentRow();
    const bool predicted = m_prediction->checkedId() >= 0;
    m_run->setEnabled(m_problem.isEmpty() && predicted && !m_running && lesson() != nullptr);
    m_run->setToolTip(!m_problem.isEmpty() ? m_problem
                      : !predicted         ? QStringLiteral("Predict first: choose one of them")
                                           : QStringLiteral("Run these kernels"));
    if (m_running) m_said->setText(QStringLiteral("Running\u2026"));
    m_said->setVisible(!m_said->text().isEmpty());
    const bool more = row >= 0 && static_cast<std::size_t>(row) + 1 < m_lessons.size();
    m_next->setVisible(more && m_result->count() > 0);
    if (more)
        m_next->setText(
            QStringLiteral("Next: %1 \u2192").arg(m_lessons[static_cast<std::size_t>(row) + 1].title));
}

} // namespace dormer::ui::learn
