// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/todo_rows.h"

#include "analysis/format.h"
#include "ui/kernel_columns.h"
#include "ui/metric_words.h"
#include "ui/words.h"

#include <QHash>

#include <algorithm>

namespace dormer::ui {
namespace {

FactCell placeCell(const analysis::Finding& finding) {
    if (finding.places.empty())
        return {.text = dash(),
                .hint = QStringLiteral("Not told by line: the finding has none, or counts per line were not "
                                       "collected (--lines).")};
    const analysis::FindingPlace& first = finding.places.front();
    QString text = words(first.place);
    if (finding.places.size() > 1) text += QStringLiteral(" +%1").arg(finding.places.size() - 1);
    QStringList hint{words(first.place + ": " + first.what)};
    if (!first.chain.empty()) hint << words(first.chain);
    return {.text = text, .hint = hint.join(QLatin1Char('\n'))};
}

} // namespace

SourcePlace placeOf(const analysis::FindingPlace& place) {
    return {place.file, place.line, place.pc};
}

std::optional<SourcePlace> firstPlace(const analysis::Finding& finding) {
    if (finding.places.empty()) return std::nullopt;
    return placeOf(finding.places.front());
}

QString gainText(double ns) {
    return QStringLiteral("\u2212%1").arg(words(analysis::forPeople(ns, analysis::Unit::Nanoseconds)));
}

ToDoTable toDoTable(const std::vector<analysis::ToDo>& list) {
    std::vector<double> gains;
    for (const analysis::ToDo& item : list)
        if (item.gainNs) gains.push_back(*item.gainNs);
    NumberScale scale = scaleFor(analysis::Unit::Nanoseconds, gains);
    scale.decimals = std::min(scale.decimals, 1); // these are estimates
    const double most = list.empty() ? 0 : std::ranges::max(list, {}, &analysis::ToDo::share).share;
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
        const analysis::ToDo& item = list[i];
        QString key = words(item.finding.code + "|" + item.subject);
        if (const int again = seen[key]++; again > 0) key += QStringLiteral("|%1").arg(again);
        const QString noGain = QStringLiteral("No estimate is honest here.");
        const QString calls =
            item.launches > 0 ? QStringLiteral("%1 launches").arg(item.launches) : QString();
        table.rows.push_back(
            {.cells = {{.text = QString::number(i + 1), .number = static_cast<double>(i + 1)},
                       {.text = words(item.finding.title),
                        .hint = words(item.finding.evidence + "\n" + item.finding.advice)},
                       {.text = words(item.subject), .hint = calls.isEmpty() ? words(item.subject) : calls},
                       placeCell(item.finding),
                       item.gainNs ? FactCell{.text = QStringLiteral("\u2212") + scale.text(*item.gainNs),
                                              .number = item.gainNs,
                                              .gain = true}
                                   : FactCell{.text = dash(), .hint = noGain},
                       item.gainNs
                           ? FactCell{.text = fixed(100 * item.share, item.share < 0.1 ? 1 : 0),
                                      .number = item.share,
                                      .bar = most > 0 ? std::optional(item.share / most) : std::nullopt}
                           : FactCell{.text = dash(), .hint = noGain}},
             .key = key});
    }
    return table;
}

} // namespace dormer::ui
