// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/setup/options_form.h"

#include "instrument/request/option_help.h"
#include "ui/look/sentence.h"
#include "ui/look/style.h"
#include "ui/look/theme.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace dormer::ui::setup {
namespace {

namespace help = instrument::request::help;

/// Rich text, which a tooltip wraps.
QString tooltip(const QString& text) {
    return QStringLiteral("<p>%1</p>").arg(text.toHtmlEscaped());
}

/// What a control is for, and what says so where it can't be used: the same place.
void describe(QWidget& control, const char* name, const char* text) {
    control.setObjectName(name);
    control.setToolTip(tooltip(look::sentence(text)));
    control.setProperty("tip", control.toolTip());
}

QCheckBox* box(const char* name, const QString& text, const char* help) {
    auto* check = new QCheckBox(text);
    describe(*check, name, help);
    return check;
}

/// A control that can't be used says why in place of what it does.
void setAvailable(const QString& problem, std::initializer_list<QWidget*> controls) {
    for (QWidget* control : controls) {
        control->setEnabled(problem.isEmpty());
        control->setToolTip(problem.isEmpty() ? control->property("tip").toString() : tooltip(problem));
    }
}

/// A panel without room shows so many lines of the controls at least.
constexpr int kLeastRows = 4;

/// As high as its content while there is room, and never narrower.
class Scrolled : public QScrollArea {
public:
    [[nodiscard]] QSize sizeHint() const override {
        // The bar's own hint leaves out the margin that the style sheet gives it.
        return widget()->minimumSizeHint() + QSize(verticalScrollBar()->sizeHint().width() + look::kGrid, 2);
    }
    [[nodiscard]] QSize minimumSizeHint() const override {
        return {sizeHint().width(), kLeastRows * fontMetrics().height() * 2};
    }
};

} // namespace

OptionsForm::OptionsForm(QWidget* parent)
    : QWidget(parent)
    , m_fold(new QPushButton)
    , m_scroll(new Scrolled)
    , m_lines(box("countLines", "Count per source line", help::kLines))
    , m_stalls(box("sampleStalls", "Sample warp states", help::kStalls))
    , m_allThreads(box("nvtxAllThreads", "NVTX ranges of all threads", help::kNvtxAllThreads))
    , m_flush(box("flushCaches", "Flush caches before counted launches", help::kCache))
    , m_estimate(new QLabel) {
    m_fold->setObjectName("link");
    m_fold->setProperty("fold", "options");
    m_fold->setCheckable(true);
    m_fold->setAccessibleName("Options");
    m_fold->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    m_flush->setChecked(true);
    m_estimate->setObjectName("muted");
    m_estimate->setProperty("line", "estimate");
    m_estimate->setFont(look::smallFont(font()));
    m_estimate->setWordWrap(true);

    auto* body = new QWidget;
    m_grid = new QGridLayout(body);
    m_grid->setContentsMargins(0, 0, look::kGrid, 0);
    m_grid->setHorizontalSpacing(look::kGrid);
    m_grid->setVerticalSpacing(look::kGrid / 2);
    for (QCheckBox* check : {m_lines, m_stalls, m_flush, m_allThreads}) {
        m_grid->addWidget(check, m_grid->rowCount(), 0, 1, 2);
        connect(check, &QCheckBox::toggled, this, &OptionsForm::onChange);
    }
    addFields();
    m_grid->setColumnStretch(1, 1);
    m_scroll->setWidget(body);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    m_scroll->viewport()->setAutoFillBackground(false);
    body->setAutoFillBackground(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(look::kGrid / 2);
    layout->addWidget(m_fold);
    layout->addWidget(m_scroll);
    layout->addWidget(m_estimate);
    m_scroll->hide();
    connect(m_fold, &QPushButton::toggled, this, [this](bool on) {
        m_scroll->setVisible(on);
        onChange();
        emit foldedOrUnfolded();
    });
    onChange();
}

void OptionsForm::addFields() {
    m_kernels = addField("optionKernels", "Kernels", "all", help::kKernels);
    m_nvtx = addField("optionNvtx", "NVTX ranges", "all", help::kNvtx);
    m_launches = addField("optionLaunches", "Launches", "by device", help::kLaunches);
    m_replay = addChoice("optionReplay", "Replay", {{"auto", ""}, {"none", "none"}, {"kernel", "kernel"}},
                         help::kReplay);
    m_budget = addField("optionBudget", "Replay budget", "by replay", help::kBudget);
    m_check = addChoice("optionCheck", "Check",
                        {{"first and last block", ""},
                         {"race", "race"},
                         {"init", "init"},
                         {"race, init", "race,init"},
                         {"none", "none"}},
                        help::kCheck);
    m_onFault =
        addChoice("optionOnFault", "On fault", {{"stop", ""}, {"continue", "continue"}}, help::kOnFault);
    m_timeLimit = addField("optionTimeLimit", "Time limit, s", "none", help::kTimeLimit);
    m_size = addField("optionSize", "Size", "its own", help::kSize);
    m_repeat = addField("optionRepeat", "Repeat", "its own", help::kRepeat);
    m_sizes = addChoice("optionSizes", "Default sizes",
                        {{"of the device", ""}, {"of a GPU", "gpu"}, {"of the emulator", "emulator"}},
                        help::kSizes);
}

void OptionsForm::addRow(const QString& title, QWidget& control, const char* name, const char* help) {
    auto* label = new QLabel(title);
    label->setObjectName("muted");
    control.setAccessibleName(title);
    describe(control, name, help);
    const int row = m_grid->rowCount();
    m_grid->addWidget(label, row, 0);
    m_grid->addWidget(&control, row, 1);
}

QLineEdit* OptionsForm::addField(const char* name, const QString& title, const QString& hint,
                                 const char* help) {
    auto* edit = new QLineEdit;
    edit->setPlaceholderText(hint);
    addRow(title, *edit, name, help);
    connect(edit, &QLineEdit::textChanged, this, &OptionsForm::onChange);
    return edit;
}

QComboBox* OptionsForm::addChoice(const char* name, const QString& title,
                                  std::initializer_list<Choice> choices, const char* help) {
    auto* combo = new look::PillCombo;
    for (const Choice& choice : choices)
        combo->addItem(choice.text, QString(choice.value));
    addRow(title, *combo, name, help);
    connect(combo, &QComboBox::currentIndexChanged, this, &OptionsForm::onChange);
    return combo;
}

RunOptions OptionsForm::options() const {
    return {.counterSet = {},
            .lines = m_lines->isChecked(),
            .stalls = m_stalls->isChecked(),
            .kernels = m_kernels->text(),
            .nvtx = m_nvtx->text(),
            .nvtxAllThreads = m_allThreads->isChecked(),
            .launches = m_launches->text().trimmed(),
            .replay = m_replay->currentData().toString(),
            .budget = m_budget->text().trimmed(),
            .flushCaches = m_flush->isChecked(),
            .check = m_check->currentData().toString(),
            .onFault = m_onFault->currentData().toString(),
            .timeLimit = m_timeLimit->text().trimmed(),
            .size = m_size->text().trimmed(),
            .sizes = m_sizes->currentData().toString(),
            .repeat = m_repeat->text().trimmed()};
}

void OptionsForm::setOptions(const RunOptions& options) {
    {
        const QSignalBlocker one(this); // all of it is one change
        m_lines->setChecked(options.lines);
        m_stalls->setChecked(options.stalls);
        m_kernels->setText(options.kernels);
        m_nvtx->setText(options.nvtx);
        m_allThreads->setChecked(options.nvtxAllThreads);
        m_launches->setText(options.launches);
        m_budget->setText(options.budget);
        m_flush->setChecked(options.flushCaches);
        m_timeLimit->setText(options.timeLimit);
        m_size->setText(options.size);
        m_repeat->setText(options.repeat);
        for (const auto& [combo, value] : {std::pair{m_replay, options.replay},
                                           {m_check, options.check},
                                           {m_onFault, options.onFault},
                                           {m_sizes, options.sizes}})
            combo->setCurrentIndex(std::max(0, combo->findData(value)));
    }
    onChange();
}

void OptionsForm::setUnavailable(const Unavailable& unavailable) {
    setAvailable(unavailable.stalls, {m_stalls});
    setAvailable(unavailable.replay, {m_replay, m_budget});
    setAvailable(unavailable.check, {m_check});
    setAvailable(unavailable.onFault, {m_onFault});
    setAvailable(unavailable.timeLimit, {m_timeLimit});
    setAvailable(unavailable.sizes, {m_size, m_sizes, m_repeat});
}

void OptionsForm::setEstimate(const QString& text) {
    m_estimate->setText(text);
    m_estimate->setVisible(!text.isEmpty());
    fitEstimate();
}

void OptionsForm::fitEstimate() {
    // A layout in a panel that is short of room gives wrapped text one line.
    m_estimate->setMinimumHeight(std::max(0, m_estimate->heightForWidth(width())));
}

void OptionsForm::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitEstimate();
}

bool OptionsForm::unfolded() const {
    return m_fold->isChecked();
}

void OptionsForm::setUnfolded(bool unfolded) {
    m_fold->setChecked(unfolded);
}

void OptionsForm::chooseLines() {
    setUnfolded(true);
    m_lines->setChecked(true);
}

void OptionsForm::onChange() {
    const QString changes = changedText(options());
    m_fold->setText((unfolded() ? QStringLiteral("\u25be  Options") : QStringLiteral("\u25b8  Options")) +
                    (changes.isEmpty() ? QString() : QStringLiteral(" \u00b7 ") + changes));
    emit changed();
}

} // namespace dormer::ui::setup
