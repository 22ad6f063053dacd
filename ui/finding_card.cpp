// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/finding_card.h"

#include "analysis/format.h"
#include "ui/article.h"
#include "ui/kernel_columns.h"
#include "ui/theme.h"
#include "ui/todo_rows.h"
#include "ui/words.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace dormer::ui {
namespace {

/// More lines than that are told, not listed: the to-do list and the source have them all.
constexpr std::size_t kMostPlaces = 4;
const QString kDot = QStringLiteral(" \u00b7 ");

QLabel* gainLabel(const QString& text, const QString& hint) {
    auto* number = new QLabel(text);
    number->setObjectName("gain");
    number->setFont(headingFont(number->font(), 0));
    number->setToolTip(hint);
    return number;
}

QString percent(double share) {
    return words(analysis::forPeople(share, analysis::Unit::Ratio));
}

QPushButton* link(const QString& text, const QString& hint) {
    auto* button = new QPushButton(text);
    button->setObjectName("link");
    button->setToolTip(hint);
    return button;
}

} // namespace

FindingCard::FindingCard(const analysis::Finding& finding, std::optional<double> launchNs, QWidget* parent)
    : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, kGrid / 2);
    column->setSpacing(kGrid / 2);
    auto* title = paragraph(words(finding.title));
    title->setFont(headingFont(font(), 0));
    auto* row = new QHBoxLayout;
    row->addWidget(title, 1);
    if (finding.gainNs) {
        title->setObjectName("gain");
        QString gain = gainText(*finding.gainNs);
        if (launchNs && *launchNs > *finding.gainNs)
            gain +=
                kDot + QStringLiteral("\u00d7%1").arg(fixed(*launchNs / (*launchNs - *finding.gainNs), 1));
        row->addWidget(
            gainLabel(gain, QStringLiteral("Estimated time this launch would lose, and how many times "
                                           "faster it would be.")),
            0, Qt::AlignTop);
    }
    column->addLayout(row);
    column->addWidget(paragraph(words(finding.evidence), true));
    for (std::size_t i = 0; i < std::min(finding.places.size(), kMostPlaces); ++i)
        addPlace(finding.places[i]);
    if (finding.places.size() > kMostPlaces)
        column->addWidget(
            paragraph(QStringLiteral("and %1 more lines").arg(finding.places.size() - kMostPlaces), true));
    column->addWidget(paragraph(words(finding.advice)));
}

void FindingCard::addPlace(const analysis::FindingPlace& place) {
    auto* column = static_cast<QVBoxLayout*>(layout());
    QString text = words(place.place) + QStringLiteral(" \u2192");
    auto* button = link(text, place.chain.empty() ? QStringLiteral("Shows this line in the source")
                                                  : words(place.chain));
    button->setProperty("place", words(place.place));
    connect(button, &QPushButton::clicked, this, [this, at = placeOf(place)] { emit placeChosen(at); });
    column->addWidget(button, 0, Qt::AlignLeft);
    QStringList says;
    if (place.share > 0 && place.share < 1) says << percent(place.share) + QStringLiteral(" of it");
    if (!place.what.empty()) says << words(place.what);
    if (!says.isEmpty()) column->addWidget(paragraph(says.join(kDot), true));
    if (!place.change.empty()) column->addWidget(paragraph(words(place.change)));
}

ToDoCard::ToDoCard(const analysis::ToDo& item, QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, kGrid / 2);
    column->setSpacing(kGrid / 4);
    auto* title = paragraph(words(item.finding.title));
    title->setFont(headingFont(font(), 0));
    auto* row = new QHBoxLayout;
    row->addWidget(title, 1);
    if (item.gainNs) {
        title->setObjectName("gain");
        row->addWidget(
            gainLabel(gainText(*item.gainNs) + kDot + percent(item.share),
                      QStringLiteral("Estimated time to be won over all its launches, and its share of the "
                                     "session's time.")),
            0, Qt::AlignTop);
    }
    column->addLayout(row);
    QString where = words(item.subject);
    if (!item.finding.places.empty()) where += kDot + words(item.finding.places.front().place);
    if (item.launch) {
        auto* button = link(where + QStringLiteral(" \u2192"), QStringLiteral("Selects it"));
        connect(button, &QPushButton::clicked, this, &ToDoCard::chosen);
        column->addWidget(button, 0, Qt::AlignLeft);
    } else {
        column->addWidget(paragraph(where));
    }
    column->addWidget(paragraph(words(item.finding.evidence), true));
}

} // namespace dormer::ui
