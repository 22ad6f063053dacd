// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timeline_view.h"

#include "tests/analysis/view/timeline/ran.h"
#include "tests/support/catch.h"
#include "tests/ui/app_support.h"
#include "ui/sessions/session_hub.h"
#include "ui/shell/chart_panel.h"

#include <QTest>
#include <QWheelEvent>

using namespace dormer;
using dormer::tests::Ran;
using dormer::view::timeline::RowKind;

namespace {

/// Three kernels of one stream with gaps of 30 and 40 µs, a copy, ranges, and activity.
session::Session program() {
    Ran ran;
    ran.launch(0, 10'000, Ran::called(-2'000));
    ran.launch(40'000, 10'000, Ran::called(35'000));
    ran.launch(90'000, 10'000, Ran::called(80'000, 55'000));
    ran.session.apply(Ran::copy(15'000, 5'000));
    ran.session.apply(session::NvtxRange{0, "step", Ran::kBegin, Ran::kBegin + 95'000});
    session::DeviceActivity activity;
    activity.counter = "dram__bytes_read.sum";
    activity.startNs = Ran::kBegin;
    activity.stepNs = 10'000;
    activity.values.values = {1e12, 2e12};
    ran.session.apply(activity);
    return std::move(ran.session);
}

struct Shown {
    ui::sessions::SessionHub hub;
    ui::shell::ChartPanel panel{hub};
    ui::timeline::TimelineView& view = panel.timeline();
    ui::timeline::TimelineChart& chart = view.chart();

    explicit Shown(session::Session session) {
        panel.resize(900, 560);
        panel.show();
        hub.setSession(std::move(session));
        panel.setTab(ui::shell::ChartPanel::Tab::Timeline);
        QApplication::processEvents();
    }
    [[nodiscard]] std::size_t rowOf(RowKind kind) const {
        const auto& rows = chart.timeline().rows;
        return static_cast<std::size_t>(std::ranges::find(rows, kind, &view::timeline::TimelineRow::kind) -
                                        rows.begin());
    }
    [[nodiscard]] QPoint middleOf(RowKind kind, std::size_t bar) const {
        const QRectF box = chart.boxOf(rowOf(kind), bar);
        REQUIRE(!box.isEmpty());
        return box.center().toPoint();
    }
    void click(QPoint at, Qt::KeyboardModifiers modifiers = {}) {
        QTest::mouseClick(chart.viewport(), Qt::LeftButton, modifiers, at);
    }
};

} // namespace

TEST_CASE("the timeline is there for programs that ran on a GPU, not for emulated ones", "[timeline]") {
    const Shown shown(program());
    CHECK(shown.panel.tab() == ui::shell::ChartPanel::Tab::Timeline);
    CHECK(shown.chart.timeline().rows.size() == 5);
    CHECK(shown.chart.accessibleDescription().contains("DRAM read"));
    Ran emulated(session::Origin::Emulated);
    emulated.launch(0, 10);
    const Shown none(std::move(emulated.session));
    CHECK_FALSE(none.panel.hasTab(ui::shell::ChartPanel::Tab::Timeline));
    CHECK(none.panel.tab() == ui::shell::ChartPanel::Tab::Roofline);
}

TEST_CASE("a click on a kernel selects its launch, one on a gap the launch that ended it", "[timeline]") {
    Shown shown(program());
    shown.click(shown.middleOf(RowKind::Kernels, 1));
    REQUIRE(shown.hub.selected());
    CHECK(raw(*shown.hub.selected()) == 1);
    shown.click(shown.middleOf(RowKind::Idle, 1));
    CHECK(raw(*shown.hub.selected()) == 2);
    QTest::keyClick(&shown.chart, Qt::Key_Left, Qt::ControlModifier);
    CHECK(raw(*shown.hub.selected()) == 1);
    QTest::keyClick(&shown.chart, Qt::Key_Right, Qt::ControlModifier);
    QTest::keyClick(&shown.chart, Qt::Key_Right, Qt::ControlModifier);
    CHECK(raw(*shown.hub.selected()) == 2); // the last one
}

TEST_CASE("what is under the pointer is told: kernel, gap with its cause, activity", "[timeline]") {
    const Shown shown(program());
    const auto hint = [&](RowKind kind, std::size_t bar) {
        return shown.chart.hintAt(shown.middleOf(kind, bar));
    };
    CHECK(hint(RowKind::Kernels, 0).contains("<b>work</b>"));
    CHECK(hint(RowKind::Idle, 1).contains("synchronization"));
    CHECK(hint(RowKind::Idle, 0).contains("host"));
    CHECK(hint(RowKind::Ranges, 0).contains("step"));
    const QRectF kernel = shown.chart.boxOf(shown.rowOf(RowKind::Kernels), 0);
    const QPointF activity(kernel.center().x(), shown.middleOf(RowKind::Idle, 0).y() - 1.5 * kernel.height());
    CHECK(shown.chart.hintAt(activity).contains("DRAM read: 30 % of 3.35 TB/s"));
    CHECK(shown.chart.hintAt({2, 2}).isEmpty());
}

TEST_CASE("wheel, keys and dragging change what is in sight, a double click shows one launch", "[timeline]") {
    Shown shown(program());
    const auto span = [&] { return shown.chart.window().toNs - shown.chart.window().fromNs; };
    const double all = span();
    const QPoint at = shown.middleOf(RowKind::Kernels, 1);
    QWheelEvent wheel(at, shown.chart.viewport()->mapToGlobal(at), {}, {0, 240}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(shown.chart.viewport(), &wheel);
    CHECK(span() < 0.7 * all);
    CHECK(std::abs(shown.middleOf(RowKind::Kernels, 1).x() - at.x()) <= 2); // stays below the pointer
    const double from = shown.chart.window().fromNs;
    QTest::keyClick(&shown.chart, Qt::Key_Right);
    CHECK(shown.chart.window().fromNs > from);
    QTest::keyClick(&shown.chart, Qt::Key_Home);
    CHECK(span() == all);

    QTest::mouseDClick(shown.chart.viewport(), Qt::LeftButton, {}, shown.middleOf(RowKind::Kernels, 1));
    CHECK(span() == Approx(12'000));
    CHECK(shown.chart.window().fromNs == Approx(39'000));
    // Choosing a launch that is out of sight moves there.
    shown.hub.select(session::LaunchIndex{2});
    CHECK(shown.chart.window().fromNs == Approx(89'000).margin(1'500));
    QTest::keyClick(&shown.chart, Qt::Key_Home);

    // A stretch that is drawn fills the view.
    const QPoint first = shown.middleOf(RowKind::Kernels, 0), last = shown.middleOf(RowKind::Kernels, 1);
    QTest::mousePress(shown.chart.viewport(), Qt::LeftButton, Qt::ShiftModifier, first);
    QTest::mouseMove(shown.chart.viewport(), last);
    QMouseEvent moved(QEvent::MouseMove, last, shown.chart.viewport()->mapToGlobal(last), Qt::NoButton,
                      Qt::LeftButton, Qt::ShiftModifier);
    QApplication::sendEvent(shown.chart.viewport(), &moved);
    QTest::mouseRelease(shown.chart.viewport(), Qt::LeftButton, Qt::ShiftModifier, last);
    CHECK(span() == Approx(40'000).epsilon(0.02));
    CHECK(shown.chart.window().fromNs == Approx(5'000).margin(300));
}

TEST_CASE("the timeline follows a run and its table says what the GPU waited for", "[timeline]") {
    Shown shown(program());
    REQUIRE(shown.view.table().model()->rowCount() == 3);
    CHECK(shown.view.table().model()->index(1, 0).data().toString() == "idle: synchronization");
    session::Launch late = Ran::called(150'000);
    late.id = 3;
    late.startNs = Ran::kBegin + 200'000;
    late.durationNs = 10'000;
    late.calledNs += Ran::kBegin;
    shown.hub.apply(late);
    REQUIRE(QTest::qWaitFor([&] { return shown.chart.timeline().lengthNs == 210'000; }, 5'000));
    CHECK(shown.chart.window().toNs == 210'000); // all was in sight, and stays so
    CHECK(shown.view.table().model()->index(1, 0).data().toString() == "idle: host");
    CHECK_FALSE(shown.chart.grab().isNull());
}
