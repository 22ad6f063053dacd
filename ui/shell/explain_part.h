// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

class QWidget;

namespace dormer::ui::explain {
class Palette;
class Reader;
} // namespace dormer::ui::explain

namespace dormer::ui::sessions {
class SessionHub;
} // namespace dormer::ui::sessions

namespace dormer::ui::shell {

class Commands;

/// The search over everything and the reader of what it finds.
class ExplainPart : public QObject {
    Q_OBJECT
public:
    ExplainPart(sessions::SessionHub& hub, const Commands& commands, QWidget& window);

    [[nodiscard]] explain::Palette& palette() { return *m_palette; }
    [[nodiscard]] explain::Reader& reader() { return *m_reader; }
    /// Whether the reader is wanted in the middle of the window.
    [[nodiscard]] bool reads() const { return m_reads; }

    void search();
    /// Does, selects or explains what an address names.
    void follow(const QString& address);
    void close();

signals:
    /// reads() is another.
    void readsChanged();

private:
    sessions::SessionHub& m_hub;
    const Commands& m_commands;
    explain::Palette* m_palette;
    explain::Reader* m_reader;
    bool m_reads = false;
};

} // namespace dormer::ui::shell
