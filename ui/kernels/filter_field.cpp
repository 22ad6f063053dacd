// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/kernels/filter_field.h"

#include "analysis/filter/where.h"
#include "ui/look/theme.h"
#include "ui/look/words.h"

#include <QCompleter>
#include <QStringListModel>

namespace dormer::ui::kernels {

FilterField::FilterField(QWidget* parent)
    : QLineEdit(parent)
    , m_offers(new QStringListModel(this))
    , m_hint("Shows launches whose workload, range or kernel name matches all these words, each a regular "
             "expression; or those that an expression holds for: time > 1ms and verdict = memory (Ctrl+F)") {
    auto* completer = new QCompleter(m_offers, this);
    completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    completer->setMaxVisibleItems(10);
    // Before the completer looks: it asks the model at each key.
    connect(this, &QLineEdit::textEdited, this, &FilterField::offer);
    setCompleter(completer);
    setToolTip(m_hint);
}

void FilterField::offer(const QString& text) {
    QStringList all;
    if (!text.trimmed().isEmpty())
        for (const filter::Completion& each : filter::completions(text.toStdString()))
            all << look::words(each.text);
    m_offers->setStringList(all);
}

QStringList FilterField::offered() const {
    return m_offers->stringList();
}

void FilterField::setProblem(const QString& problem) {
    setStyleSheet(problem.isEmpty()
                      ? QString()
                      : QStringLiteral("color: %1").arg(look::coloursFor(palette()).gain.name()));
    setToolTip(problem.isEmpty() ? m_hint : problem);
}

} // namespace dormer::ui::kernels
