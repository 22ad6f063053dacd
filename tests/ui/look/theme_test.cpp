// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/look/theme.h"

#include "tests/support/catch.h"
#include "ui/pattern/lane_picture_view.h"
#include "ui/sources/code_table.h"

#include <QPalette>

using namespace dormer::ui::look;

using namespace dormer::ui::pattern;

using namespace dormer::ui::sources;

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

TEST_CASE("figures read on every heat and on every word of a picture of lanes", "[theme]") {
    for (const bool dark : {false, true}) {
        const Colours& c = dark ? darkColours() : lightColours();
        for (int percent = 0; percent <= 100; ++percent)
            for (const Heat heat : {Heat::Waste, Heat::Traffic, Heat::Stalls, Heat::Instructions})
                CHECK(contrast(c.text, heatColour(percent / 100.0, heat, dark)) >= 4.5);
        // Hotter is told from cooler.
        for (const Heat heat : {Heat::Waste, Heat::Stalls})
            CHECK(contrast(heatColour(1, heat, dark), heatColour(0.1, heat, dark)) > 1.3);
        const LaneColours& lanes = laneColours(dark);
        CHECK(contrast(lanes.onUsed, lanes.used) >= 4.5);
        CHECK(contrast(lanes.onConflict, lanes.conflict) >= 4.5);
        CHECK(contrast(c.text, lanes.lane) >= 4.5);
        // Shapes need 3:1 (WCAG 1.4.11).
        for (const QColor& shape : {lanes.used, lanes.conflict, lanes.wastedEdge, lanes.laneEdge})
            CHECK(contrast(shape, c.panel) >= 3);
    }
}

TEST_CASE("schemes have names", "[theme]") {
    bool ok = false;
    CHECK(schemeFromString("dark", ok) == Scheme::Dark);
    CHECK(ok);
    CHECK(schemeFromString("sepia", ok) == Scheme::System);
    CHECK_FALSE(ok);
}
