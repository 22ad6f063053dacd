// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/pattern/pattern_panel.h"

#include "ui/look/theme.h"
#include "ui/look/words.h"
#include "ui/pattern/lane_picture_view.h"
#include "ui/pattern/pattern_examples.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

namespace dormer::ui::pattern {
namespace {

constexpr int kExamplesWidth = 30 * look::kGrid;

QString view(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QLabel* line(const char* name, bool muted = false) {
    auto* label = new QLabel;
    label->setObjectName(muted ? QStringLiteral("muted") : QString::fromLatin1(name));
    label->setProperty("line", name);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QScrollArea* scrolled(QWidget* content) {
    auto* area = new QScrollArea;
    area->setWidget(content);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
    return area;
}

} // namespace

PatternPanel::PatternPanel(QWidget* parent)
    : QWidget(parent)
    , m_form(new PatternForm)
    , m_problem(line("patternProblem"))
    , m_headline(line("patternHeadline"))
    , m_use(line("patternUse"))
    , m_advice(line("gain"))
    , m_subject(line("patternSubject", true))
    , m_legend(line("patternLegend", true))
    , m_picture(new LanePictureView(false))
    , m_answer(answer())
    , m_empty(line("patternEmpty", true)) {
    auto* title = new QLabel("What does an access cost?");
    title->setFont(look::headingFont(font(), 3));
    m_problem->setObjectName("gain");
    m_empty->setText(
        "Type the element that a thread accesses, as in your kernel: a[threadIdx.x * 2], or tile[lane][0] "
        "with a row length. Dormer lays out the 32 lanes of a warp, and shows which 32-byte sectors of "
        "global memory, or which banks of shared memory, they touch: how much is moved, how much of it is "
        "used, and what to change. The examples on the left are a start.");
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(2 * look::kGrid, look::kGrid, look::kGrid, look::kGrid);
    column->setSpacing(3 * look::kGrid / 2);
    column->addWidget(title);
    column->addWidget(m_form);
    column->addWidget(m_problem);
    column->addWidget(m_empty);
    column->addWidget(m_answer, 1);
    column->addStretch();
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(look::kGrid);
    layout->addWidget(examples());
    layout->addWidget(page, 1);
    connect(m_form, &PatternForm::changed, this, &PatternPanel::answerQuestion);
    answerQuestion();
}

QWidget* PatternPanel::examples() {
    auto* list = new QWidget;
    auto* column = new QVBoxLayout(list);
    column->setContentsMargins(0, look::kGrid, look::kGrid, look::kGrid);
    column->setSpacing(0);
    auto* title = new QLabel("Examples");
    title->setFont(look::headingFont(font(), 1));
    column->addWidget(title);
    column->addSpacing(look::kGrid / 2);
    for (const PatternExample& example : patternExamples()) {
        auto* button = new QPushButton(view(example.title));
        button->setObjectName("link");
        button->setToolTip(
            QStringLiteral("%1: %2").arg(look::words(example.question.expression), view(example.teaches)));
        connect(button, &QPushButton::clicked, this,
                [this, &example] { m_form->setQuestion(example.question); });
        auto* says = new QLabel(view(example.teaches));
        says->setObjectName("muted");
        says->setFont(look::smallFont(font()));
        says->setWordWrap(true);
        column->addWidget(button, 0, Qt::AlignLeft);
        column->addWidget(says);
        column->addSpacing(look::kGrid / 2);
    }
    column->addStretch();
    QScrollArea* area = scrolled(list);
    area->setFixedWidth(std::max(kExamplesWidth, list->minimumSizeHint().width() +
                                                     area->verticalScrollBar()->sizeHint().width()));
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    return area;
}

QWidget* PatternPanel::answer() {
    m_headline->setFont(look::headingFont(font(), 2));
    m_subject->setFont(look::smallFont(font()));
    m_legend->setFont(look::smallFont(font()));
    m_advice->setFont(look::headingFont(font(), 0));
    auto* drawing = new QWidget;
    auto* inside = new QVBoxLayout(drawing);
    inside->setContentsMargins(0, 0, look::kGrid, 0);
    inside->addWidget(m_picture);
    inside->addWidget(m_legend);
    inside->addStretch();
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(look::kGrid / 2);
    for (QWidget* each : {m_headline, m_use, m_advice, m_subject})
        column->addWidget(each);
    column->addSpacing(look::kGrid);
    column->addWidget(scrolled(drawing), 1);
    return page;
}

void PatternPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_form->expression().setFocus();
}

void PatternPanel::answerQuestion() {
    const bool asked = !m_form->expression().text().trimmed().isEmpty();
    m_empty->setVisible(!asked);
    if (!asked) {
        m_answer->hide();
        m_problem->hide();
        return;
    }
    const auto question = m_form->question();
    if (!question) return showProblem(look::words(question.error().message));
    auto pattern = access::lanePattern(*question);
    if (!pattern) return showProblem(look::words(pattern.error().message));
    m_problem->hide();
    m_headline->setText(look::words(access::patternHeadline(*pattern)));
    m_use->setText(look::words(access::patternUse(*pattern)));
    QString advice = look::words(access::patternAdvice(*pattern));
    if (!advice.isEmpty()) advice[0] = advice[0].toUpper();
    m_advice->setText(advice);
    m_subject->setText(look::words(access::patternSubject(*pattern)));
    for (QLabel* each : {m_use, m_advice})
        each->setVisible(!each->text().isEmpty());
    m_picture->setPattern(std::move(*pattern));
    m_legend->setText(m_picture->legend());
    m_answer->show();
}

void PatternPanel::showProblem(const QString& problem) {
    QString sentence = problem;
    // The message is the command line's, too, where a row length is an option.
    sentence.replace(QLatin1String("--row N"), QStringLiteral("fill in \u201crow length\u201d"));
    if (!sentence.isEmpty()) sentence[0] = sentence[0].toUpper();
    m_problem->setText(sentence);
    m_problem->show();
    m_answer->hide();
}

} // namespace dormer::ui::pattern
