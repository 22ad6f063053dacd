// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/theme.h"

#include "tests/support/catch.h"

#include <QPalette>

using namespace dormer::ui;

TEST_CASE("contrast is WCAG's", "[theme]") {
    CHECK(contrast(Qt::black, Qt::white) == Approx(21));
    CHECK(contrast(Qt::white, Qt::white) == Approx(1));
    // WebAIM's checker: #767676 on white is the lightest grey that passes.
    CHECK(contrast(QColor(0x76, 0x76, 0x76), Qt::white) == Approx(4.54).margin(0.005));
}

TEST_CASE("text reads in both schemes", "[theme]") {
    for (const Colours* c : {&lightColours(), &darkColours()}) {
        CHECK(contrast(c->text, c->panel) >= 7);
        CHECK(contrast(c->text, c->selection) >= 4.5);
        for (const QColor& ground : {c->panel, c->ground, c->sunken})
            CHECK(contrast(c->muted, ground) >= 4.5);
        for (const QColor& ground : {c->panel, c->selection})
            CHECK(contrast(c->gain, ground) >= 4.5);
        CHECK(contrast(c->good, c->ground) >= 4.5);
        CHECK(contrast(c->accent, c->panel) >= 4.5);
        CHECK(contrast(c->onAccent, c->accent) >= 4.5);
    }
}

TEST_CASE("schemes have names", "[theme]") {
    bool ok = false;
    CHECK(schemeFromString("dark", ok) == Scheme::Dark);
    CHECK(ok);
    CHECK(schemeFromString("sepia", ok) == Scheme::System);
    CHECK_FALSE(ok);
}
