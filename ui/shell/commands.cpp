// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/commands.h"

#include <QWidget>

namespace dormer::ui::shell {
namespace {

const QString kAddress = QStringLiteral("command:");

} // namespace

Commands::Commands(QWidget& window) : QObject(&window), m_window(window) {}

void Commands::add(const QString& title, const QKeySequence& keys, std::function<void()> action,
                   std::function<bool()> available) {
    auto* entry = new QAction(title, this);
    entry->setShortcut(keys);
    connect(entry, &QAction::triggered, this, [action = std::move(action)] { action(); });
    m_window.addAction(entry);
    m_commands << Command{entry, std::move(available)};
}

QList<explain::Item> Commands::items() const {
    QList<explain::Item> items;
    for (qsizetype i = 0; i < m_commands.size(); ++i) {
        const Command& command = m_commands[i];
        if (command.available && !command.available()) continue;
        items << explain::Item{.kind = explain::Kind::Command,
                               .title = command.action->text(),
                               .detail = command.action->shortcut().toString(QKeySequence::NativeText),
                               .names = {},
                               .address = kAddress + QString::number(i)};
    }
    return items;
}

bool Commands::run(const QString& address) const {
    if (!address.startsWith(kAddress)) return false;
    bool known = false;
    const qsizetype at = address.mid(kAddress.size()).toLongLong(&known);
    if (!known || at < 0 || at >= m_commands.size()) return false;
    m_commands[at].action->trigger();
    return true;
}

} // namespace dormer::ui::shell
