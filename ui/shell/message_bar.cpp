// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/message_bar.h"

#include "ui/look/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace dormer::ui::shell {

MessageBar::MessageBar(QWidget* parent) : QFrame(parent), m_text(new QLabel) {
    setObjectName("message");
    m_text->setObjectName("messageText");
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* close = new QPushButton("Close");
    close->setObjectName("link");
    connect(close, &QPushButton::clicked, this, &MessageBar::clear);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(2 * look::kGrid, look::kGrid / 2, 2 * look::kGrid, look::kGrid / 2);
    layout->addWidget(m_text, 1);
    layout->addWidget(close);
    hide();
}

void MessageBar::show(const QString& text) {
    m_text->setText(text);
    setVisible(true);
}

void MessageBar::clear() {
    m_text->clear();
    hide();
}

QString MessageBar::text() const {
    return m_text->text();
}

} // namespace dormer::ui::shell
