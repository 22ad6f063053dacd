// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/explain/doc_pages.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>

/// A static library's resources are there once this has been called. The macro wants no namespace.
static void loadDocs() {
    Q_INIT_RESOURCE(dormer_docs);
}

namespace dormer::ui::explain {
namespace {

const QString kFolder = QStringLiteral(":/dormer/docs/");

QString fileText(const QString& page) {
    loadDocs();
    QFile file(kFolder + page);
    if (page.contains(QLatin1Char('/')) || !file.open(QIODevice::ReadOnly)) return {};
    static const QRegularExpression comment(QStringLiteral("<!--.*?-->\\s*"),
                                            QRegularExpression::DotMatchesEverythingOption);
    return QString::fromUtf8(file.readAll()).remove(comment);
}

/// Plain words of a line of Markdown.
QString plain(QString text) {
    static const QRegularExpression link(QStringLiteral("\\[([^\\]]*)\\]\\([^)]*\\)"));
    return text.replace(link, QStringLiteral("\\1")).remove(QLatin1Char('`')).remove(QStringLiteral("**"));
}

void addSections(const QString& page, QList<DocSection>& sections) {
    QString title;
    bool inCode = false;
    for (const QString& line : fileText(page).split(QLatin1Char('\n'))) {
        if (line.startsWith(QLatin1String("```"))) inCode = !inCode;
        const auto level = line.indexOf(QLatin1Char(' '));
        const bool isHeading = !inCode && level > 0 && level <= 4 && line.startsWith(QLatin1Char('#')) &&
                               line.left(level).count(QLatin1Char('#')) == level;
        if (isHeading) {
            const QString heading = plain(line.mid(level + 1).trimmed());
            if (title.isEmpty()) title = heading;
            sections << DocSection{page, title, heading, {}};
        } else if (!title.isEmpty()) {
            sections.last().text += line + QLatin1Char('\n');
        }
    }
}

} // namespace

const QList<DocSection>& docSections() {
    static const QList<DocSection> all = [] {
        loadDocs();
        QList<DocSection> sections;
        for (const QString& page : QDir(kFolder).entryList({QStringLiteral("*.md")}, QDir::Files, QDir::Name))
            addSections(page, sections);
        return sections;
    }();
    return all;
}

QString docPage(const QString& page) {
    QString text = fileText(page);
    static const QRegularExpression link(QStringLiteral("(!?)\\[([^\\]]*)\\]\\(([^)\\s]*)\\)"));
    qsizetype from = 0;
    for (QRegularExpressionMatch found; (found = link.match(text, from)).hasMatch();) {
        const QString words = found.captured(2), target = found.captured(3);
        const QString file = target.section(QLatin1Char('#'), 0, 0);
        QString to;
        if (target.startsWith(QLatin1String("https:")))
            to = target;
        else if (file.isEmpty())
            to = QStringLiteral("doc:%1%2").arg(page, target);
        else if (file.endsWith(QLatin1String(".md")) && QFile::exists(kFolder + file))
            to = QStringLiteral("doc:%1").arg(target);
        // Pictures and other files of the repository are not here.
        const QString shown = !found.captured(1).isEmpty() ? QString()
                              : to.isEmpty()               ? words
                                                           : QStringLiteral("[%1](%2)").arg(words, to);
        text.replace(found.capturedStart(), found.capturedLength(), shown);
        from = found.capturedStart() + shown.size();
    }
    return text;
}

QString anchorOf(const QString& heading) {
    QString anchor;
    for (const QChar c : heading.toLower()) {
        if (c.isLetterOrNumber() || c == QLatin1Char('-') || c == QLatin1Char('_'))
            anchor += c;
        else if (c == QLatin1Char(' '))
            anchor += QLatin1Char('-');
    }
    return anchor;
}

} // namespace dormer::ui::explain
