// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Undo and redo of filters and selections, with real keys.
#include "tests/support/catch.h"
#include "tests/support/launches.h"
#include "tests/support/sample_session.h"
#include "tests/ui/app_support.h"
#include "ui/roofline/roofline_chart.h"
#include "ui/sessions/session_control.h"
#include "ui/shell/chart_panel.h"
#include "ui/shell/main_window.h"

#include <QLineEdit>

using namespace dormer;

TEST_CASE("Ctrl+Z goes back over filters and selections, Ctrl+Shift+Z forth", "[undo]") {
    QTemporaryDir folder;
    ui::shell::MainWindow window(tests::withoutGpu(folder));
    window.show();
    window.activateWindow();
    REQUIRE(QTest::qWaitForWindowActive(&window));
    window.control().show(tests::sampleSession(), {});
    auto& hub = window.hub();
    const auto add = tests::launchOf(hub.session(), "roofline/vector_add");
    const auto chain = tests::launchOf(hub.session(), "roofline/fma_chain");
    auto& chart = window.chartPanel().chart();
    chart.setFocus();
    const auto press = [&](Qt::KeyboardModifiers with = Qt::ControlModifier) {
        QTest::keyClick(&chart, Qt::Key_Z, with);
    };
    const auto again = Qt::ControlModifier | Qt::ShiftModifier;
    press(); // nothing to undo yet
    CHECK_FALSE(hub.selected());

    hub.select(add);
    QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier);
    auto* filter = qobject_cast<QLineEdit*>(window.focusWidget());
    REQUIRE(filter != nullptr);
    const int all = chart.pointCount();
    QTest::keyClicks(filter, "roofline");
    const int some = chart.pointCount();
    REQUIRE(some < all);
    chart.setFocus();
    hub.select(chain);

    press();
    CHECK(hub.selected() == add);
    CHECK(filter->text() == "roofline");
    press(); // what was typed in one go goes in one
    CHECK(filter->text().isEmpty());
    CHECK(hub.selected() == add);
    CHECK(chart.pointCount() == all);
    press();
    CHECK_FALSE(hub.selected());
    press();
    CHECK_FALSE(hub.selected());

    press(again);
    CHECK(hub.selected() == add);
    press(again);
    CHECK(filter->text() == "roofline");
    CHECK(chart.pointCount() == some);
    press(again);
    CHECK(hub.selected() == chain);
    press(again);
    CHECK(hub.selected() == chain);

    // Another way from there leaves what was ahead behind.
    press();
    hub.select({});
    press(again);
    CHECK_FALSE(hub.selected());
    press();
    CHECK(hub.selected() == add);

    // A session has a history of its own.
    window.control().show(tests::sampleSession(), {});
    const auto before = hub.selected();
    press();
    CHECK(hub.selected() == before);
    CHECK(filter->text() == "roofline");
}
