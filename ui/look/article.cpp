// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/look/article.h"

#include "ui/look/theme.h"

#include <QLabel>
#include <QVBoxLayout>

namespace dormer::ui::look {

QLabel* paragraph(const QString& words, bool muted) {
    auto* label = new QLabel(words);
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
