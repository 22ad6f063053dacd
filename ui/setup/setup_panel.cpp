// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/setup/setup_panel.h"

#include "ui/look/theme.h"
#include "ui/setup/options_form.h"
#include "ui/setup/program_form.h"
#include "ui/workloads/workload_panel.h"
#include "ui/workloads/workload_tree.h"

#include <QButtonGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace dormer::ui::setup {
namespace {

constexpr int kLeastWidth = 35 * look::kGrid; // what is longer is wrapped

} // namespace

SetupPanel::SetupPanel(QWidget* parent)
    : QFrame(parent)
    , m_workloads(new workloads::WorkloadPanel)
    , m_program(new ProgramForm)
    , m_options(new OptionsForm)
    , m_pages(new QStackedWidget) {
    setObjectName("panel");
    setMinimumWidth(kLeastWidth);
    auto* row = new QHBoxLayout;
    row->setSpacing(2 * look::kGrid);
    auto* group = new QButtonGroup(this);
    const char* const names[] = {"Workloads", "Program"};
    const char* const hints[] = {"Kernels that come with Dormer, each of which shows one thing",
                                 "Any CUDA program, unmodified: C++, Python with PyTorch, JAX, CuPy, Triton"};
    for (std::size_t i = 0; i < m_tabs.size(); ++i) {
        m_tabs[i] = new QPushButton(names[i]);
        m_tabs[i]->setObjectName("tab");
        m_tabs[i]->setCheckable(true);
        m_tabs[i]->setToolTip(hints[i]);
        group->addButton(m_tabs[i]);
        row->addWidget(m_tabs[i]);
        connect(m_tabs[i], &QPushButton::toggled, this, [this, i](bool on) {
            if (!on) return;
            m_pages->setCurrentIndex(static_cast<int>(i));
            emit subjectChanged();
            emit changed();
        });
    }
    row->addStretch();
    m_pages->addWidget(m_workloads);
    m_pages->addWidget(m_program);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * look::kGrid, look::kGrid / 2, look::kGrid, look::kGrid);
    layout->setSpacing(look::kGrid);
    layout->addLayout(row);
    layout->addWidget(m_pages, 1);
    layout->addWidget(m_options);
    m_tabs[0]->setChecked(true);
    connect(m_workloads, &workloads::WorkloadPanel::chosenChanged, this, &SetupPanel::changed);
    connect(m_program, &ProgramForm::changed, this, &SetupPanel::changed);
    connect(m_program, &ProgramForm::runRequested, this, &SetupPanel::runRequested);
    connect(m_program, &ProgramForm::optionsChosen, this, [this](const RunOptions& options) {
        m_options->setOptions(options);
        if (!options.counterSet.isEmpty()) emit counterSetChosen(options.counterSet);
    });
    connect(m_options, &OptionsForm::changed, this, &SetupPanel::changed);
    connect(m_options, &OptionsForm::foldedOrUnfolded, this, &SetupPanel::makeRoom);
}

bool SetupPanel::event(QEvent* event) {
    // Another font, or controls that were just polished, need another width.
    if (event->type() == QEvent::LayoutRequest) makeRoom();
    return QFrame::event(event);
}

void SetupPanel::makeRoom() {
    const QMargins margins = layout()->contentsMargins();
    const int options = m_options->minimumSizeHint().width() + margins.left() + margins.right();
    const int least = std::max(kLeastWidth, m_options->unfolded() ? options : 0);
    if (least != minimumWidth()) setMinimumWidth(least);
}

Subject SetupPanel::subject() const {
    return static_cast<Subject>(m_pages->currentIndex());
}

void SetupPanel::setSubject(Subject subject) {
    m_tabs[static_cast<std::size_t>(subject)]->setChecked(true);
}

RunSetup SetupPanel::setup() const {
    RunSetup setup;
    setup.subject = subject();
    setup.workloads = m_workloads->tree().chosen();
    setup.program = m_program->program();
    static_cast<RunOptions&>(setup) = m_options->options();
    return setup;
}

} // namespace dormer::ui::setup
