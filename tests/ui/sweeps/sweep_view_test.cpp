// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/sweeps/sweep_view.h"

#include "analysis/store/session_file.h"
#include "tests/support/catch.h"
#include "tests/support/sample_session.h"
#include "tests/support/suite_session.h"
#include "tests/ui/app_support.h"
#include "ui/sessions/session_hub.h"
#include "ui/sessions/workload_launches.h"
#include "ui/shell/chart_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>

#include <algorithm>

using namespace dormer;
using Tab = ui::shell::ChartPanel::Tab;

namespace {

/// The chart's panel with the whole suite, its sweeps in front.
struct Shown {
    ui::sessions::SessionHub hub;
    ui::shell::ChartPanel panel{hub};
    ui::sweeps::SweepView& view = panel.sweeps();
    QComboBox& sweep = *panel.findChild<QComboBox*>("sweep");
    QComboBox& metric = *panel.findChild<QComboBox*>("sweepMetric");

    Shown() {
        panel.resize(820, 520);
        panel.show();
    }
    explicit Shown(session::Session session) : Shown() {
        hub.setSession(std::move(session));
        panel.setTab(Tab::Sweeps);
        QApplication::processEvents();
    }
    std::string selectedWorkload() const {
        return hub.selected() ? hub.session().launch(*hub.selected()).workload : std::string();
    }
    std::size_t pointOf(const std::string& workload) const {
        REQUIRE(view.current() != nullptr);
        const auto& points = view.current()->points;
        const auto at = std::ranges::find(points, workload, &metrics::SweepPoint::workload);
        REQUIRE(at != points.end());
        return static_cast<std::size_t>(at - points.begin());
    }
    void clickPoint(const std::string& workload) {
        const auto position = view.chart().positionOf(pointOf(workload));
        REQUIRE(position);
        QTest::mouseClick(&view.chart(), Qt::LeftButton, {}, position->toPoint());
    }
    void clickRow(int row) {
        ui::tables::FactTable& table = view.table();
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {},
                          table.visualRect(table.model()->index(row, 0)).center());
    }
    QStringList tabs() const {
        QStringList words;
        for (const QPushButton* button : panel.findChildren<QPushButton*>("tab"))
            if (button->isVisible()) words << button->text();
        return words;
    }
};

} // namespace

TEST_CASE("tabs appear only when there is something in them", "[sweep_view]") {
    Shown shown(tests::sampleSession());
    CHECK(shown.tabs() == QStringList{"Roofline", "Source", "Timeline", "Access pattern"});
    CHECK(shown.panel.tab() == Tab::Roofline);
    shown.hub.setSession(tests::suiteSession());
    CHECK(shown.tabs() ==
          QStringList{"Roofline", "Source", "Timeline", "Sweeps (3)", "Transfers", "Access pattern"});
    auto* sweeps = shown.panel.findChildren<QPushButton*>("tab")[3];
    QTest::mouseClick(sweeps, Qt::LeftButton);
    CHECK(shown.panel.tab() == Tab::Sweeps);
    CHECK(shown.view.isVisible());
    // Another session without sweeps comes back to the roofline.
    shown.hub.setSession(tests::sampleSession());
    CHECK(shown.tabs() == QStringList{"Roofline", "Source", "Timeline", "Access pattern"});
    CHECK(shown.panel.tab() == Tab::Roofline);
}

TEST_CASE("a sweep is a plot with the best point named, and a table", "[sweep_view]") {
    Shown shown(tests::suiteSession());
    REQUIRE(shown.view.current() != nullptr);
    CHECK(shown.view.current()->sweep.name == "access/offset");
    CHECK(shown.sweep.count() == 3);
    const ui::sweeps::SweepPicture& picture = shown.view.chart().picture();
    CHECK(picture.plot.spots.size() == 33);
    CHECK(picture.plot.xTitle == "offset");
    CHECK(picture.plot.yTitle == "sectors/load");
    for (const view::plot::SweepSpot& spot : picture.plot.spots)
        CHECK(spot.y == (static_cast<int>(spot.x) % 8 == 0 ? 4 : 5));
    CHECK(picture.best == 0);
    ui::tables::FactTable& table = shown.view.table();
    REQUIRE(table.model()->rowCount() == 33);
    CHECK(table.model()->index(8, 0).data().toString() == "8");
    CHECK(table.model()->index(9, 1).data().toString() == "5");
    CHECK(table.model()->headerData(2, Qt::Horizontal).toString() == QString::fromUtf8("time, \u00b5s"));
    CHECK(table.model()->index(8, 2).data().toString() == "20");
    CHECK(table.model()->headerData(1, Qt::Horizontal).toString() == "sectors/load");
    CHECK(shown.view.chart().width() > table.width());

    shown.metric.setCurrentIndex(1);
    CHECK(shown.view.chart().picture().plot.yTitle == "time, µs");
    CHECK(shown.view.chart().picture().plot.spots.at(1).y == 25);
}

TEST_CASE("a tuning without an axis of numbers stands side by side, its table below", "[sweep_view]") {
    Shown shown(tests::suiteSession());
    shown.sweep.setCurrentIndex(1);
    REQUIRE(shown.view.current()->sweep.name == "tile_scan/tuning");
    const ui::sweeps::SweepPicture& picture = shown.view.chart().picture();
    CHECK_FALSE(picture.plot.numeric);
    CHECK(picture.plot.spots.size() == 72);
    REQUIRE(picture.best);
    CHECK(picture.marks[*picture.best].name == "256 8 direct");
    CHECK(picture.bestLabel == "best: 256 8 direct");
    CHECK(shown.view.findChild<QSplitter*>()->orientation() == Qt::Vertical);
    bool said = false;
    for (const QLabel* label : shown.view.findChildren<QLabel*>())
        said = said || label->text().startsWith(QString::fromUtf8(
                           "best: 256x8xdirect (threads=256, items=8, load=direct) at 10.0 \u00b5s; "
                           "\u00d710 over the worst, "));
    CHECK(said); // worst: 64 threads, 1 item, warp: 4 + 3 + 3 against 1
}

TEST_CASE("two parameters, of which one is a number, are lines over one axis", "[sweep_view]") {
    Shown shown(tests::suiteSession());
    shown.sweep.setCurrentIndex(2);
    const ui::sweeps::SweepPicture& picture = shown.view.chart().picture();
    CHECK(picture.plot.xTitle == "elements (logarithmic)");
    CHECK(picture.plot.x.logarithmic);
    CHECK(picture.series == std::vector<QString>{"device", "mapped"});
    QVector<double> ticks;
    QVector<QString> labels;
    ui::sweeps::SweepChart& chart = shown.view.chart();
    chart.xAxis->ticker()->generate(chart.xAxis->range(), {}, 'g', 6, ticks, nullptr, &labels);
    REQUIRE_FALSE(labels.isEmpty());
    CHECK(ticks.front() == 1024);
    CHECK(labels.front() == "1024");
    for (qsizetype i = 0; i < ticks.size(); ++i)
        if (ticks[i] == 33554432) CHECK(labels[i] == "32 Mi");
    CHECK_FALSE(picture.best); // the sweep names none
}

TEST_CASE("a click on a point or a row selects its launch everywhere", "[sweep_view]") {
    Shown shown(tests::suiteSession());
    shown.clickPoint("access/offset/9");
    CHECK(shown.selectedWorkload() == "access/offset/9");
    CHECK(shown.view.chart().selected() == shown.pointOf("access/offset/9"));
    CHECK(shown.view.table().currentIndex().row() == 9);
    shown.clickRow(3);
    CHECK(shown.selectedWorkload() == "access/offset/3");
    CHECK(shown.view.chart().selected() == 3);
    shown.view.chart().setFocus();
    QTest::keyClick(&shown.view.chart(), Qt::Key_Right);
    CHECK(shown.selectedWorkload() == "access/offset/4");
    QTest::keyClick(&shown.view.chart(), Qt::Key_Left);
    QTest::keyClick(&shown.view.chart(), Qt::Key_Left);
    CHECK(shown.selectedWorkload() == "access/offset/2");
}

TEST_CASE("what is selected elsewhere is marked, in the sweep it belongs to", "[sweep_view]") {
    Shown shown(tests::suiteSession());
    const auto launches = ui::sessions::launchesOfWorkloads(shown.hub.diagnosis());
    shown.hub.select(launches.at("access/offset/20"));
    CHECK(shown.view.chart().selected() == 20);
    CHECK(shown.view.table().currentIndex().row() == 20);
    shown.hub.select(launches.at("tile_scan/128x4xwarp"));
    CHECK(shown.view.current()->sweep.name == "tile_scan/tuning");
    CHECK(shown.view.chart().selected() == shown.pointOf("tile_scan/128x4xwarp"));
    // The user may leave it for another sweep all the same.
    shown.sweep.setCurrentIndex(2);
    CHECK(shown.view.current()->sweep.name == "zero_copy/elements");
    CHECK_FALSE(shown.view.chart().selected());
    shown.view.flush();
    CHECK(shown.view.current()->sweep.name == "zero_copy/elements");
    shown.sweep.setCurrentIndex(1);
    CHECK(shown.view.chart().selected() == shown.pointOf("tile_scan/128x4xwarp"));
    shown.hub.select(launches.at("vector_sum/coalesced")); // of no sweep
    CHECK(shown.view.current()->sweep.name == "tile_scan/tuning");
    CHECK_FALSE(shown.view.chart().selected());
    CHECK_FALSE(shown.view.table().currentIndex().isValid());
}

TEST_CASE("a sweep grows while its points arrive and keeps what is selected", "[sweep_view]") {
    Shown shown;
    // A program tells its sweeps and workloads first; a file's records come in another order.
    auto records = store::recordsOf(tests::suiteSession());
    std::ranges::stable_partition(records, [](const auto& each) {
        return std::holds_alternative<session::Sweep>(each.second) ||
               std::holds_alternative<session::Workload>(each.second);
    });
    std::size_t counted = 0;
    bool selected = false;
    for (const auto& [process, record] : records) {
        shown.hub.apply(record, process);
        const auto* counters = std::get_if<session::LaunchCounters>(&record);
        if (counters == nullptr) continue;
        const std::string& workload = shown.hub.session().launches().back().workload;
        if (!workload.starts_with("access/offset/")) continue;
        ++counted;
        if (counted == 12) {
            shown.view.flush();
            shown.panel.setTab(Tab::Sweeps);
            QApplication::processEvents();
            CHECK(shown.view.chart().picture().plot.spots.size() == 12);
            shown.clickPoint("access/offset/7");
            selected = true;
        }
    }
    REQUIRE(selected);
    CHECK(tests::eventually([&] { return shown.view.chart().picture().plot.spots.size() == 33; }));
    CHECK(shown.selectedWorkload() == "access/offset/7");
    CHECK(shown.view.chart().selected() == shown.pointOf("access/offset/7"));
    CHECK(shown.view.table().currentIndex().row() == 7);
    CHECK(shown.tabs() ==
          QStringList{"Roofline", "Source", "Timeline", "Sweeps (3)", "Transfers", "Access pattern"});
}

TEST_CASE("a metric that was not collected says so in place of a plot", "[sweep_view]") {
    session::Session session;
    session.apply(session::Sweep{"f/s", "", {"k"}, {"dram_bytes", "duration_ns"}, "lowest"});
    for (int k = 0; k < 3; ++k)
        session.apply(session::Workload{.workload = "f/" + std::to_string(k),
                                        .title = {},
                                        .shows = {},
                                        .parameters = {"k=" + std::to_string(k)},
                                        .sweep = "f/s",
                                        .better = {}});
    Shown shown(std::move(session));
    CHECK(shown.view.chart().picture().plot.spots.empty());
    CHECK(shown.view.chart().picture().empty == "no plot: DRAM bytes was not collected for any point");
    CHECK(shown.view.table().model()->index(0, 1).data().toString() == QString::fromUtf8("\u2013"));
    CHECK(shown.view.table().model()->index(0, 1).data(Qt::ToolTipRole).toString() == "not collected");
    CHECK(shown.sweep.currentText() == "f/s"); // its name, for want of a title
}

TEST_CASE("the table of points sorts by number and is copied as text", "[sweep_view]") {
    Shown shown(tests::suiteSession());
    ui::tables::FactTable& table = shown.view.table();
    table.sortByColumn(0, Qt::DescendingOrder);
    CHECK(table.model()->index(0, 0).data().toString() == "32");
    shown.clickRow(0);
    CHECK(shown.selectedWorkload() == "access/offset/32");
    table.setFocus();
    QTest::keySequence(&table, QKeySequence::Copy);
    CHECK(QApplication::clipboard()->text() ==
          QString::fromUtf8("offset\tsectors/load\ttime, \u00b5s\n32\t4\t20\n"));
}

TEST_CASE("the plot is saved as a picture with its provenance", "[sweep_view]") {
    Shown shown(tests::suiteSession());
    const QTemporaryDir folder;
    for (const char* ending : {"png", "svg", "pdf"}) {
        const QString file = folder.filePath(QStringLiteral("sweep.") + ending);
        CHECK(shown.panel.exportTo(file).isEmpty());
        CHECK(QFile(file).size() > 1000);
    }
    CHECK(QImage(folder.filePath("sweep.png")).width() > shown.view.chart().width());
    QFile svg(folder.filePath("sweep.svg"));
    REQUIRE(svg.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(svg.readAll());
    CHECK(text.contains("Loads that begin K elements off (access/offset)"));
    CHECK(text.contains("measured on NVIDIA H100"));
    CHECK_FALSE(text.contains(QString::fromUtf8("marker area")));
    CHECK(shown.panel.exportTo(folder.filePath("sweep.xyz")).contains("ending"));
}
