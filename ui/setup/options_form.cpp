// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/setup/options_form.h"

#include "ui/look/style.h"
#include "ui/look/theme.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace dormer::ui::setup {
namespace {

QCheckBox* box(const char* name, const QString& text, const QString& tip) {
    auto* check = new QCheckBox(text);
    check->setObjectName(name);
    check->setToolTip(tip);
    check->setProperty("tip", tip);
    return check;
}

/// A control that can't be used says why in place of what it does.
void setAvailable(QWidget& control, const QString& problem) {
    control.setEnabled(problem.isEmpty());
    control.setToolTip(problem.isEmpty() ? control.property("tip").toString() : problem);
}

} // namespace

OptionsForm::OptionsForm(QWidget* parent)
    : QWidget(parent)
    , m_fold(new QPushButton)
    , m_body(new QWidget)
    , m_lines(box("countLines", "Count per source line",
                  "Executions, sectors and wavefronts of each instruction and source line"))
    , m_stalls(box("sampleStalls", "Sample warp states",
                   "What the warps of each instruction wait for, sampled instead of counters"))
    , m_allThreads(
          box("nvtxAllThreads", "NVTX ranges of all threads",
              "Launches of threads without NVTX ranges belong to those of the thread that pushed last"))
    , m_flush(box("flushCaches", "Flush caches before counted launches",
                  "Off: caches are as the program leaves them"))
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

    auto* grid = new QGridLayout(m_body);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(look::kGrid);
    grid->setVerticalSpacing(look::kGrid / 2);
    addFields(*grid);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(look::kGrid / 2);
    layout->addWidget(m_fold);
    layout->addWidget(m_body);
    layout->addWidget(m_estimate);
    m_body->hide();
    connect(m_fold, &QPushButton::toggled, this, [this](bool on) {
        m_body->setVisible(on);
        onChange();
    });
    onChange();
}

void OptionsForm::addFields(QGridLayout& grid) {
    for (QCheckBox* check : {m_lines, m_stalls, m_flush, m_allThreads}) {
        grid.addWidget(check, grid.rowCount(), 0, 1, 2);
        connect(check, &QCheckBox::toggled, this, &OptionsForm::onChange);
    }
    m_kernels = addField(grid, "optionKernels", "Kernels", "all",
                         "Count only launches whose kernel or workload matches this regular expression");
    m_nvtx = addField(grid, "optionNvtx", "NVTX ranges", "all",
                      "Count only inside NVTX ranges whose whole path matches this glob: *, ? and [...]");
    m_launches = addField(grid, "optionLaunches", "Launches", "by device",
                          "How many launches of one signature are counted, or all. By default 1 of a "
                          "program on a GPU, where counting takes time, else all.");
    m_timeLimit = addField(grid, "optionTimeLimit", "Time limit, s", "none",
                           "Stops an emulated kernel that runs longer, and reports where it was");
    m_size = addField(grid, "optionSize", "Size", "its own", "Elements per workload");
    m_repeat = addField(grid, "optionRepeat", "Repeat", "its own", "Launches per workload");
    m_sizes = new look::PillCombo;
    m_sizes->setObjectName("optionSizes");
    m_sizes->setAccessibleName("Default sizes");
    m_sizes->setProperty("tip", "Whose default sizes the workloads have");
    m_sizes->addItem("of the device", QString());
    m_sizes->addItem("of a GPU", "gpu");
    m_sizes->addItem("of the emulator", "emulator");
    auto* title = new QLabel("Default sizes");
    title->setObjectName("muted");
    grid.addWidget(title, grid.rowCount(), 0);
    grid.addWidget(m_sizes, grid.rowCount() - 1, 1);
    grid.setColumnStretch(1, 1);
    connect(m_sizes, &QComboBox::currentIndexChanged, this, &OptionsForm::onChange);
}

QLineEdit* OptionsForm::addField(QGridLayout& grid, const char* name, const QString& title,
                                 const QString& hint, const QString& tip) {
    auto* label = new QLabel(title);
    label->setObjectName("muted");
    auto* edit = new QLineEdit;
    edit->setObjectName(name);
    edit->setAccessibleName(title);
    edit->setPlaceholderText(hint);
    edit->setToolTip(tip);
    edit->setProperty("tip", tip);
    const int row = grid.rowCount();
    grid.addWidget(label, row, 0);
    grid.addWidget(edit, row, 1);
    connect(edit, &QLineEdit::textChanged, this, &OptionsForm::onChange);
    return edit;
}

void OptionsForm::fill(RunSetup& setup) const {
    setup.lines = m_lines->isChecked();
    setup.stalls = m_stalls->isChecked();
    setup.kernels = m_kernels->text();
    setup.nvtx = m_nvtx->text();
    setup.nvtxAllThreads = m_allThreads->isChecked();
    setup.launches = m_launches->text().trimmed();
    setup.flushCaches = m_flush->isChecked();
    setup.timeLimit = m_timeLimit->text().trimmed();
    setup.size = m_size->text().trimmed();
    setup.sizes = m_sizes->currentData().toString();
    setup.repeat = m_repeat->text().trimmed();
}

void OptionsForm::setUnavailable(const Unavailable& unavailable) {
    setAvailable(*m_stalls, unavailable.stalls);
    setAvailable(*m_timeLimit, unavailable.timeLimit);
    for (QWidget* control :
         {static_cast<QWidget*>(m_size), static_cast<QWidget*>(m_sizes), static_cast<QWidget*>(m_repeat)})
        setAvailable(*control, unavailable.sizes);
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
    RunSetup now;
    fill(now);
    const QString changes = changedText(now);
    m_fold->setText((unfolded() ? QStringLiteral("\u25be  Options") : QStringLiteral("\u25b8  Options")) +
                    (changes.isEmpty() ? QString() : QStringLiteral(" \u00b7 ") + changes));
    emit changed();
}

} // namespace dormer::ui::setup
