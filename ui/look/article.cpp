// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/look/article.h"

#include "ui/look/theme.h"

#include <QLabel>
#include <QRegularExpression>
#include <QVBoxLayout>

namespace dormer::ui::look {

namespace {

/// Lets names of counters and templates, which are wider than a panel, break where their words end.
QString breakable(QString words) {
    static const QRegularExpression longName(QStringLiteral("[^\\s]{25,}"));
    static const QRegularExpression wordEnd(QStringLiteral("(_|<|,|::)"));
    qsizetype from = 0;
    for (QRegularExpressionMatch found; (found = longName.match(words, from)).hasMatch();) {
        QString name = found.captured();
        name.replace(wordEnd, QStringLiteral("\\1\u200b"));
        words.replace(found.capturedStart(), found.capturedLength(), name);
        from = found.capturedStart() + name.size();
    }
    return words;
}

} // namespace

QLabel* paragraph(const QString& words, bool muted) {
    auto* label = new QLabel(breakable(words));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    // A long word must not push the article wider than the panel.
    QSizePolicy policy = label->sizePolicy();
    policy.setHorizontalPolicy(QSizePolicy::Ignored);
    label->setSizePolicy(policy);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    if (muted) {
        label->setObjectName("muted");
        label->setFont(smallFont(label->font()));
    }
    return label;
}

void addHeading(QVBoxLayout& article, const QString& words) {
    auto* label = new QLabel(words);
    label->setFont(headingFont(label->font(), 0.5));
    label->setWordWrap(true);
    article.addSpacing(kGrid);
    article.addWidget(label);
}

} // namespace dormer::ui::look
