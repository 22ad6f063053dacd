// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/sources/source_head.h"

#include "analysis/metrics/format.h"
#include "ui/look/style.h"
#include "ui/look/theme.h"
#include "ui/look/words.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QShortcut>
#include <QSignalBlocker>

#include <algorithm>

namespace dormer::ui::sources {
namespace {

QPushButton* small(const QString& text, const QString& hint) {
    auto* button = new QPushButton(text);
    button->setObjectName("segment");
    button->setToolTip(hint);
    button->setAccessibleName(hint);
    return button;
}

} // namespace

SourceHead::SourceHead(QWidget* parent)
    : QWidget(parent)
    , m_files(new look::PillCombo)
    , m_heat(new look::PillCombo)
    , m_about(new look::ElidedLabel)
    , m_find(new QLineEdit) {
    m_files->setObjectName("sourceFiles");
    m_files->setAccessibleName("Source file");
    m_files->setToolTip("Files this kernel's instructions come from, the one that wastes most first");
    m_heat->setObjectName("sourceHeat");
    m_heat->setAccessibleName("Heat");
    m_heat->setToolTip("What colours the gutter, and what a hot line is");
    m_about->setObjectName("muted");
    m_find->setObjectName("sourceFind");
    m_find->setPlaceholderText("Find in this file");
    m_find->setToolTip("Enter: the next line that holds it; Shift+Enter: the one before (Ctrl+F)");
    m_find->setAccessibleName("Find in this file");
    m_find->setClearButtonEnabled(true);
    m_find->setFixedWidth(15 * look::kGrid);
    auto* up = small(QStringLiteral("\u25b2"), QStringLiteral("The hot line before (Shift+F8)"));
    auto* down = small(QStringLiteral("\u25bc"), QStringLiteral("The next hot line (F8)"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(look::kGrid / 2);
    row->addWidget(m_files);
    row->addWidget(m_about, 1);
    row->addWidget(m_heat);
    row->addWidget(up);
    row->addWidget(down);
    row->addWidget(m_find);
    connect(up, &QPushButton::clicked, this, [this] { emit hotLineAsked(false); });
    connect(down, &QPushButton::clicked, this, [this] { emit hotLineAsked(true); });
    connect(m_find, &QLineEdit::textEdited, this, [this] { emit findAsked(true, false); });
    auto* next = new QShortcut(Qt::Key_Return, m_find, nullptr, nullptr, Qt::WidgetShortcut);
    auto* previous = new QShortcut(Qt::SHIFT | Qt::Key_Return, m_find, nullptr, nullptr, Qt::WidgetShortcut);
    connect(next, &QShortcut::activated, this, [this] { emit findAsked(true, true); });
    connect(previous, &QShortcut::activated, this, [this] { emit findAsked(false, true); });
    connect(m_heat, &QComboBox::activated, this, [this] {
        m_wanted = static_cast<Heat>(m_heat->currentData().toInt());
        emit heatChosen(*m_wanted);
    });
    connect(m_files, &QComboBox::activated, this,
            [this](int file) { emit fileChosen(static_cast<std::size_t>(file)); });
}

void SourceHead::nameFiles(const lines::KernelSource& source, Heat heat) {
    m_files->clear();
    for (const lines::SourceFileView& file : source.files) {
        const double share = heatOfFile(file, heat);
        QString text = look::words(file.name);
        if (share > 0 && heat != Heat::Instructions)
            text += QStringLiteral(" \u00b7 %1 of the %2")
                        .arg(look::words(metrics::forPeople(share, metrics::Unit::Ratio)),
                             heat == Heat::Stalls ? QStringLiteral("warps")
                                                  : look::words(view::details::textOf(heat, source).title));
        m_files->addItem(text);
        m_files->setItemData(m_files->count() - 1, look::words(file.path), Qt::ToolTipRole);
    }
    m_files->setVisible(m_files->count() > 0);
}

Heat SourceHead::describe(const lines::KernelSource& source, std::size_t launches) {
    const QSignalBlocker quiet(m_files), quietHeat(m_heat);
    m_heat->clear();
    const std::vector<Heat> heats = view::details::heatsOf(source);
    for (const Heat heat : heats) {
        m_heat->addItem(QStringLiteral("hot: %1").arg(look::words(view::details::textOf(heat, source).title)),
                        static_cast<int>(heat));
        m_heat->setItemData(m_heat->count() - 1, look::words(view::details::textOf(heat, source).tooltip),
                            Qt::ToolTipRole);
    }
    const bool kept = m_wanted && std::ranges::find(heats, *m_wanted) != heats.end();
    const Heat heat = kept ? *m_wanted : heats.empty() ? Heat::Waste : heats.front();
    m_heat->setCurrentIndex(m_heat->findData(static_cast<int>(heat)));
    m_heat->setVisible(m_heat->count() > 0);
    nameFiles(source, heat);
    const auto count = static_cast<qlonglong>(launches);
    m_about->setText(QStringLiteral("%1 \u00b7 %2 %3 \u00b7 %4 instructions")
                         .arg(look::words(toString(source.language)).toUpper())
                         .arg(count)
                         .arg(count == 1 ? QLatin1String("launch") : QLatin1String("launches"))
                         .arg(source.code.size()));
    return heat;
}

void SourceHead::setFile(std::size_t file) {
    m_files->setCurrentIndex(static_cast<int>(file));
}

void SourceHead::setMissing(bool missing) {
    m_find->setStyleSheet(missing ? QStringLiteral("color: %1").arg(look::coloursFor(palette()).gain.name())
                                  : QString());
}

} // namespace dormer::ui::sources
