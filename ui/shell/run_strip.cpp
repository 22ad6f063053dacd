// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/run_strip.h"

#include "analysis/metrics/format.h"
#include "ui/look/theme.h"
#include "ui/look/words.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace dormer::ui::shell {
namespace {

/// Beside the one on screen.
constexpr std::size_t kMostCards = 2;
constexpr int kMostLetters = 22;
const QString kDot = QStringLiteral(" \u00b7 ");

/// The program without its folders and arguments.
QString shortProgram(const QString& program) {
    const QString first = program.section(QLatin1Char(' '), 0, 0);
    QString name = first.contains(QLatin1Char('/')) ? QFileInfo(first).fileName() : program;
    if (name.size() > kMostLetters) name = name.left(kMostLetters - 1) + QStringLiteral("\u2026");
    return name;
}

} // namespace

QString runTitle(const sessions::Run& run) {
    QStringList parts{shortProgram(run.program), run.time.toString(QStringLiteral("HH:mm:ss"))};
    if (run.kernelNs > 0) parts << look::words(metrics::forPeople(run.kernelNs, metrics::Unit::Nanoseconds));
    return parts.join(kDot);
}

QString runFacts(const sessions::Run& run) {
    QStringList lines{run.program};
    QStringList how;
    if (!run.device.isEmpty()) how << run.device;
    if (!run.set.isEmpty()) how << QStringLiteral("counters: %1").arg(run.set);
    if (!how.isEmpty()) lines << how.join(kDot);
    lines << run.time.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
    if (run.launches > 0) lines << QStringLiteral("%1 launches").arg(run.launches);
    lines << run.files;
    return lines.join(QLatin1Char('\n'));
}

RunStrip::RunStrip(const sessions::RunHistory& history, QWidget* parent)
    : QWidget(parent), m_history(history), m_row(new QHBoxLayout(this)) {
    setObjectName("runs");
    setAccessibleName("Runs");
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(look::kGrid);
    m_row->setAlignment(Qt::AlignRight);
    m_row->setSizeConstraint(QLayout::SetNoConstraint);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    connect(&history, &sessions::RunHistory::changed, this, &RunStrip::fill);
    fill();
}

void RunStrip::fill() {
    while (QLayoutItem* item = m_row->takeAt(0)) {
        if (QWidget* card = item->widget()) {
            card->hide();
            card->deleteLater(); // a click on it may be what brought us here
        }
        delete item;
    }
    const auto current = m_history.current(), baseline = m_history.baseline();
    if (!current) return;
    std::vector<std::size_t> shown{*current};
    if (baseline) shown.insert(shown.begin(), *baseline);
    for (std::size_t i = *current; i-- > 0 && shown.size() <= kMostCards;)
        if (i != baseline) shown.insert(shown.begin(), i);
    for (const std::size_t run : shown)
        addCard(run);
    fit();
}

void RunStrip::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

void RunStrip::fit() {
    int left = width();
    bool fits = true;
    for (int i = m_row->count(); i-- > 0;) {
        QWidget* card = m_row->itemAt(i)->widget();
        if (card == nullptr) continue;
        left -= card->sizeHint().width() + m_row->spacing();
        fits = fits && left >= -m_row->spacing();
        card->setVisible(fits);
    }
}

void RunStrip::addCard(std::size_t run) {
    const sessions::Run& what = m_history.runs()[run];
    const bool isCurrent = run == m_history.current(), isBaseline = run == m_history.baseline();
    const QString title = isBaseline ? QStringLiteral("baseline: ") + runTitle(what) : runTitle(what);
    auto* card = new QPushButton(title);
    card->setObjectName("segment");
    card->setCheckable(true);
    card->setChecked(isCurrent);
    card->setProperty("run", static_cast<int>(run));
    card->setProperty("baseline", isBaseline);
    card->setAccessibleName((isCurrent ? QStringLiteral("On screen: ") : QString()) + title);
    card->setToolTip(runFacts(what) + (isCurrent    ? QStringLiteral("\nOn screen")
                                       : isBaseline ? QStringLiteral("\nClick to compare with no baseline")
                                                    : QStringLiteral("\nClick to compare with this run")));
    connect(card, &QPushButton::clicked, this, [this, card, run, isCurrent, isBaseline] {
        card->setChecked(isCurrent);
        if (!isCurrent) emit baselineChosen(isBaseline ? std::nullopt : std::optional(run));
    });
    m_row->addWidget(card);
}

} // namespace dormer::ui::shell
