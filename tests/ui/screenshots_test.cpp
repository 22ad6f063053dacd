// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Pictures of the window for people to look at, and the basic facts of them for the machine.
#include "analysis/session_file.h"
#include "tests/support/catch.h"
#include "tests/ui/app_support.h"
#include "ui/chart_panel.h"
#include "ui/details_parts.h"
#include "ui/main_window.h"
#include "ui/roofline_chart.h"
#include "ui/session_control.h"
#include "ui/theme.h"

#include <QApplication>
#include <QDir>
#include <QSet>

using namespace dormer;

namespace {

/// Saves what the window shows and returns how many colours a coarse grid over it holds.
qsizetype shoot(QWidget& window, const char* name) {
    QApplication::processEvents();
    const QImage picture = window.grab().toImage();
    REQUIRE(picture.width() >= 1440);
    REQUIRE(QDir().mkpath(DORMER_SCREENSHOTS));
    REQUIRE(picture.save(QStringLiteral(DORMER_SCREENSHOTS "/%1.png").arg(name)));
    QSet<QRgb> colours;
    for (int y = 0; y < picture.height(); y += 3)
        for (int x = 0; x < picture.width(); x += 3)
            colours.insert(picture.pixel(x, y));
    return colours.size();
}

/// The suite as an H100 ran it: what a newcomer sees first.
analysis::Session recordedSuite() {
    Result<analysis::Session> session = analysis::loadSession(DORMER_SOURCE_DIR "/samples/h100-suite.dormer");
    REQUIRE(session.has_value());
    return std::move(*session);
}

/// The launch of the sample that has most to tell.
analysis::LaunchIndex uncoalesced(const analysis::Session& session) {
    for (std::uint32_t i = 0; i < session.launches().size(); ++i)
        if (session.launches()[i].workload == "vector_sum/uncoalesced") return analysis::LaunchIndex{i};
    FAIL("the sample has no vector_sum/uncoalesced");
    return {};
}

} // namespace

TEST_CASE("screenshots", "[screenshots]") {
    auto& app = *static_cast<QApplication*>(QApplication::instance());
    const QTemporaryDir folder;
    ui::Environment environment = tests::withFakeSuite(folder);
    environment.sampleRecording = "h100-suite.dormer";

    for (const ui::Scheme scheme : {ui::Scheme::Light, ui::Scheme::Dark}) {
        const bool dark = scheme == ui::Scheme::Dark;
        ui::applyTheme(app, scheme);
        ui::MainWindow window(environment);
        window.resize(1440, 900);
        window.show();
        QTest::qWait(300);
        CHECK(shoot(window, dark ? "empty-dark" : "empty-light") > 8);

        window.control().show(recordedSuite(), {"h100-suite.dormer"}, true);
        REQUIRE(tests::eventually([&] { return window.hub().session().launches().size() >= 50; }));
        window.control().player().setPaused(true);
        window.hub().select(analysis::LaunchIndex{0});
        QTest::qWait(400);
        CHECK(window.chartPanel().chart().pointCount() >= 5);
        shoot(window, dark ? "playing-dark" : "playing-light");

        window.control().stop();
        window.hub().select(uncoalesced(window.hub().session()));
        QTest::qWait(800);
        auto* bars = window.findChild<ui::HeadroomBars*>();
        REQUIRE(bars != nullptr);
        CHECK(bars->bars().size() >= 3);
        CHECK(shoot(window, dark ? "selected-dark" : "selected-light") > 40);
    }
    ui::applyTheme(app, ui::Scheme::Light);
}
