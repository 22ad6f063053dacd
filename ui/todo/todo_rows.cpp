// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/todo/todo_rows.h"

#include "analysis/metrics/format.h"
#include "ui/look/kernel_columns.h"
#include "ui/look/metric_words.h"
#include "ui/look/words.h"

#include <QHash>

#include <algorithm>

namespace dormer::ui::todo {
namespace {

tables::FactCell placeCell(const findings::Finding& finding) {
    if (finding.places.empty())
        return {.text = look::dash(),
                .hint = QStringLiteral("Not told by line: the finding has none, or counts per line were not "
                                       "collected (--lines).")};
    const findings::FindingPlace& first = finding.places.front();
    QString text = look::words(first.place);
    if (finding.places.size() > 1) text += QStringLiteral(" +%1").arg(finding.places.size() - 1);
    QStringList hint{look::words(first.place + ": " + first.what)};
    if (!first.chain.empty()) hint << look::words(first.chain);
    return {.text = text, .hint = hint.join(QLatin1Char('\n'))};
}

} // namespace

sessions::SourcePlace placeOf(const findings::FindingPlace& place) {
    return {place.file, place.line, place.pc};
}

std::optional<sessions::SourcePlace> firstPlace(const findings::Finding& finding) {
    if (finding.places.empty()) return std::nullopt;
    return placeOf(finding.places.front());
}

QString gainText(double ns) {
    return QStringLiteral("\u2212%1").arg(look::words(metrics::forPeople(ns, metrics::Unit::Nanoseconds)));
}

ToDoTable toDoTable(const std::vector<diagnosis::ToDo>& list) {
    std::vector<double> gains;
    for (const diagnosis::ToDo& item : list)
        if (item.gainNs) gains.push_back(*item.gainNs);
    look::NumberScale scale = look::scaleFor(metrics::Unit::Nanoseconds, gains);
    scale.decimals = std::min(scale.decimals, 1); // these are estimates
    const double most = list.empty() ? 0 : std::ranges::max(list, {}, &diagnosis::ToDo::share).share;
    ToDoTable table;
    table.columns = {
        {QStringLiteral("#"), QStringLiteral("By the time to be won over the whole session."), true},
        {QStringLiteral("finding"), QStringLiteral("The finding.")},
        {QStringLiteral("kernel"), QStringLiteral("Launches of one kernel and configuration, or the "
                                                  "workload of a transfer.")},
        {QStringLiteral("line"), QStringLiteral("The line that wastes most; a click shows it.")},
        {scale.titled(QStringLiteral("to gain")),
         QStringLiteral("Estimated time to be won, over all launches of the group."), true},
        {QStringLiteral("of all, %"),
         QStringLiteral("The same as a share of the time of all kernels and transfers."), true}};
    QHash<QString, int> seen;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const diagnosis::ToDo& item = list[i];
        QString key = look::words(item.finding.code + "|" + item.subject);
        if (const int again = seen[key]++; again > 0) key += QStringLiteral("|%1").arg(again);
        const QString noGain = QStringLiteral("No estimate is honest here.");
        const QString calls =
            item.launches > 0 ? QStringLiteral("%1 launches").arg(item.launches) : QString();
        table.rows.push_back(
            {.cells = {{.text = QString::number(i + 1), .number = static_cast<double>(i + 1)},
                       {.text = look::words(item.finding.title),
                        .hint = look::words(item.finding.evidence + "\n" + item.finding.advice)},
                       {.text = look::words(item.subject),
                        .hint = calls.isEmpty() ? look::words(item.subject) : calls},
                       placeCell(item.finding),
                       item.gainNs
                           ? tables::FactCell{.text = QStringLiteral("\u2212") + scale.text(*item.gainNs),
                                              .number = item.gainNs,
                                              .gain = true}
                           : tables::FactCell{.text = look::dash(), .hint = noGain},
                       item.gainNs
                           ? tables::FactCell{.text = look::fixed(100 * item.share, item.share < 0.1 ? 1 : 0),
                                              .number = item.share,
                                              .bar =
                                                  most > 0 ? std::optional(item.share / most) : std::nullopt}
                           : tables::FactCell{.text = look::dash(), .hint = noGain}},
             .key = key});
    }
    return table;
}

} // namespace dormer::ui::todo
