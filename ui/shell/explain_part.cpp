// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/explain_part.h"

#include "ui/explain/explained.h"
#include "ui/explain/palette.h"
#include "ui/explain/reader.h"
#include "ui/sessions/session_hub.h"
#include "ui/shell/commands.h"

namespace dormer::ui::shell {
namespace {

const QString kKernel = QStringLiteral("kernel:");

} // namespace

ExplainPart::ExplainPart(sessions::SessionHub& hub, const Commands& commands, QWidget& window)
    : QObject(&window)
    , m_hub(hub)
    , m_commands(commands)
    , m_palette(new explain::Palette(&window))
    , m_reader(new explain::Reader(hub)) {
    connect(m_palette, &explain::Palette::chosen, this, &ExplainPart::follow);
    connect(m_reader, &explain::Reader::closed, this, &ExplainPart::close);
}

void ExplainPart::search() {
    m_palette->open(m_commands.items() + explain::explainedItems(m_hub));
}

void ExplainPart::follow(const QString& address) {
    if (m_commands.run(address)) return;
    if (address.startsWith(kKernel)) {
        const auto launch = static_cast<std::uint32_t>(address.mid(kKernel.size()).toUInt());
        // The session may have been replaced since it was listed.
        if (launch >= m_hub.session().launches().size()) return;
        m_hub.select(session::LaunchIndex{launch});
        return close();
    }
    if (explain::explanationOf(address, m_hub).markdown.isEmpty()) return;
    if (!m_reads) {
        m_reads = true;
        emit readsChanged();
    }
    (void)m_reader->open(address);
}

void ExplainPart::close() {
    if (!m_reads) return;
    m_reads = false;
    emit readsChanged();
}

} // namespace dormer::ui::shell
