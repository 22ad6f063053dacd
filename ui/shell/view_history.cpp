// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/view_history.h"

#include "ui/sessions/session_hub.h"

#include <QLineEdit>

namespace dormer::ui::shell {
namespace {

constexpr qsizetype kMost = 200;

} // namespace

ViewHistory::ViewHistory(sessions::SessionHub& hub, QLineEdit& filter, QObject* parent)
    : QObject(parent), m_hub(hub), m_filter(filter) {
    begin();
    connect(&hub, &sessions::SessionHub::sessionReset, this, &ViewHistory::begin);
    connect(&hub, &sessions::SessionHub::selectionChanged, this, [this] { note(false); });
    connect(&filter, &QLineEdit::textChanged, this, [this] { note(m_filter.hasFocus()); });
    // What is typed after that is another filter.
    connect(&filter, &QLineEdit::editingFinished, this, [this] { m_typing = false; });
}

ViewHistory::State ViewHistory::present() const {
    return {m_filter.text(), m_hub.selected()};
}

void ViewHistory::begin() {
    m_states = {present()};
    m_at = 0;
    m_typing = false;
}

void ViewHistory::note(bool typed) {
    const State now = present();
    if (m_applying || now == m_states[m_at]) return;
    if (typed && m_typing && m_at > 0) {
        m_states[m_at] = now;
        m_states.resize(m_at + 1);
        return;
    }
    m_typing = typed;
    m_states.resize(m_at + 1);
    m_states << now;
    if (m_states.size() > kMost) m_states.removeFirst();
    m_at = m_states.size() - 1;
}

void ViewHistory::apply() {
    m_applying = true;
    m_typing = false;
    m_filter.setText(m_states[m_at].filter);
    m_hub.select(m_states[m_at].selected);
    m_applying = false;
}

void ViewHistory::undo() {
    if (!canUndo()) return;
    --m_at;
    apply();
}

void ViewHistory::redo() {
    if (!canRedo()) return;
    ++m_at;
    apply();
}

} // namespace dormer::ui::shell
