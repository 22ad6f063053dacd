// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>

namespace dormer::ui::explain {

/// What can be searched for, in the order in which equally good ones are listed.
enum class Kind { Command, Kernel, Metric, Verdict, Finding, Roof, Page };
/// "command", "kernel", ..., "documentation".
[[nodiscard]] QString kindWord(Kind kind);

/// One thing to be found.
struct Item {
    Kind kind{};
    QString title;
    QString detail;  ///< shown beside it: keys, a unit, a page; may be empty
    QString names;   ///< what else it is found by: identifiers, Nsight Compute's name
    QString text{};  ///< its own words, where every other match failed
    QString address; ///< what it leads to: "metric:dram_bytes", "command:3"
};

/// Indices of the items that hold every word of the query, the best first: words at the start of titles and
/// identifiers before words within them, before the text. An empty query finds the commands.
[[nodiscard]] QList<qsizetype> found(const QList<Item>& items, const QString& query, qsizetype most = 60);

} // namespace dormer::ui::explain
