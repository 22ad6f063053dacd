// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/explain/search.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

namespace dormer::ui::explain {
namespace {

bool startsWord(const QString& text, qsizetype at) {
    return at == 0 || !text[at - 1].isLetterOrNumber();
}

/// Where a word begins a word of the text; -1 where it begins none.
qsizetype wordStart(const QString& text, const QString& word) {
    for (qsizetype at = text.indexOf(word, 0, Qt::CaseInsensitive); at >= 0;
         at = text.indexOf(word, at + 1, Qt::CaseInsensitive))
        if (startsWord(text, at)) return at;
    return -1;
}

/// How far a match of one word is from the best one; absent without a match.
std::optional<int> distance(const Item& item, const QString& word) {
    if (item.title.startsWith(word, Qt::CaseInsensitive) || item.names.startsWith(word, Qt::CaseInsensitive))
        return 0;
    if (wordStart(item.title, word) >= 0) return 1;
    if (wordStart(item.names, word) >= 0) return 2;
    if (item.title.contains(word, Qt::CaseInsensitive)) return 3;
    if (item.names.contains(word, Qt::CaseInsensitive)) return 4;
    if (wordStart(item.text, word) >= 0) return 8;
    return std::nullopt;
}

} // namespace

QString kindWord(Kind kind) {
    switch (kind) {
    case Kind::Command:
        return QStringLiteral("command");
    case Kind::Kernel:
        return QStringLiteral("kernel");
    case Kind::Metric:
        return QStringLiteral("metric");
    case Kind::Verdict:
        return QStringLiteral("verdict");
    case Kind::Finding:
        return QStringLiteral("finding");
    case Kind::Roof:
        return QStringLiteral("roof");
    case Kind::Page:
        return QStringLiteral("documentation");
    }
    return {};
}

QList<qsizetype> found(const QList<Item>& items, const QString& query, qsizetype most) {
    const QStringList words = query.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    struct Match {
        int distance;
        Kind kind;
        qsizetype length; ///< of the title: of two that begin alike, the shorter is meant
        qsizetype at;
    };
    std::vector<Match> matches;
    for (qsizetype at = 0; at < items.size(); ++at) {
        const Item& item = items[at];
        if (words.isEmpty() && item.kind != Kind::Command) continue;
        int sum = 0;
        const bool all = std::ranges::all_of(words, [&](const QString& word) {
            const std::optional<int> one = distance(item, word);
            sum += one.value_or(0);
            return one.has_value();
        });
        if (all) matches.push_back({sum, item.kind, words.isEmpty() ? 0 : item.title.size(), at});
    }
    std::ranges::stable_sort(matches, [](const Match& a, const Match& b) {
        return std::tie(a.distance, a.kind, a.length) < std::tie(b.distance, b.kind, b.length);
    });
    QList<qsizetype> best;
    for (const Match& match : matches)
        if (best.size() < most) best << match.at;
    return best;
}

} // namespace dormer::ui::explain
