// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/setup/program_form.h"

#include "instrument/request/shell_words.h"
#include "ui/look/theme.h"
#include "ui/look/words.h"
#include "ui/setup/recent_programs.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

namespace dormer::ui::setup {
namespace {

QLabel* fieldTitle(const QString& words) {
    auto* label = new QLabel(words);
    label->setObjectName("muted");
    label->setFont(look::smallFont(label->font()));
    return label;
}

/// One of the list: what was run, and where and with what below the pointer.
QString described(const RecentProgram& recent) {
    const TypedProgram& program = recent.program;
    QString text = program.command;
    if (!program.folder.isEmpty()) text += QStringLiteral("\nin %1").arg(program.folder);
    if (!program.environment.isEmpty()) text += QStringLiteral("\nwith %1").arg(program.environment);
    const QString options = changedText(recent.options);
    if (!recent.options.counterSet.isEmpty())
        text += QStringLiteral("\ncounters: %1").arg(recent.options.counterSet);
    if (!options.isEmpty()) text += QStringLiteral("\n%1").arg(options);
    return text;
}

} // namespace

ProgramForm::ProgramForm(QWidget* parent) : QWidget(parent), m_recent(new QListWidget) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(look::kGrid / 2);
    m_command = field("programCommand", "Program and arguments", "./app --size 4096",
                      "As in a shell, quotes included; no shell runs. Enter starts it.");
    m_folder = field("programFolder", "Working folder", "where Dormer was started",
                     "The folder that the program starts in; a relative program is looked for there");
    m_environment = field("programEnvironment", "Environment", "NAME=value NAME=\"two words\"",
                          "Variables added to Dormer's own, quoted as in a shell");
    m_recentTitle = new QLabel("Recent programs");
    m_recentTitle->setFont(look::headingFont(font(), 1));
    m_recent->setObjectName("recentPrograms");
    m_recent->setAccessibleName("Recent programs");
    m_recent->setTextElideMode(Qt::ElideMiddle);
    m_recent->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    layout->addSpacing(look::kGrid);
    layout->addWidget(m_recentTitle);
    layout->addWidget(m_recent, 1);
    layout->addStretch();

    const auto browse = [](QLineEdit& edit, const char* name, const QString& tip) {
        auto* button = new QPushButton(QStringLiteral("\u2026"), &edit);
        button->setObjectName("link");
        button->setProperty("browse", name);
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        button->setCursor(Qt::ArrowCursor);
        auto* row = new QHBoxLayout(&edit);
        row->setContentsMargins(0, 0, look::kGrid, 0);
        row->addStretch();
        row->addWidget(button);
        edit.setTextMargins(0, 0, 3 * look::kGrid, 0);
        return button;
    };
    connect(browse(*m_command, "program", "Choose a program"), &QPushButton::clicked, this,
            &ProgramForm::chooseProgram);
    connect(browse(*m_folder, "folder", "Choose a folder"), &QPushButton::clicked, this,
            &ProgramForm::chooseFolder);
    const auto take = [this](QListWidgetItem* item) {
        const auto recent = item->data(Qt::UserRole).value<RecentProgram>();
        setProgram(recent.program);
        emit optionsChosen(recent.options);
    };
    connect(m_recent, &QListWidget::itemClicked, this, take);
    connect(m_recent, &QListWidget::itemActivated, this, take);
    showRecent();
}

QLineEdit* ProgramForm::field(const char* name, const QString& title, const QString& hint,
                              const QString& tip) {
    auto* edit = new QLineEdit;
    edit->setObjectName(name);
    edit->setAccessibleName(title);
    edit->setPlaceholderText(hint);
    edit->setToolTip(tip);
    layout()->addWidget(fieldTitle(title));
    layout()->addWidget(edit);
    connect(edit, &QLineEdit::textChanged, this, &ProgramForm::changed);
    connect(edit, &QLineEdit::returnPressed, this, &ProgramForm::runRequested);
    return edit;
}

TypedProgram ProgramForm::program() const {
    return {m_command->text().trimmed(), m_environment->text().trimmed(), m_folder->text().trimmed()};
}

void ProgramForm::setProgram(const TypedProgram& program) {
    m_command->setText(program.command);
    m_environment->setText(program.environment);
    m_folder->setText(program.folder);
    m_command->setCursorPosition(0);
}

void ProgramForm::showRecent() {
    m_recent->clear();
    for (const RecentProgram& recent : recentPrograms()) {
        auto* item = new QListWidgetItem(recent.program.command, m_recent);
        item->setData(Qt::UserRole, QVariant::fromValue(recent));
        item->setToolTip(described(recent));
    }
    m_recentTitle->setVisible(m_recent->count() > 0);
    m_recent->setVisible(m_recent->count() > 0);
}

void ProgramForm::startTyping() {
    m_command->setFocus();
    m_command->selectAll();
}

void ProgramForm::chooseProgram() {
    const QString file = QFileDialog::getOpenFileName(this, "Choose a program", m_folder->text());
    if (!file.isEmpty())
        m_command->setText(look::words(instrument::request::shellQuoted(file.toStdString())));
}

void ProgramForm::chooseFolder() {
    const QString folder = QFileDialog::getExistingDirectory(this, "Choose a folder", m_folder->text());
    if (!folder.isEmpty()) m_folder->setText(folder);
}

} // namespace dormer::ui::setup
