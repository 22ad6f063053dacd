// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/look/theme.h"

#include "tests/support/catch.h"
#include "ui/look/verdict_style.h"
#include "ui/pattern/lane_picture_view.h"
#include "ui/sources/code_table.h"

#include <QApplication>
#include <QPalette>
#include <QTableView>

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

TEST_CASE("all text of high contrast is 7:1", "[theme]") {
    const bool dark = GENERATE(false, true);
    const Colours& c = contrastColours(dark);
    CHECK(c.contrast);
    CHECK(c.dark == dark);
    for (const QColor& ground : {c.panel, c.ground, c.sunken, c.selection}) {
        INFO(ground.name().toStdString());
        for (const QColor& ink : {c.text, c.muted, c.gain, c.good, c.accent})
            CHECK(contrast(ink, ground) >= 7);
    }
    CHECK(contrast(c.onAccent, c.accent) >= 7);
    CHECK(contrast(c.panel, c.text) >= 7); // a chosen segment
    // Lines and shapes 3:1; what is a shade only is beside a line or a word.
    for (const QColor& ground : {c.panel, c.ground, c.selection})
        CHECK(contrast(c.border, ground) >= 3);
    // Words on the chart's shades and on the ground of a verdict.
    const auto mixed = [](const QColor& ground, const QColor& tint, double share) {
        const auto mix = [share](int a, int b) { return static_cast<int>(a + (b - a) * share); };
        return QColor(mix(ground.red(), tint.red()), mix(ground.green(), tint.green()),
                      mix(ground.blue(), tint.blue()));
    };
    using dormer::verdict::Bound;
    for (const Bound bound : {Bound::Unknown, Bound::Memory, Bound::Compute, Bound::Latency, Bound::Balanced})
        for (const double share : {0.05, 0.09, 0.12, 0.22})
            for (const QColor& ink : {c.text, c.muted, c.gain})
                CHECK(contrast(ink, mixed(c.panel, verdictColor(bound, dark), share)) >= 7);
}

TEST_CASE("high contrast is told from the other schemes, in tables as well", "[theme]") {
    auto& app = *static_cast<QApplication*>(QApplication::instance());
    const auto found = [] {
        const QTableView table; // whose ground is the sheet's, white in the light scheme
        table.ensurePolished();
        return std::pair{&coloursFor(QApplication::palette()), &coloursFor(table.palette())};
    };
    using Found = decltype(found());
    applyTheme(app, Scheme::Dark);
    CHECK(found() == Found{&darkColours(), &darkColours()});
    for (const bool dark : {false, true}) {
        applyTheme(app, Scheme::Contrast, {.dark = dark, .contrast = false});
        CHECK(found() == Found{&contrastColours(dark), &contrastColours(dark)});
    }
    applyTheme(app, Scheme::Light);
    CHECK(found() == Found{&lightColours(), &lightColours()});
}

TEST_CASE("figures read on every heat and on every word of a picture of lanes", "[theme]") {
    for (const Colours* colours :
         {&lightColours(), &darkColours(), &contrastColours(false), &contrastColours(true)}) {
        const Colours& c = *colours;
        const double least = c.contrast ? 7 : 4.5;
        for (int percent = 0; percent <= 100; ++percent)
            for (const Heat heat : {Heat::Waste, Heat::Traffic, Heat::Stalls, Heat::Instructions})
                CHECK(contrast(c.text, heatColour(percent / 100.0, heat, c)) >= least);
        // Hotter is told from cooler.
        for (const Heat heat : {Heat::Waste, Heat::Stalls})
            CHECK(contrast(heatColour(1, heat, c), heatColour(0.1, heat, c)) > 1.3);
        const LaneColours& lanes = laneColours(c);
        CHECK(contrast(lanes.onUsed, lanes.used) >= least);
        CHECK(contrast(lanes.onConflict, lanes.conflict) >= least);
        CHECK(contrast(c.text, lanes.lane) >= least);
        // Shapes need 3:1 (WCAG 1.4.11).
        for (const QColor& shape : {lanes.used, lanes.conflict, lanes.wastedEdge, lanes.laneEdge})
            CHECK(contrast(shape, c.panel) >= 3);
    }
}

TEST_CASE("schemes have names", "[theme]") {
    bool ok = false;
    CHECK(schemeFromString("dark", ok) == Scheme::Dark);
    CHECK(ok);
    CHECK(schemeFromString("contrast", ok) == Scheme::Contrast);
    CHECK(ok);
    CHECK(schemeFromString("sepia", ok) == Scheme::System);
    CHECK_FALSE(ok);
}
