// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Pictures of the window for people to look at, and the basic facts of them for the machine.
#include "analysis/store/session_file.h"
#include "tests/support/catch.h"
#include "tests/support/suite_session.h"
#include "tests/ui/app_support.h"
#include "tests/ui/sources/source_session.h"
#include "ui/details/details_parts.h"
#include "ui/details/memory_diagram_view.h"
#include "ui/look/theme.h"
#include "ui/pattern/pattern_examples.h"
#include "ui/pattern/pattern_panel.h"
#include "ui/roofline/roofline_chart.h"
#include "ui/sessions/session_control.h"
#include "ui/setup/options_form.h"
#include "ui/setup/program_form.h"
#include "ui/setup/setup_panel.h"
#include "ui/shell/chart_panel.h"
#include "ui/shell/explain_part.h"
#include "ui/shell/list_panel.h"
#include "ui/shell/main_window.h"
#include "ui/sources/source_view.h"
#include "ui/sweeps/sweep_view.h"
#include "ui/tables/fact_table.h"
#include "ui/timeline/timeline_view.h"

#include <QApplication>
#include <QDir>
#include <QLineEdit>
#include <QSet>
#include <QTreeWidget>

#include <algorithm>

using namespace dormer;

namespace {

/// Where scripts/screenshots wants them.
QString pictures() {
    return qEnvironmentVariable("DORMER_SCREENSHOT_FOLDER", QStringLiteral(DORMER_SCREENSHOTS));
}

/// High contrast, too, for people who asked for pictures.
std::vector<ui::look::Scheme> schemes() {
    using ui::look::Scheme;
    std::vector<Scheme> all{Scheme::Light, Scheme::Dark};
    if (qEnvironmentVariableIsSet("DORMER_SCREENSHOT_FOLDER")) all.push_back(Scheme::Contrast);
    return all;
}

QString endingOf(ui::look::Scheme scheme) {
    return scheme == ui::look::Scheme::Dark       ? QStringLiteral("-dark")
           : scheme == ui::look::Scheme::Contrast ? QStringLiteral("-contrast")
                                                  : QStringLiteral("-light");
}

/// High contrast as white on black, which differs most from the others.
void apply(QApplication& app, ui::look::Scheme scheme) {
    ui::look::applyTheme(app, scheme, {.dark = true, .contrast = false});
}

/// Saves what the window shows and returns how many colours a coarse grid over it holds.
qsizetype shoot(QWidget& window, const char* name) {
    QApplication::processEvents();
    const QImage picture = window.grab().toImage();
    REQUIRE(picture.width() >= 1440);
    REQUIRE(QDir().mkpath(pictures()));
    REQUIRE(picture.save(QStringLiteral("%1/%2.png").arg(pictures(), name)));
    QSet<QRgb> colours;
    for (int y = 0; y < picture.height(); y += 3)
        for (int x = 0; x < picture.width(); x += 3)
            colours.insert(picture.pixel(x, y));
    return colours.size();
}

/// The suite as an H100 ran it: what a newcomer sees first.
session::Session recordedSuite() {
    Result<session::Session> session = store::loadSession(DORMER_SOURCE_DIR "/samples/h100-basics.dormer");
    REQUIRE(session.has_value());
    return std::move(*session);
}

/// The launch of the sample that has most to tell.
session::LaunchIndex uncoalesced(const session::Session& session) {
    for (std::uint32_t i = 0; i < session.launches().size(); ++i)
        if (session.launches()[i].workload == "vector_sum/uncoalesced") return session::LaunchIndex{i};
    FAIL("the sample has no vector_sum/uncoalesced");
    return {};
}

/// Enough of a suite to see families, sweeps and boxes that are partly on.
std::vector<instrument::launch::WorkloadInfo> wholeSuite() {
    std::vector<instrument::launch::WorkloadInfo> suite;
    const auto add = [&](const char* family, const char* title, const std::string& variant, const char* shows,
                         const char* sweep = "", bool wrong = false) {
        suite.push_back({.family = family,
                         .variant = variant,
                         .shows = shows,
                         .parameters = {"size=1048576"},
                         .title = title,
                         .familyShows = "what can be learnt here",
                         .sweep = sweep,
                         .wrongByDesign = wrong});
    };
    add("access", "One warp, one pattern", "aligned", "128 bytes from a line's start: 4 sectors");
    for (int k = 0; k <= 32; ++k)
        add("access", "One warp, one pattern", "offset/" + std::to_string(k), "loads begin K elements off",
            "offset");
    add("access", "One warp, one pattern", "scattered", "every lane in a sector of its own: 32 sectors");
    for (const char* name : {"direct", "transpose"})
        add("tile_scan", "Tiled prefix sum", name, "loads of a blocked arrangement");
    for (int point = 0; point < 60; ++point)
        add("tile_scan", "Tiled prefix sum", "tuning/" + std::to_string(point), "one point", "tuning");
    add("transfer", "Between host and device", "pageable", "through a staging buffer of the driver");
    add("histogram", "Counting into bins: who waits for whom", "racy",
        "a plain read, add and write loses counts", "", true);
    add("histogram", "Counting into bins: who waits for whom", "global_atomics",
        "every cell waits for its bin in L2");
    add("histogram", "Counting into bins: who waits for whom", "shared",
        "a histogram a block, merged at its end");
    add("device_wide", "Whole algorithms of CUB", "radix_sort", "passes over digits");
    return suite;
}

} // namespace

TEST_CASE("screenshots", "[screenshots]") {
    auto& app = *static_cast<QApplication*>(QApplication::instance());
    const QTemporaryDir folder;
    ui::sessions::Environment environment = tests::withFakeSuite(folder);
    environment.sampleRecording = "h100-basics.dormer";

    for (const ui::look::Scheme scheme : schemes()) {
        const QString ending = endingOf(scheme);
        apply(app, scheme);
        ui::shell::MainWindow window(environment);
        window.resize(1440, 900);
        window.show();
        QTest::qWait(300);
        CHECK(shoot(window, qPrintable("empty" + ending)) > 8);
        window.setup().setSubject(ui::setup::Subject::Program);
        window.setup().program().setProgram(
            {"python3 train.py --name 'two words'", "OMP_NUM_THREADS=4", "/tmp"});
        window.setup().options().setUnfolded(true);
        CHECK(shoot(window, qPrintable("program" + ending)) > 8);
        window.setup().options().setUnfolded(false);
        window.setup().setSubject(ui::setup::Subject::Workloads);

        window.control().show(recordedSuite(), {"h100-basics.dormer"}, true);
        REQUIRE(tests::eventually([&] { return window.hub().session().launches().size() >= 50; }));
        window.control().player().setPaused(true);
        window.hub().select(session::LaunchIndex{0});
        QTest::qWait(400);
        CHECK(window.chartPanel().chart().pointCount() >= 5);
        shoot(window, qPrintable("playing" + ending));

        window.control().stop();
        window.hub().select(uncoalesced(window.hub().session()));
        QTest::qWait(800);
        auto* bars = window.findChild<ui::details::UtilizationBars*>();
        REQUIRE(bars != nullptr);
        CHECK(bars->bars().size() >= 3);
        CHECK(shoot(window, qPrintable("selected" + ending)) > 40);

        window.explain().search();
        window.findChild<QLineEdit*>("paletteSearch")->setText("l1 hit");
        CHECK(shoot(window, qPrintable("search" + ending)) > 40);
        QTest::keyClick(window.findChild<QLineEdit*>("paletteSearch"), Qt::Key_Escape);
        window.explain().follow("metric:dram_bytes_per_second");
        CHECK(shoot(window, qPrintable("metric" + ending)) > 40);
        window.explain().follow("doc:verdicts.md#ceilings");
        CHECK(shoot(window, qPrintable("docs" + ending)) > 40);
    }
    ui::look::applyTheme(app, ui::look::Scheme::Light);
}

TEST_CASE("screenshots of lines", "[screenshots]") {
    auto& app = *static_cast<QApplication*>(QApplication::instance());
    const QTemporaryDir folder;
    for (const ui::look::Scheme scheme : schemes()) {
        const QString ending = endingOf(scheme);
        apply(app, scheme);
        ui::shell::MainWindow window(tests::withFakeSuite(folder));
        window.resize(1440, 900);
        window.show();
        const auto shot = [&](const QString& name) {
            QTest::qWait(400);
            CHECK(shoot(window, qPrintable(name + ending)) > 40);
        };
        ui::shell::ChartPanel& panel = window.chartPanel();
        panel.setTab(ui::shell::ChartPanel::Tab::Pattern);
        shot("pattern-empty");
        panel.pattern().form().setQuestion(ui::pattern::patternExamples()[2].question);
        shot("pattern");
        panel.pattern().form().setQuestion(
            {.expression = "tile[lane][0]", .rowElements = 32, .shared = true});
        shot("pattern-shared");
        panel.pattern().form().expression().setText("tile[lane][0");
        shot("pattern-problem");

        window.control().show(tests::transposeSession(), {"transpose.dormer"});
        window.hub().select(session::LaunchIndex{0});
        panel.setTab(ui::shell::ChartPanel::Tab::Source);
        shot("source");
        panel.source().stepHot(true);
        shot("source-global");

        auto recorded = store::loadSession(DORMER_SOURCE_DIR "/samples/h100-lines.dormer");
        REQUIRE(recorded.has_value());
        panel.setTab(ui::shell::ChartPanel::Tab::Roofline);
        window.control().show(std::move(*recorded), {"h100-lines.dormer"});
        shot("todo-first");
        window.lists().setTab(ui::shell::ListPanel::Tab::ToDo);
        auto* list = window.findChild<ui::tables::FactTable*>("todo");
        REQUIRE(tests::eventually([&] { return list->model()->rowCount() > 3; }));
        list->selectRow(1);
        shot("todo");
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                          list->visualRect(list->model()->index(0, 1)).center());
        shot("todo-line");
        auto* article = window.findChild<ui::details::MemoryDiagramView*>();
        REQUIRE(article != nullptr);
        REQUIRE(article->grab().save(QStringLiteral("%1/memory%2.png").arg(pictures(), ending)));
    }
    ui::look::applyTheme(app, ui::look::Scheme::Light);
}

TEST_CASE("screenshots of stalls", "[screenshots]") {
    auto& app = *static_cast<QApplication*>(QApplication::instance());
    const QTemporaryDir folder;
    for (const ui::look::Scheme scheme : schemes()) {
        const QString ending = endingOf(scheme);
        apply(app, scheme);
        auto recorded = store::loadSession(DORMER_SOURCE_DIR "/samples/h200-stalls.dormer");
        REQUIRE(recorded.has_value());
        ui::shell::MainWindow window(tests::withFakeSuite(folder));
        window.resize(1440, 900);
        window.show();
        window.control().show(std::move(*recorded), {"h200-stalls.dormer"});
        const auto& launches = window.hub().session().launches();
        const auto chase = std::ranges::find(launches, "stalls/chase_dependent", &session::Launch::workload);
        REQUIRE(chase != launches.end());
        window.hub().select(session::LaunchIndex{static_cast<std::uint32_t>(chase - launches.begin())});
        QTest::qWait(400);
        CHECK(shoot(window, qPrintable("stalls" + ending)) > 40);
        window.chartPanel().setTab(ui::shell::ChartPanel::Tab::Source);
        QTest::qWait(400);
        CHECK(shoot(window, qPrintable("stalls-source" + ending)) > 40);
    }
    ui::look::applyTheme(app, ui::look::Scheme::Light);
}

TEST_CASE("screenshots of the timeline", "[screenshots]") {
    auto& app = *static_cast<QApplication*>(QApplication::instance());
    const QTemporaryDir folder;
    for (const ui::look::Scheme scheme : schemes()) {
        const QString ending = endingOf(scheme);
        apply(app, scheme);
        auto recorded = store::loadSession(DORMER_SOURCE_DIR "/samples/h200-training.dormer");
        REQUIRE(recorded.has_value());
        ui::shell::MainWindow window(tests::withFakeSuite(folder));
        window.resize(1440, 900);
        window.show();
        window.control().show(std::move(*recorded), {"h200-training.dormer"});
        window.chartPanel().setTab(ui::shell::ChartPanel::Tab::Timeline);
        QTest::qWait(400);
        CHECK(shoot(window, qPrintable("timeline" + ending)) > 40);
        // A few milliseconds of it, at a launch in the middle.
        const auto middle = static_cast<std::uint32_t>(window.hub().session().launches().size() / 2);
        window.hub().select(session::LaunchIndex{middle});
        ui::timeline::TimelineChart& chart = window.chartPanel().timeline().chart();
        const auto& launch = window.hub().session().launches()[middle];
        const auto at = static_cast<double>(launch.startNs - chart.timeline().originNs);
        chart.setWindow(
            chart.window().zoomed(at, 4e6 / (chart.window().toNs - chart.window().fromNs), chart.timeline()));
        QTest::qWait(400);
        CHECK(shoot(window, qPrintable("timeline-near" + ending)) > 40);
    }
    ui::look::applyTheme(app, ui::look::Scheme::Light);
}

/// For the pictures of the documentation: DORMER_SCREENSHOT_SESSION names a recording, DORMER_SCREENSHOT_ITEM
/// the thing to do that is shown, from 1.
TEST_CASE("screenshots of a recording's line", "[.recording]") {
    const QString file = qEnvironmentVariable("DORMER_SCREENSHOT_SESSION");
    auto recorded = store::loadSession(file.toStdString());
    REQUIRE(recorded.has_value());
    const QTemporaryDir folder;
    ui::look::applyTheme(*static_cast<QApplication*>(QApplication::instance()), ui::look::Scheme::Light);
    ui::shell::MainWindow window(tests::withFakeSuite(folder));
    window.resize(1440, 900);
    window.show();
    window.control().show(std::move(*recorded), {QFileInfo(file).fileName()});
    window.lists().setTab(ui::shell::ListPanel::Tab::ToDo);
    auto* list = window.findChild<ui::tables::FactTable*>("todo");
    const int item = std::max(1, qEnvironmentVariableIntValue("DORMER_SCREENSHOT_ITEM")) - 1;
    REQUIRE(tests::eventually([&] { return list->model()->rowCount() > item; }));
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                      list->visualRect(list->model()->index(item, 1)).center());
    QTest::qWait(400);
    CHECK(shoot(window, "recording-source") > 40);
}

TEST_CASE("screenshots of a whole suite", "[screenshots]") {
    auto& app = *static_cast<QApplication*>(QApplication::instance());
    const QTemporaryDir folder;
    ui::sessions::Environment environment = tests::withFakeSuite(folder);
    environment.listWorkloads = []() -> Result<std::vector<instrument::launch::WorkloadInfo>> {
        return wholeSuite();
    };

    for (const ui::look::Scheme scheme : schemes()) {
        const QString ending = endingOf(scheme);
        const auto shot = [&](ui::shell::MainWindow& window, const QString& name) {
            QTest::qWait(400);
            CHECK(shoot(window, qPrintable(name + ending)) > 40);
        };
        apply(app, scheme);
        ui::shell::MainWindow window(environment);
        window.resize(1440, 900);
        window.show();
        window.control().show(tests::suiteSession(), {"suite.dormer"});
        auto* tree = window.findChild<QTreeWidget*>("workloads");
        REQUIRE(tests::eventually([&] { return tree->topLevelItemCount() == 5; }));
        tree->topLevelItem(0)->setExpanded(true);
        tree->topLevelItem(3)->setExpanded(true);
        tree->topLevelItem(3)->child(1)->setCheckState(0, Qt::Unchecked);

        ui::shell::ChartPanel& panel = window.chartPanel();
        const auto launch = [&](std::string_view workload) {
            const auto& launches = window.hub().session().launches();
            const auto at = std::ranges::find(launches, workload, &session::Launch::workload);
            return session::LaunchIndex{static_cast<std::uint32_t>(at - launches.begin())};
        };
        window.hub().select(launch("access/offset/9"));
        panel.setTab(ui::shell::ChartPanel::Tab::Sweeps);
        shot(window, "sweep");
        panel.sweeps().choose("tile_scan/tuning");
        window.hub().select(launch("tile_scan/128x16xdirect"));
        shot(window, "tuning");
        panel.sweeps().choose("zero_copy/elements");
        shot(window, "series");
        window.findChild<QLineEdit*>("workloadFilter")->setText("offset/1");
        window.hub().select(launch("histogram/racy"));
        panel.setTab(ui::shell::ChartPanel::Tab::Transfers);
        shot(window, "transfers");
        window.hub().select(launch("vector_sum/uncoalesced"));
        panel.setTab(ui::shell::ChartPanel::Tab::Roofline);
        shot(window, "suite");
    }
    ui::look::applyTheme(app, ui::look::Scheme::Light);
}
