// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/details/finding_card.h"

#include "ui/look/article.h"
#include "ui/look/style.h"
#include "ui/look/theme.h"
#include "ui/look/words.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace dormer::ui::details {
namespace {

constexpr const char* kDot = " · ";

QLabel* savingsLabel(const QString& text, std::string_view tooltip) {
    auto* number = new QLabel(text);
    number->setObjectName("gain");
    number->setFont(look::headingFont(number->font(), 0));
    number->setToolTip(look::words(tooltip));
    return number;
}

QPushButton* link(const QString& text, const QString& hint) {
    auto* button = new look::ElidedLink(text);
    button->setToolTip(QStringLiteral("%1: %2").arg(hint, text));
    return button;
}

/// A title, and at its right what could be saved; vermilion where an estimate is known.
void addTitle(QVBoxLayout& column, const std::string& title, const std::string& savings,
              std::string_view tooltip) {
    auto* name = look::paragraph(look::words(title));
    name->setFont(look::headingFont(name->font(), 0));
    auto* row = new QHBoxLayout;
    row->addWidget(name, 1);
    if (!savings.empty()) {
        name->setObjectName("gain");
        row->addWidget(savingsLabel(look::words(savings), tooltip), 0, Qt::AlignTop);
    }
    column.addLayout(row);
}

} // namespace

FindingCard::FindingCard(const view::details::FindingText& finding, QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, look::kGrid / 2);
    column->setSpacing(look::kGrid / 2);
    addTitle(*column, finding.title, finding.savings, view::details::kFindingSavingsTip);
    column->addWidget(look::paragraph(look::words(finding.evidence), true));
    for (const view::details::FindingPlaceText& place : finding.places)
        addPlace(place);
    if (!finding.morePlaces.empty())
        column->addWidget(look::paragraph(look::words(finding.morePlaces), true));
    column->addWidget(look::paragraph(look::words(finding.advice)));
}

void FindingCard::addPlace(const view::details::FindingPlaceText& place) {
    auto* column = static_cast<QVBoxLayout*>(layout());
    const QString name = look::words(place.at.place);
    auto* button = link(name + QStringLiteral(" \u2192"),
                        place.inlined.empty() ? QStringLiteral("Shows this line in the source")
                                              : look::words(place.inlined));
    button->setProperty("place", name);
    connect(button, &QPushButton::clicked, this,
            [this, at = sessions::placeOf(place.at)] { emit placeChosen(at); });
    column->addWidget(button, 0, Qt::AlignLeft);
    if (!place.evidence.empty()) column->addWidget(look::paragraph(look::words(place.evidence), true));
    if (!place.at.change.empty()) column->addWidget(look::paragraph(look::words(place.at.change)));
}

ToDoCard::ToDoCard(const view::Recommendation& item, QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, look::kGrid / 2);
    column->setSpacing(look::kGrid / 4);
    addTitle(*column, item.title, item.item.gainNs ? item.savings + kDot + item.share : std::string(),
             "Estimated time saved over all launches, and its share of the session's time");
    const QString where = look::words(item.place.empty() ? item.kernel : item.kernel + kDot + item.place);
    if (item.item.launch) {
        auto* button = link(where + QStringLiteral(" \u2192"), QStringLiteral("Selects it"));
        connect(button, &QPushButton::clicked, this, &ToDoCard::chosen);
        column->addWidget(button, 0, Qt::AlignLeft);
    } else {
        column->addWidget(look::paragraph(where));
    }
    column->addWidget(look::paragraph(look::words(item.evidence), true));
    column->addWidget(look::paragraph(look::words(item.advice)));
}

} // namespace dormer::ui::details
