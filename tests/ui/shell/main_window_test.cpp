// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/main_window.h"

#include "analysis/store/session_files.h"
#include "tests/support/catch.h"
#include "tests/support/sample_session.h"
#include "tests/support/suite_session.h"
#include "tests/ui/app_support.h"
#include "ui/kernels/kernel_table_view.h"
#include "ui/roofline/roofline_chart.h"
#include "ui/sessions/session_control.h"
#include "ui/shell/chart_panel.h"
#include "ui/shell/message_bar.h"
#include "ui/sweeps/sweep_view.h"

#include <QComboBox>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QTableView>
#include <QTreeWidget>

using namespace dormer;
using Activity = ui::sessions::SessionControl::Activity;

namespace {

QPushButton& button(QWidget& window, const char* name) {
    auto* found = window.findChild<QPushButton*>(name);
    REQUIRE(found != nullptr);
    return *found;
}

QString saveSample(const QTemporaryDir& folder, const char* name) {
    const QString file = folder.filePath(name);
    REQUIRE(store::saveSession(tests::sampleSession(), file.toStdString()));
    return file;
}

/// Shortcuts and focus need an active window.
void show(QWidget& window) {
    window.show();
    window.activateWindow();
    REQUIRE(QTest::qWaitForWindowActive(&window));
}

void drop(QWidget& window, const QString& file) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(file)});
    QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &enter);
    REQUIRE(enter.isAccepted());
    QDropEvent event(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &event);
}

} // namespace

TEST_CASE("without a GPU nothing runs and the window says why", "[main_window]") {
    const QTemporaryDir folder;
    ui::shell::MainWindow window(tests::withoutGpu(folder));
    show(window);
    QPushButton& run = button(window, "primary");
    REQUIRE(tests::eventually([&] { return run.toolTip().contains("libcuda"); }));
    CHECK_FALSE(run.isEnabled());
    CHECK(run.toolTip().contains("Install the NVIDIA driver"));
    CHECK(window.findChild<QLabel*>("status")->text().contains("NVIDIA driver"));
    auto* device = window.findChild<QComboBox*>("device");
    CHECK(device->currentText() == "no GPU");
    CHECK(device->findText(QStringLiteral("Add a machine\u2026")) > 0);
    QTest::keyClick(&window, Qt::Key_R, Qt::ControlModifier);
    CHECK(window.control().activity() == Activity::Idle);
}

TEST_CASE("without a GPU but with the emulator everything runs, and says that it is emulated",
          "[main_window]") {
    const QTemporaryDir folder;
    tests::setSlowTarget(0);
    ui::sessions::Environment environment = tests::withFakeSuite(folder);
    environment.probeGpus = tests::withoutGpu(folder).probeGpus;
    environment.installation.emulator = "/nowhere/emulator/libcudart.so.13"; // the fake suite links no CUDA
    ui::shell::MainWindow window(std::move(environment));
    show(window);
    QPushButton& run = button(window, "primary");
    REQUIRE(tests::eventually([&] { return run.isEnabled(); }));
    auto* device = window.findChild<QComboBox*>("device");
    CHECK(device->isEnabled());
    CHECK(device->currentText() == QStringLiteral("Emulated \u00b7 H100"));
    CHECK(device->findText(QStringLiteral("Emulated \u00b7 A100")) >= 0);
    CHECK(device->toolTip().contains("libcuda"));
    CHECK(window.findChild<QLabel*>("status")->text() == "no GPU: kernels are emulated");
    QTest::mouseClick(&run, Qt::LeftButton);
    REQUIRE(tests::eventually([&] { return !window.hub().session().launches().empty(); }));
    REQUIRE(tests::eventually([&] { return window.control().activity() == Activity::Idle; }));
}

TEST_CASE("a broken file says so and the session stays", "[main_window]") {
    const QTemporaryDir folder;
    ui::shell::MainWindow window(tests::withoutGpu(folder));
    show(window);
    window.control().open({saveSample(folder, "good.dormer")});
    REQUIRE(tests::eventually([&] { return !window.hub().session().launches().empty(); }));
    window.hub().select(session::LaunchIndex{3});

    const QString broken = folder.filePath("broken.dormer");
    QFile file(broken);
    REQUIRE(file.open(QIODevice::WriteOnly));
    file.write("SQLite format 3");
    file.close();
    drop(window, broken);
    REQUIRE(tests::eventually([&] { return window.messages().isVisible(); }));
    CHECK(window.messages().text().contains("broken.dormer"));
    CHECK(window.hub().session().launches().size() == tests::sampleSession().launches().size());
    CHECK(window.hub().selected() == session::LaunchIndex{3});
    CHECK(window.control().activity() == Activity::Idle);
}

TEST_CASE("a dropped file opens, saves and opens again equal", "[main_window]") {
    const QTemporaryDir folder;
    ui::shell::MainWindow window(tests::withoutGpu(folder));
    show(window);
    drop(window, saveSample(folder, "first.dormer"));
    REQUIRE(tests::eventually([&] { return !window.hub().session().launches().empty(); }));
    const QString copy = folder.filePath("copy.dormer");
    window.control().save(copy);
    REQUIRE(tests::eventually([&] { return window.messages().text().contains("copy.dormer"); }));
    window.control().open({copy});
    REQUIRE(tests::eventually([&] { return !window.messages().isVisible(); }));
    CHECK(tests::sameSession(window.hub().session(), tests::sampleSession()));
}

TEST_CASE("several files become one session", "[main_window]") {
    const QTemporaryDir folder;
    const auto merged = store::loadSessions(
        ui::sessions::pathsOf({saveSample(folder, "a.dormer"), saveSample(folder, "b.dormer")}));
    REQUIRE(merged);
    CHECK(merged->processes().size() == 2);
    CHECK(merged->launches().size() == 2 * tests::sampleSession().launches().size());
    CHECK_FALSE(store::loadSessions(
        ui::sessions::pathsOf({folder.filePath("a.dormer"), folder.filePath("missing.dormer")})));
}

TEST_CASE("point, row and article show the same launch", "[main_window]") {
    const QTemporaryDir folder;
    ui::shell::MainWindow window(tests::withoutGpu(folder));
    show(window);
    window.control().show(tests::sampleSession(), {});
    const auto title = [&] {
        const auto* label = window.findChild<QLabel*>("launchTitle");
        return label == nullptr ? QString() : label->text();
    };
    QTableView& table = window.kernels().table();
    const QModelIndex second = table.model()->index(1, ui::kernels::KernelTableModel::Name);
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(second).center());
    CHECK(tests::eventually([&] { return title() == "roofline/scale"; }));

    ui::roofline::RooflineChart& chart = window.chartPanel().chart();
    std::uint32_t wanted = 0;
    while (window.hub().session().launches()[wanted].workload != "vector_sum/uncoalesced")
        ++wanted;
    const auto point = chart.positionOf(session::LaunchIndex{wanted});
    REQUIRE(point);
    QTest::mouseClick(chart.childAt(*point) != nullptr ? chart.childAt(*point) : &chart, Qt::LeftButton, {},
                      chart.childAt(*point) != nullptr ? chart.childAt(*point)->mapFrom(&chart, *point)
                                                       : *point);
    CHECK(tests::eventually([&] { return title() == "vector_sum/uncoalesced"; }));
    CHECK(table.currentIndex().siblingAtColumn(1).data().toString() == "vector_sum/uncoalesced");
}

TEST_CASE("the filter narrows table and chart together", "[main_window]") {
    const QTemporaryDir folder;
    ui::shell::MainWindow window(tests::withoutGpu(folder));
    show(window);
    window.control().show(tests::sampleSession(), {});
    QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier);
    auto* filter = window.findChild<QLineEdit*>("filter");
    REQUIRE(QApplication::focusWidget() == filter);
    QTest::keyClicks(filter, "vector_add");
    CHECK(window.kernels().visibleRows() == 1);
    CHECK(tests::eventually([&] {
        return window.chartPanel().chart().pointCount() + window.chartPanel().chart().gutterCount() <= 3;
    }));
}

TEST_CASE("run fills the window and stop loses nothing", "[main_window]") {
    const QTemporaryDir folder;
    tests::setSlowTarget(40);
    ui::shell::MainWindow window(tests::withFakeSuite(folder));
    show(window);
    QPushButton& run = button(window, "primary");
    REQUIRE(tests::eventually([&] { return run.isEnabled(); }));
    auto* tree = window.findChild<QTreeWidget*>("workloads");
    CHECK(tree->topLevelItemCount() == 3);
    tree->topLevelItem(0)->setCheckState(0, Qt::Unchecked);
    tree->topLevelItem(1)->setCheckState(0, Qt::Unchecked);
    tree->topLevelItem(2)->setCheckState(0, Qt::Unchecked);
    CHECK_FALSE(run.isEnabled());
    tree->topLevelItem(1)->setCheckState(0, Qt::Checked);

    QTest::mouseClick(&run, Qt::LeftButton);
    CHECK(window.control().activity() == Activity::Collecting);
    CHECK_FALSE(run.isEnabled());
    REQUIRE(tests::eventually([&] { return window.hub().session().launches().size() >= 4; }));
    const QString status = window.findChild<QLabel*>("status")->text();
    CHECK(status.startsWith("live"));
    CHECK(status.contains("pass 3 of 5"));
    QTest::mouseClick(&button(window, "stop"), Qt::LeftButton);
    REQUIRE(tests::eventually([&] { return window.control().activity() == Activity::Idle; }));
    const std::size_t kept = window.hub().session().launches().size();
    CHECK(kept >= 4);
    const QString file = ui::sessions::SessionControl::recentFiles().value(0);
    const auto stored = store::loadSession(file.toStdString());
    REQUIRE(stored);
    CHECK(stored->launches().size() == kept);
    CHECK(stored->processes().at(0).signal == 15);
}

TEST_CASE("escape ends a playback with everything shown", "[main_window]") {
    const QTemporaryDir folder;
    ui::shell::MainWindow window(tests::withoutGpu(folder));
    show(window);
    window.control().show(tests::sampleSession(), {}, true);
    CHECK(window.control().activity() == Activity::Playing);
    CHECK(button(window, "pause").isVisible());
    window.control().player().setSpeed(0.1); // far from its end by itself
    QTest::keyClick(&window, Qt::Key_Escape);
    CHECK(window.control().activity() == Activity::Idle);
    CHECK(window.hub().session().launches().size() == tests::sampleSession().launches().size());
    QTest::mouseClick(&button(window, "play"), Qt::LeftButton);
    CHECK(window.control().activity() == Activity::Playing);
}

TEST_CASE("a session of copies alone is something to look at", "[main_window]") {
    const QTemporaryDir folder;
    ui::shell::MainWindow window(tests::withoutGpu(folder));
    show(window);
    CHECK_FALSE(window.chartPanel().isVisible());
    window.control().show(tests::emulatedTransfers(), {});
    CHECK(window.chartPanel().isVisible());
    CHECK(window.chartPanel().tab() == ui::shell::ChartPanel::Tab::Transfers);
}

TEST_CASE("point of a sweep, row of a kernel and article show the same launch", "[main_window]") {
    const QTemporaryDir folder;
    ui::shell::MainWindow window(tests::withoutGpu(folder));
    show(window);
    window.control().show(tests::suiteSession(), {});
    window.chartPanel().setTab(ui::shell::ChartPanel::Tab::Sweeps);
    QApplication::processEvents();
    ui::sweeps::SweepChart& chart = window.chartPanel().sweeps().chart();
    const auto point = chart.positionOf(17);
    REQUIRE(point);
    QTest::mouseClick(&chart, Qt::LeftButton, {}, point->toPoint());
    CHECK(tests::eventually([&] {
        const auto* label = window.findChild<QLabel*>("launchTitle");
        return label != nullptr && label->text() == "access/offset/17";
    }));
    CHECK(window.kernels().table().currentIndex().siblingAtColumn(1).data().toString() == "access/offset/17");
}
