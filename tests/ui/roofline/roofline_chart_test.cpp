// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/store/session_file.h"
#include "analysis/view/plot/marker.h"
#include "tests/support/catch.h"
#include "tests/support/launches.h"
#include "tests/support/mixed_session.h"
#include "tests/support/sample_session.h"
#include "ui/look/theme.h"
#include "ui/roofline/chart_header.h"
#include "ui/roofline/roofline_chart.h"
#include "ui/roofline/roofline_points.h"
#include "ui/sessions/session_hub.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>

#include <qcustomplot.h>

#include <algorithm>
#include <iostream>
#include <vector>

using namespace dormer;
using session::LaunchIndex;

namespace {

/// The chart on screen with the sample session: 27 launches, of which 14 have FP32 work and DRAM traffic.
struct Shown {
    ui::sessions::SessionHub hub;
    ui::roofline::RooflineChart chart{hub};
    QCustomPlot* plot = chart.findChild<QCustomPlot*>();

    explicit Shown(session::Session session = tests::sampleSession()) {
        hub.setSession(std::move(session));
        chart.resize(720, 480);
        chart.show();
        settle();
    }
    void settle(int ms = 60) { QTest::qWait(ms); }
    LaunchIndex launchOf(std::string_view workload) const { return tests::launchOf(hub.session(), workload); }
    QPoint onPlot(LaunchIndex launch) const {
        const auto position = chart.positionOf(launch);
        REQUIRE(position);
        return plot->mapFrom(&chart, *position);
    }
};

} // namespace

TEST_CASE("every launch of the sample is on the chart, in the gutter or named as uncounted") {
    Shown shown;
    CHECK(shown.chart.pointCount() > 0);
    CHECK(shown.chart.gutterCount() > 0);
    const auto launches = static_cast<int>(shown.hub.session().launches().size());
    CHECK(shown.chart.pointCount() + shown.chart.gutterCount() == launches - 1); // "fill" has no counters
}

TEST_CASE("a rectangle drawn with Shift is zoomed to, a tiny one is a click") {
    Shown shown;
    const QPoint from = shown.onPlot(shown.launchOf("roofline/vector_add")) - QPoint(60, 60);
    const auto draw = [&](QPoint size) {
        QTest::mousePress(shown.plot, Qt::LeftButton, Qt::ShiftModifier, from);
        QTest::mouseMove(shown.plot, from + size / 2);
        QMouseEvent move(QEvent::MouseMove, from + size, shown.plot->mapToGlobal(from + size), Qt::LeftButton,
                         Qt::LeftButton, Qt::ShiftModifier);
        QApplication::sendEvent(shown.plot, &move);
        QTest::mouseRelease(shown.plot, Qt::LeftButton, Qt::ShiftModifier, from + size);
        shown.settle();
    };
    const QCPRange before = shown.plot->xAxis->range();
    draw({3, 3});
    CHECK(shown.plot->xAxis->range() == before);
    const double left = shown.plot->xAxis->pixelToCoord(from.x()),
                 top = shown.plot->yAxis->pixelToCoord(from.y());
    draw({120, 120});
    CHECK(shown.plot->xAxis->range().lower == Approx(left).epsilon(0.02));
    CHECK(shown.plot->yAxis->range().upper == Approx(top).epsilon(0.02));
    CHECK(shown.chart.positionOf(shown.launchOf("roofline/vector_add")));
}

TEST_CASE("a crosshair follows the pointer and leaves with it") {
    Shown shown;
    const auto picture = [&] { return shown.plot->grab().toImage(); };
    const QImage bare = picture();
    const QPoint at = shown.plot->axisRect()->rect().center();
    QMouseEvent move(QEvent::MouseMove, at, shown.plot->mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
    QApplication::sendEvent(shown.plot, &move);
    shown.settle();
    CHECK(picture() != bare);
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(&shown.chart, &leave);
    shown.settle();
    CHECK(picture() == bare);
}

TEST_CASE("arrows lead from where kernels were in the baseline") {
    Shown shown;
    shown.hub.setBaseline(tests::sampleSession());
    const LaunchIndex scale = shown.launchOf("roofline/scale"), add = shown.launchOf("roofline/vector_add");
    shown.chart.setMoved({{add, scale}});
    CHECK(shown.chart.trailCount() == 1);
    const LaunchIndex uncounted{static_cast<std::uint32_t>(shown.hub.session().launches().size() - 1)};
    shown.chart.setMoved({{uncounted, scale}});
    CHECK(shown.chart.trailCount() == 0); // it was nowhere
    shown.chart.setMoved({{add, scale}});
    shown.hub.setBaseline({});
    shown.chart.setMoved({{add, scale}});
    CHECK(shown.chart.trailCount() == 0);
}

TEST_CASE("the selected kernel is joined with its places at the other levels") {
    Shown shown;
    CHECK(shown.chart.levelPositions().empty());
    const LaunchIndex launch = shown.launchOf("vector_sum/uncoalesced");
    const QImage bare = shown.plot->grab().toImage();
    shown.hub.select(launch);
    REQUIRE(QTest::qWaitFor([&] { return shown.chart.levelPositions().size() == 2; }, 20000));
    shown.settle(400);
    const QPoint own = shown.onPlot(launch);
    const verdict::MemoryLevel expected[] = {verdict::MemoryLevel::L1, verdict::MemoryLevel::L2};
    for (const auto& [level, place] : shown.chart.levelPositions()) {
        CHECK(std::ranges::count(expected, level) == 1);
        const QPoint at = shown.plot->mapFrom(&shown.chart, place);
        // 2^24 additions per byte that the level moved, counted in sectors of 32 bytes.
        const auto point = verdict::rooflinePoint(shown.hub.metrics(), launch, verdict::Work::Fp32, level);
        REQUIRE(point);
        CHECK(shown.plot->xAxis->pixelToCoord(at.x()) == Approx(point->intensity).epsilon(0.03));
        CHECK(std::abs(at.y() - own.y()) <= 1);
    }
    CHECK(shown.plot->grab().toImage() != bare);

    QTest::mouseMove(shown.plot, QPoint(1, 1));
    shown.hub.select({});
    shown.settle();
    CHECK(shown.chart.levelPositions().empty());
}

TEST_CASE("a selected kernel with tensor and scalar work has a mark for each") {
    Shown shown(tests::mixedSession());
    shown.chart.setWork(verdict::Work::Tensor);
    shown.settle();
    CHECK(shown.chart.partPositions().empty());
    shown.hub.select(LaunchIndex{0});
    REQUIRE(QTest::qWaitFor([&] { return shown.chart.partPositions().size() == 1; }, 20000));
    shown.settle(400);
    const auto [name, place] = shown.chart.partPositions().front();
    CHECK(name == "FP32");
    // 2e9 operations in 100 us over 2e8 bytes.
    const QPoint at = shown.plot->mapFrom(&shown.chart, place);
    CHECK(shown.plot->xAxis->pixelToCoord(at.x()) == Approx(10).epsilon(0.03));
    CHECK(shown.plot->yAxis->pixelToCoord(at.y()) == Approx(2e13).epsilon(0.03));
    shown.chart.setWork(verdict::Work::Fp32);
    REQUIRE(QTest::qWaitFor(
        [&] {
            const auto parts = shown.chart.partPositions();
            return parts.size() == 1 && parts.front().first == "FP16 tensor";
        },
        20000));
}

TEST_CASE("marks of levels lie in the frame, whatever is selected and however far is zoomed") {
    Shown shown;
    int joined = 0;
    for (std::uint32_t i = 0; i < shown.hub.session().launches().size(); ++i) {
        const LaunchIndex launch{i};
        if (!shown.chart.positionOf(launch)) continue;
        std::size_t stops = 0;
        for (const auto level :
             {verdict::MemoryLevel::L2, verdict::MemoryLevel::L1, verdict::MemoryLevel::Shared}) {
            const auto point = verdict::rooflinePoint(shown.hub.metrics(), launch, shown.chart.work(), level);
            stops += point && point->intensity > 0 ? 1 : 0;
        }
        shown.hub.select(launch);
        // The view widens until all of them are in it.
        CAPTURE(i, stops);
        CHECK(QTest::qWaitFor([&] { return shown.chart.levelPositions().size() == stops; }, 20000));
        joined += stops > 0 ? 1 : 0;
    }
    CHECK(joined > 5);
    shown.hub.select(shown.launchOf("vector_sum/uncoalesced"));
    const auto inside = [&] {
        const QRect frame = shown.plot->axisRect()->rect();
        return std::ranges::all_of(shown.chart.levelPositions(), [&](const auto& each) {
            return frame.adjusted(4, 4, -4, -4).contains(shown.plot->mapFrom(&shown.chart, each.second));
        });
    };
    for (int zoom = 0; zoom < 12; ++zoom) {
        QTest::keyClick(&shown.chart, Qt::Key_Plus);
        shown.settle(40);
        CHECK(inside());
    }
    CHECK(shown.chart.levelPositions().size() < 2); // zoomed past them
}

TEST_CASE("markers are whole, whatever stands at the edge of the view") {
    // Its longest launch is a large triangle well below all roofs.
    auto recorded = store::loadSession(DORMER_SOURCE_DIR "/samples/h100-basics.dormer");
    REQUIRE(recorded.has_value());
    Shown shown(std::move(*recorded));
    shown.chart.resize(640, 400);
    const double reach = view::plot::markerReach(verdict::Bound::Latency, ui::roofline::kMostMarker);
    const auto margin = static_cast<int>(reach) - 1;
    for (const auto work : {verdict::Work::Fp32, verdict::Work::IntegerAndFp}) {
        shown.chart.setWork(work);
        shown.settle(400);
        int seen = 0, whole = 0;
        const QRect inside = shown.plot->axisRect()->rect().adjusted(margin, margin, -margin, -margin);
        for (std::uint32_t i = 0; i < shown.hub.session().launches().size(); ++i) {
            const auto at = shown.chart.positionOf(LaunchIndex{i});
            if (!at) continue;
            ++seen;
            whole += inside.contains(shown.plot->mapFrom(&shown.chart, *at)) ? 1 : 0;
        }
        CHECK(seen > 20);
        CHECK(whole == seen);
    }
}

TEST_CASE("a point stands where its numbers say") {
    Shown shown;
    const QPoint at = shown.onPlot(shown.launchOf("roofline/vector_add"));
    // 2^24 FLOPs over 201326592 bytes and 68.0 us.
    CHECK(shown.plot->xAxis->pixelToCoord(at.x()) == Approx(1.0 / 12).epsilon(0.02));
    CHECK(shown.plot->yAxis->pixelToCoord(at.y()) == Approx(16777216 / 68e-6).epsilon(0.03));
}

TEST_CASE("a click on a point selects its launch everywhere") {
    Shown shown;
    const LaunchIndex launch = shown.launchOf("roofline/fma_chain");
    QTest::mouseClick(shown.plot, Qt::LeftButton, {}, shown.onPlot(launch));
    REQUIRE(shown.hub.selected());
    CHECK(shown.hub.session().launch(*shown.hub.selected()).workload == "roofline/fma_chain");
}

TEST_CASE("a drag pans and selects nothing") {
    Shown shown;
    const double before = shown.plot->xAxis->range().lower;
    const QPoint from = shown.onPlot(shown.launchOf("roofline/vector_add"));
    QTest::mousePress(shown.plot, Qt::LeftButton, {}, from);
    QTest::mouseMove(shown.plot, from + QPoint(40, 10));
    QTest::mouseMove(shown.plot, from + QPoint(80, 20));
    QTest::mouseRelease(shown.plot, Qt::LeftButton, {}, from + QPoint(80, 20));
    CHECK(shown.plot->xAxis->range().lower < before);
    CHECK_FALSE(shown.hub.selected());
    shown.chart.resetView();
    CHECK(shown.plot->xAxis->range().lower == Approx(before));
}

TEST_CASE("the wheel zooms about the pointer") {
    Shown shown;
    const QPointF at = shown.plot->axisRect()->center();
    const double under = shown.plot->xAxis->pixelToCoord(at.x()), span = shown.plot->xAxis->range().upper;
    QWheelEvent wheel(at, shown.plot->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(shown.plot, &wheel);
    CHECK(shown.plot->xAxis->range().upper < span);
    CHECK(shown.plot->xAxis->pixelToCoord(at.x()) == Approx(under).epsilon(1e-6));
}

TEST_CASE("keys move the selection, zoom and fit") {
    Shown shown;
    QTest::keyClick(&shown.chart, Qt::Key_Right);
    REQUIRE(shown.hub.selected()); // starts with what took most time
    CHECK(shown.hub.session().launch(*shown.hub.selected()).workload == "vector_sum/uncoalesced");
    const QPoint before = shown.onPlot(*shown.hub.selected());
    QTest::keyClick(&shown.chart, Qt::Key_Up);
    CHECK(shown.onPlot(*shown.hub.selected()).y() < before.y());

    const double upper = shown.plot->xAxis->range().upper;
    QTest::keyClick(&shown.chart, Qt::Key_Plus);
    CHECK(shown.plot->xAxis->range().upper < upper);
    QTest::keyClick(&shown.chart, Qt::Key_0);
    CHECK(shown.plot->xAxis->range().upper == Approx(upper));
}

TEST_CASE("chips choose work and level") {
    Shown shown;
    const auto press = [&](const QString& text) {
        for (ui::roofline::ChipButton* chip : shown.chart.findChildren<ui::roofline::ChipButton*>()) {
            if (chip->text() == text) return QTest::mouseClick(chip, Qt::LeftButton);
        }
        FAIL("no chip " << text.toStdString());
    };
    press("FP64");
    CHECK(shown.chart.work() == verdict::Work::Fp64);
    CHECK(shown.chart.positionOf(shown.launchOf("roofline/scale")).has_value());
    CHECK_FALSE(shown.chart.positionOf(shown.launchOf("roofline/vector_add")).has_value());
    press("L2");
    CHECK(shown.chart.level() == verdict::MemoryLevel::L2);
    press("warp inst");
    press("DRAM");
    CHECK(shown.chart.positionOf(shown.launchOf("transpose/tiled")).has_value()); // out of the gutter
}

TEST_CASE("the filter narrows the chart") {
    Shown shown;
    const LaunchIndex launch = shown.launchOf("roofline/vector_add");
    shown.chart.setFilter([=](LaunchIndex index) { return index == launch; });
    CHECK(shown.chart.pointCount() == 1);
    CHECK(shown.chart.gutterCount() == 0);
    shown.chart.setFilter({});
    CHECK(shown.chart.pointCount() > 1);
}

TEST_CASE("each record that shows a point is painted by itself") {
    Shown shown{session::Session()};
    int painted = 0; // points on the last picture
    QObject::connect(shown.plot, &QCustomPlot::afterReplot, &shown.chart,
                     [&] { painted = shown.chart.pointCount(); });
    const session::Session sample = tests::sampleSession();
    shown.hub.setSession(sample);
    std::vector<LaunchIndex> pointed;
    for (std::size_t i = 0; i < sample.launches().size(); ++i) {
        const LaunchIndex launch{static_cast<std::uint32_t>(i)};
        if (shown.chart.positionOf(launch)) pointed.push_back(launch);
    }
    REQUIRE(pointed.size() >= 6);
    shown.hub.setSession({});
    shown.settle();
    REQUIRE(painted == 0);

    std::vector<qint64> latencies;
    QElapsedTimer clock;
    for (const auto& [process, record] : store::recordsOf(sample)) {
        const int before = painted;
        clock.start();
        shown.hub.apply(record, process);
        const auto* counters = std::get_if<session::LaunchCounters>(&record);
        const bool shows = counters && std::any_of(pointed.begin(), pointed.end(), [&](LaunchIndex launch) {
                               return sample.launch(launch).id == counters->launch;
                           });
        if (!shows) continue;
        REQUIRE(QTest::qWaitFor([&] { return painted > before; }, 5000));
        latencies.push_back(clock.elapsed());
        if (latencies.size() == 6) break;
        // Until the last point has faded in: its pictures would carry the next one along.
        shown.settle(300);
    }
    REQUIRE(latencies.size() == 6);
    std::sort(latencies.begin(), latencies.end());
    std::cout << "from record to picture: slowest " << latencies.back() << " ms, median "
              << latencies[latencies.size() / 2] << " ms\n";
}

TEST_CASE("the view rests while points arrive inside it") {
    Shown shown{session::Session()};
    const session::Session sample = tests::sampleSession();
    std::optional<QCPRange> first;
    for (const auto& [process, record] : store::recordsOf(sample)) {
        const auto* launch = std::get_if<session::Launch>(&record);
        // fma_chain lies right of the fitted view, which then has to widen.
        if (launch && launch->workload == "roofline/fma_chain") continue;
        shown.hub.apply(record, process);
        if (!first && shown.chart.pointCount() > 0) first = shown.plot->yAxis->range();
    }
    shown.settle(150);
    CHECK(shown.chart.pointCount() > 5);
    const QCPRange rest = shown.plot->xAxis->range();
    CHECK(rest.lower == Approx(0.01));
    CHECK(rest.upper == Approx(1000));
}

TEST_CASE("a point outside gets its margin, not just its edge") {
    Shown shown{session::Session()};
    for (const auto& [process, record] : store::recordsOf(tests::sampleSession())) {
        shown.hub.apply(record, process);
    }
    shown.settle(900);
    const QPoint at = shown.onPlot(shown.launchOf("roofline/fma_chain"));
    CHECK(shown.plot->xAxis->pixelToCoord(at.x()) < 0.7 * shown.plot->xAxis->range().upper);
}

TEST_CASE("a view of the user's own stays when points arrive") {
    Shown shown;
    QTest::keyClick(&shown.chart, Qt::Key_Plus);
    const QCPRange chosen = shown.plot->xAxis->range();
    for (std::size_t i = 0; i < shown.hub.session().launches().size(); ++i) {
        emit shown.hub.launchChanged(LaunchIndex{static_cast<std::uint32_t>(i)});
    }
    shown.settle(120);
    CHECK(shown.plot->xAxis->range() == chosen);
}

TEST_CASE("exports carry provenance and leave the screen as it was") {
    Shown shown;
    QTemporaryDir folder;
    shown.hub.select(shown.launchOf("vector_sum/uncoalesced"));
    REQUIRE(QTest::qWaitFor([&] { return shown.chart.levelPositions().size() == 2; }, 20000));
    shown.settle(600); // until the view has widened
    const QImage before = shown.chart.grab().toImage();
    for (const QString ending : {"png", "svg", "pdf"}) {
        const QString path = folder.filePath("roofline." + ending);
        CHECK(shown.chart.exportTo(path).toStdString().empty());
        CHECK(QFileInfo(path).size() > 2000);
    }
    shown.settle();
    CHECK(shown.chart.grab().toImage() == before);

    QFile svg(folder.filePath("roofline.svg"));
    REQUIRE(svg.open(QIODevice::ReadOnly));
    const QByteArray text = svg.readAll();
    CHECK(text.contains("measured on NVIDIA H100"));
    CHECK(text.contains("roofline/vector_add"));
    // The selected kernel's levels, which share a name where they touch.
    const QRegularExpression levels(">(L1|L2)( / (L1|L2))?</text>");
    CHECK(levels.match(QString::fromUtf8(text)).hasMatch());
    CHECK_FALSE(text.contains("<image")); // shapes, not pictures of shapes
    QImage png(folder.filePath("roofline.png"));
    CHECK(png.width() >= 2 * shown.plot->width());
    CHECK(png.pixelColor(2, 2).lightness() > 240);
}

TEST_CASE("what can't be exported is said in one line") {
    Shown shown;
    QTemporaryDir folder;
    const QString missing = shown.chart.exportTo(folder.filePath("no/such/folder/a.png"));
    CHECK(missing.contains("no/such/folder/a.png"));
    CHECK_FALSE(missing.contains('\n'));
    CHECK(shown.chart.exportTo(folder.filePath("a.bmp")).contains(".svg"));
    CHECK_FALSE(QFileInfo::exists(folder.filePath("a.bmp")));
}

TEST_CASE("the chart follows the theme") {
    Shown shown;
    ui::look::applyTheme(*qApp, ui::look::Scheme::Dark);
    shown.settle();
    CHECK(shown.plot->grab().toImage().pixelColor(2, 2).lightness() < 80);
    ui::look::applyTheme(*qApp, ui::look::Scheme::Light);
    shown.settle();
    CHECK(shown.plot->grab().toImage().pixelColor(2, 2).lightness() > 200);
}

TEST_CASE("a large session arrives in slices until all of it is there") {
    ui::sessions::SessionHub hub;
    ui::roofline::RooflineChart chart(hub);
    chart.resize(900, 600);
    chart.show();
    hub.setSession(tests::generatedSession(20000));
    const bool whole =
        QTest::qWaitFor([&] { return chart.pointCount() + chart.gutterCount() > 18000; }, 20000);
    CHECK(whole);
}
