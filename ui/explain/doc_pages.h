// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>

namespace dormer::ui::explain {

/// The documentation that the program carries, a page per Markdown file of docs/.
struct DocSection {
    QString page;    ///< "verdicts.md"
    QString title;   ///< of the page: "How Dormer judges a launch"
    QString heading; ///< of the section; of a page's beginning its title
    QString text;    ///< below the heading, as it stands in the file
};

/// Every section of every page, in order.
[[nodiscard]] const QList<DocSection>& docSections();
/// A page as Markdown whose links lead to pages ("doc:metrics.md#dram_bytes") or out ("https:"); those to
/// other files of the repository are plain text. Empty when there is no such page.
[[nodiscard]] QString docPage(const QString& page);
/// How Markdown's links name a heading: "Set-up, again" -> "set-up-again".
[[nodiscard]] QString anchorOf(const QString& heading);

} // namespace dormer::ui::explain
