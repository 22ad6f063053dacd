// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/welcome.h"

#include "ui/look/theme.h"

#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace dormer::ui::shell {
namespace {

constexpr int kWidth = 60 * look::kGrid;
const QString kRunTitle = QStringLiteral("Run the demo suite");
const QString kProgramTitle = QStringLiteral("Profile a program");
const QString kLearnTitle = QStringLiteral("Learn");
const QString kOpenTitle = QStringLiteral("Open a recording");
const QString kPatternTitle = QStringLiteral("Draw an access");
const QString kPlayTitle = QStringLiteral("Play the sample recording");

} // namespace

Welcome::Welcome(QWidget* parent) : QWidget(parent) {
    auto* title = new QLabel("Where do your kernels stand?");
    title->setFont(look::headingFont(font(), 7));
    auto* words =
        new QLabel("Dormer counts what each kernel does, sets it against what the GPU could do, and says "
                   "what bounds it and what to change.");
    words->setObjectName("muted");
    words->setWordWrap(true);
    words->setFixedWidth(kWidth);

    auto* column = new QVBoxLayout;
    column->setSpacing(look::kGrid);
    column->addWidget(title);
    column->addWidget(words);
    column->addSpacing(look::kGrid);
    m_run = choice(*column, "welcomeRun", kRunTitle);
    m_open = choice(*column, "welcomeOpen", kOpenTitle);
    m_play = choice(*column, "welcomePlay", kPlayTitle);
    QPushButton* program = choice(*column, "welcomeProgram", kProgramTitle);
    QPushButton* pattern = choice(*column, "welcomePattern", kPatternTitle);
    QPushButton* course = choice(*column, "welcomeLearn", kLearnTitle);
    describe(*course, kLearnTitle,
             "The built-in kernels as a course: predict which is the fastest, run, and see why.");
    describe(*pattern, kPatternTitle,
             "Type an index such as a[tid * 2]: which sectors or banks a warp touches. Needs no GPU.");
    describe(*program, kProgramTitle,
             "Any CUDA program, unmodified: C++, Python with PyTorch, JAX, CuPy or Triton.");
    describe(*m_open, kOpenTitle, "A .dormer file from any machine (Ctrl+O), or drop it onto this window.");
    setRunnable(false, "Looking for a GPU\u2026");
    setRecording({});
    connect(m_run, &QPushButton::clicked, this, &Welcome::runRequested);
    connect(pattern, &QPushButton::clicked, this, &Welcome::patternRequested);
    connect(course, &QPushButton::clicked, this, &Welcome::learnRequested);
    connect(program, &QPushButton::clicked, this, &Welcome::programRequested);
    connect(m_open, &QPushButton::clicked, this, &Welcome::openRequested);
    connect(m_play, &QPushButton::clicked, this, [this] { emit playRequested(m_recording); });

    auto* layout = new QVBoxLayout(this);
    layout->addStretch(2);
    auto* centre = new QHBoxLayout;
    centre->addStretch();
    centre->addLayout(column);
    centre->addStretch();
    layout->addLayout(centre);
    layout->addStretch(3);
}

QPushButton* Welcome::choice(QVBoxLayout& column, const QString& name, const QString& title) {
    auto* button = new QPushButton;
    button->setObjectName("choice");
    button->setProperty("choiceName", name);
    button->setAccessibleName(title);
    button->setFixedWidth(kWidth);
    // The button's own text is one font; title and sentence are labels the mouse looks through.
    auto* inside = new QVBoxLayout(button);
    inside->setContentsMargins(2 * look::kGrid, 3 * look::kGrid / 2, 2 * look::kGrid, 3 * look::kGrid / 2);
    inside->setSpacing(look::kGrid / 4);
    for (const char* part : {"", "muted"}) {
        auto* label = new QLabel;
        label->setAttribute(Qt::WA_TransparentForMouseEvents);
        label->setWordWrap(true);
        label->setObjectName(part);
        inside->addWidget(label);
    }
    column.addWidget(button);
    return button;
}

void Welcome::describe(QPushButton& button, const QString& title, const QString& sentence) {
    const QList<QLabel*> labels = button.findChildren<QLabel*>();
    labels[0]->setText(title);
    labels[0]->setFont(look::headingFont(button.font(), 1));
    labels[1]->setText(sentence);
    button.setToolTip(sentence);
    // A button sizes itself by its own text and knows nothing of the labels in it.
    const int height = button.layout()->hasHeightForWidth() ? button.layout()->totalHeightForWidth(kWidth)
                                                            : button.layout()->totalSizeHint().height();
    button.setFixedHeight(height);
}

void Welcome::setRunnable(bool runnable, const QString& reason) {
    describe(*m_run, kRunTitle,
             runnable ? QStringLiteral("Built-in kernels across the roofline on this machine's GPU (Ctrl+R).")
                      : reason);
    m_run->setEnabled(runnable);
}

void Welcome::setRecording(const QString& file) {
    m_recording = file;
    m_play->setVisible(!file.isEmpty());
    if (!file.isEmpty())
        describe(
            *m_play, kPlayTitle,
            QStringLiteral("%1, shown as if it were being collected now.").arg(QFileInfo(file).fileName()));
}

} // namespace dormer::ui::shell
