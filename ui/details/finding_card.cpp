// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/details/finding_card.h"

#include "analysis/metrics/format.h"
#include "ui/look/article.h"
#include "ui/look/kernel_columns.h"
#include "ui/look/theme.h"
#include "ui/look/words.h"
#include "ui/todo/todo_rows.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace dormer::ui::details {
namespace {

/// More lines than that are told, not listed: the to-do list and the source have them all.
constexpr std::size_t kMostPlaces = 4;
const QString kDot = QStringLiteral(" \u00b7 ");

QLabel* gainLabel(const QString& text, const QString& hint) {
    auto* number = new QLabel(text);
    number->setObjectName("gain");
    number->setFont(look::headingFont(number->font(), 0));
    number->setToolTip(hint);
    return number;
}

QString percent(double share) {
    return look::words(metrics::forPeople(share, metrics::Unit::Ratio));
}

QPushButton* link(const QString& text, const QString& hint) {
    auto* button = new QPushButton(text);
    button->setObjectName("link");
    button->setToolTip(hint);
    return button;
}

} // namespace

FindingCard::FindingCard(const findings::Finding& finding, std::optional<double> launchNs, QWidget* parent)
    : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, look::kGrid / 2);
    column->setSpacing(look::kGrid / 2);
    auto* title = look::paragraph(look::words(finding.title));
    title->setFont(look::headingFont(font(), 0));
    auto* row = new QHBoxLayout;
    row->addWidget(title, 1);
    if (finding.gainNs) {
        title->setObjectName("gain");
        QString gain = todo::gainText(*finding.gainNs);
        if (launchNs && *launchNs > *finding.gainNs)
            gain += kDot +
                    QStringLiteral("\u00d7%1").arg(look::fixed(*launchNs / (*launchNs - *finding.gainNs), 1));
        row->addWidget(
            gainLabel(gain, QStringLiteral("Estimated time this launch would lose, and how many times "
                                           "faster it would be.")),
            0, Qt::AlignTop);
    }
    column->addLayout(row);
    column->addWidget(look::paragraph(look::words(finding.evidence), true));
    for (std::size_t i = 0; i < std::min(finding.places.size(), kMostPlaces); ++i)
        addPlace(finding.places[i]);
    if (finding.places.size() > kMostPlaces)
        column->addWidget(look::paragraph(
            QStringLiteral("and %1 more lines").arg(finding.places.size() - kMostPlaces), true));
    column->addWidget(look::paragraph(look::words(finding.advice)));
}

void FindingCard::addPlace(const findings::FindingPlace& place) {
    auto* column = static_cast<QVBoxLayout*>(layout());
    QString text = look::words(place.place) + QStringLiteral(" \u2192");
    auto* button = link(text, place.chain.empty() ? QStringLiteral("Shows this line in the source")
                                                  : look::words(place.chain));
    button->setProperty("place", look::words(place.place));
    connect(button, &QPushButton::clicked, this, [this, at = todo::placeOf(place)] { emit placeChosen(at); });
    column->addWidget(button, 0, Qt::AlignLeft);
    QStringList says;
    if (place.share > 0 && place.share < 1) says << percent(place.share) + QStringLiteral(" of it");
    if (!place.what.empty()) says << look::words(place.what);
    if (!says.isEmpty()) column->addWidget(look::paragraph(says.join(kDot), true));
    if (!place.change.empty()) column->addWidget(look::paragraph(look::words(place.change)));
}

ToDoCard::ToDoCard(const diagnosis::ToDo& item, QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, look::kGrid / 2);
    column->setSpacing(look::kGrid / 4);
    auto* title = look::paragraph(look::words(item.finding.title));
    title->setFont(look::headingFont(font(), 0));
    auto* row = new QHBoxLayout;
    row->addWidget(title, 1);
    if (item.gainNs) {
        title->setObjectName("gain");
        row->addWidget(
            gainLabel(todo::gainText(*item.gainNs) + kDot + percent(item.share),
                      QStringLiteral("Estimated time to be won over all its launches, and its share of the "
                                     "session's time.")),
            0, Qt::AlignTop);
    }
    column->addLayout(row);
    QString where = look::words(item.subject);
    if (!item.finding.places.empty()) where += kDot + look::words(item.finding.places.front().place);
    if (item.launch) {
        auto* button = link(where + QStringLiteral(" \u2192"), QStringLiteral("Selects it"));
        connect(button, &QPushButton::clicked, this, &ToDoCard::chosen);
        column->addWidget(button, 0, Qt::AlignLeft);
    } else {
        column->addWidget(look::paragraph(where));
    }
    column->addWidget(look::paragraph(look::words(item.finding.evidence), true));
}

} // namespace dormer::ui::details
