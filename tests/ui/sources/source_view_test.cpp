// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/sources/source_view.h"

#include "analysis/store/session_file.h"
#include "tests/support/catch.h"
#include "tests/support/line_session.h"
#include "tests/support/sample_session.h"
#include "tests/ui/app_support.h"
#include "tests/ui/sources/source_session.h"
#include "ui/pattern/lane_picture_view.h"
#include "ui/sources/access_panel.h"
#include "ui/sources/code_table.h"
#include "ui/tables/fact_table.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTableView>

#include <algorithm>
#include <iostream>

using namespace dormer;
using ui::sources::CodeModel;

namespace {

/// A source view on screen, of the session's first launch.
struct Shown {
    ui::sessions::SessionHub hub;
    ui::sources::SourceView view{hub};

    explicit Shown(session::Session session) {
        view.resize(1000, 700);
        view.show();
        hub.setSession(std::move(session));
        hub.select(session::LaunchIndex{0});
        QTest::qWait(30);
    }
    QTableView& lines() { return view.lines().view(); }
    QTableView& code() { return view.code().view(); }
    void click(QTableView& table, int row) {
        const QModelIndex at = table.model()->index(row, CodeModel::Text);
        table.scrollTo(at);
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(at).center());
    }
    QString cell(QTableView& table, int row, int column) {
        return table.model()->index(row, column).data().toString();
    }
    std::vector<int> marked(QTableView& table) {
        std::vector<int> rows;
        for (int row = 0; row < table.model()->rowCount(); ++row)
            if (table.model()->index(row, 0).data(CodeModel::MarkedRole).toBool()) rows.push_back(row);
        return rows;
    }
    QString label(const char* name) {
        for (const QLabel* each : view.findChildren<QLabel*>())
            if (each->property("line").toString() == QLatin1String(name) && each->isVisible())
                return each->text();
        return {};
    }
    QString sentence() {
        for (const QLabel* each : view.findChildren<QLabel*>())
            if (each->isVisible() && !each->text().isEmpty()) return each->text();
        return {};
    }
};

} // namespace

TEST_CASE("the worst file and its worst line come first, with what they cost", "[source_view]") {
    Shown shown(tests::transposeSession());
    CHECK(shown.view.chosenPlace() == "transpose.cu:20");
    auto* files = shown.view.findChild<QComboBox*>("sourceFiles");
    REQUIRE(files->count() == 2);
    CHECK(files->itemText(0).startsWith("transpose.cu"));
    // Two launches of 2^19 warps: 32 wavefronts (ideal 1), 128 bytes each; line 22 wastes a sector a
    // warp.
    CHECK(shown.cell(shown.lines(), 19, CodeModel::Wavefronts) == "33.6 M");
    CHECK(shown.cell(shown.lines(), 19, CodeModel::WavefrontsIdeal) == "1.05 M");
    CHECK(shown.cell(shown.lines(), 21, CodeModel::Sectors) == "5.24 M");
    CHECK(shown.cell(shown.lines(), 21, CodeModel::SectorsIdeal) == "4.19 M");
    const double waste = 31.0 * 128 / (31.0 * 128 + 32);
    CHECK(shown.lines().model()->index(19, 0).data(CodeModel::HeatRole).toDouble() == Approx(waste));
    CHECK(shown.cell(shown.lines(), 4, CodeModel::Share).isEmpty());
    CHECK(shown.cell(shown.lines(), 14, CodeModel::Text)
              .startsWith("    // Neighbouring")); // a tab in the file
    CHECK(shown.lines().currentIndex().row() == 19);
    CHECK(shown.lines().viewport()->rect().contains(
        shown.lines().visualRect(shown.lines().currentIndex()).center()));
}

TEST_CASE("lines and instructions are chosen together, both ways", "[source_view]") {
    Shown shown(tests::transposeSession());
    shown.click(shown.lines(), 21);
    CHECK(shown.view.chosenPlace() == "transpose.cu:22");
    CHECK(shown.marked(shown.code()) == std::vector<int>{17});
    CHECK(shown.view.accesses().table().model()->index(0, 2).data().toString() == "5 / 4 sectors");

    shown.click(shown.code(), 14); // LDS
    CHECK(shown.view.chosenPlace() == "transpose.cu:20");
    CHECK(shown.code().currentIndex().row() == 14);
    REQUIRE(shown.view.accesses().table().model()->rowCount() == 1);
    CHECK(shown.view.accesses().table().model()->index(0, 2).data().toString() == "32 / 1 wavefronts");

    // An inlined access stands at the line that its user can change.
    shown.click(shown.code(), 9); // LDG of tile.h
    CHECK(shown.view.chosenPlace() == "tile.h:7");
    CHECK(shown.view.findChild<QComboBox*>("sourceFiles")->currentIndex() == 1);
    QTest::keyClick(&shown.code(), Qt::Key_Down); // STS
    CHECK(shown.view.chosenPlace() == "transpose.cu:18");
    QTest::keyClick(&shown.lines(), Qt::Key_Up);
    CHECK(shown.view.chosenPlace() == "transpose.cu:17");
    CHECK(shown.view.accesses().table().model()->rowCount() == 0);
}

TEST_CASE("stalls have a column and a heat, and lead to what is waited for", "[source_view]") {
    auto recorded = store::loadSession(DORMER_SOURCE_DIR "/samples/h200-stalls.dormer");
    REQUIRE(recorded.has_value());
    const auto& launches = recorded->launches();
    const auto chase = std::ranges::find(launches, "stalls/chase_dependent", &session::Launch::workload);
    REQUIRE(chase != launches.end());
    const session::LaunchIndex launch{static_cast<std::uint32_t>(chase - launches.begin())};
    Shown shown(std::move(*recorded));
    shown.hub.select(launch);
    QTest::qWait(30);
    auto* heat = shown.view.findChild<QComboBox*>("sourceHeat");
    REQUIRE(heat->isVisible());
    heat->setCurrentIndex(heat->findText("hot: stalls"));
    emit heat->activated(heat->currentIndex());
    // The chain of loads: each waits for the address that the load before it brings.
    const auto heatHere = [&] {
        return shown.lines().model()->index(shown.lines().currentIndex().row(), 0).data(CodeModel::HeatRole);
    };
    for (int step = 0; step < 20 && heatHere().toDouble() < 0.5; ++step)
        shown.view.stepHot(true);
    const int row = shown.lines().currentIndex().row();
    CHECK(heatHere().toDouble() > 0.5);
    CHECK(shown.cell(shown.lines(), row, CodeModel::StallReason) == "long scoreboard");
    CHECK(shown.lines().isColumnHidden(CodeModel::Stalled)); // the gutter has it
    heat->setCurrentIndex(heat->findText("hot: instr."));
    emit heat->activated(heat->currentIndex());
    CHECK_FALSE(shown.lines().isColumnHidden(CodeModel::Stalled));

    QPushButton* link = nullptr;
    for (QPushButton* each : shown.view.findChildren<QPushButton*>())
        if (each->property("jump") == "producer") link = each;
    REQUIRE(link != nullptr);
    REQUIRE(link->isVisible());
    CHECK(link->text().startsWith("Waits for LDG"));
    QTest::mouseClick(link, Qt::LeftButton);
    const int at = shown.code().currentIndex().row();
    CHECK(shown.cell(shown.code(), at, CodeModel::Text).startsWith("LDG"));
}

TEST_CASE("heads of the table of accesses are as wide as their words", "[source_view]") {
    Shown shown(tests::transposeSession());
    auto& table = shown.view.accesses().table();
    const QFontMetrics heads(table.horizontalHeader()->font());
    for (int column = 0; column < table.model()->columnCount(); ++column)
        CHECK(table.columnWidth(column) >=
              heads.horizontalAdvance(table.model()->headerData(column, Qt::Horizontal).toString()) + 8);
}

TEST_CASE("the picture of an access says whether its lanes were seen", "[source_view]") {
    Shown shown(tests::transposeSession());
    REQUIRE(shown.view.accesses().picture().pattern());
    CHECK(shown.view.accesses().picture().pattern()->wavefronts == 32);
    CHECK(shown.label("accessCaption").startsWith("Lanes of one warp, as seen"));
    auto& table = shown.view.accesses().table();
    REQUIRE(table.model()->rowCount() == 2);
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {},
                      table.visualRect(table.model()->index(1, 0)).center());
    REQUIRE(shown.view.accesses().picture().pattern());
    CHECK(shown.view.accesses().picture().pattern()->sectors == 4);
    CHECK(shown.label("accessCaption").startsWith("Not seen, drawn as coalesced accesses look"));
}

TEST_CASE("keys step through the hot lines and find words", "[source_view]") {
    Shown shown(tests::transposeSession());
    QTest::keyClick(&shown.view, Qt::Key_F8);
    CHECK(shown.view.chosenPlace() == "transpose.cu:22");
    QTest::keyClick(&shown.view, Qt::Key_F8);
    CHECK(shown.view.chosenPlace() == "transpose.cu:20");
    QTest::keyClick(&shown.view, Qt::Key_F8, Qt::ShiftModifier);
    CHECK(shown.view.chosenPlace() == "transpose.cu:22");
    shown.view.startFind();
    auto* find = shown.view.findChild<QLineEdit*>("sourceFind");
    QTest::keyClicks(find, "BLOCKIDX");
    CHECK(shown.view.chosenPlace() == "transpose.cu:10");
    QTest::keyClick(find, Qt::Key_Return);
    CHECK(shown.view.chosenPlace() == "transpose.cu:11");
    QTest::keyClick(find, Qt::Key_Return, Qt::ShiftModifier);
    CHECK(shown.view.chosenPlace() == "transpose.cu:10");
    QTest::keyClicks(find, "nowhere");
    CHECK(shown.view.chosenPlace() == "transpose.cu:10");
}

TEST_CASE("a place that is requested is shown, also while the view is hidden", "[source_view]") {
    Shown shown(tests::transposeSession());
    shown.hub.show(session::LaunchIndex{1}, {"/home/me/app/src/tile.h", 7, 0x90});
    CHECK(tests::eventually([&] { return shown.view.chosenPlace() == "tile.h:7"; }));
    shown.view.hide();
    shown.hub.show(session::LaunchIndex{0}, {"/home/me/app/src/transpose.cu", 22, 0x150});
    QTest::qWait(20);
    CHECK(shown.view.chosenPlace() == "tile.h:7");
    shown.view.show();
    CHECK(tests::eventually([&] { return shown.view.chosenPlace() == "transpose.cu:22"; }));
    // Without a line, the instruction.
    shown.hub.show(session::LaunchIndex{0}, {{}, 0, 0x120});
    CHECK(tests::eventually([&] { return shown.code().currentIndex().row() == 14; }));
}

TEST_CASE("what is missing is said, with the flag that brings it", "[source_view]") {
    Shown shown(tests::sampleSession());
    CHECK(shown.sentence() == "Collected without counts per line.");
    shown.hub.select(std::nullopt);
    CHECK(tests::eventually([&] { return shown.sentence().startsWith("Select a kernel"); }));
    shown.hub.setSession(tests::lineSession());
    shown.hub.select(session::LaunchIndex{0});
    // Counts, but no text: the lines that have any, and instructions by position.
    CHECK(tests::eventually([&] { return shown.view.chosenPlace() == "b.cuh:9"; }));
    CHECK(shown.label("sourceHint").contains("is not in the session"));
    CHECK(shown.code().model()->rowCount() == 5);
    CHECK(shown.cell(shown.code(), 0, CodeModel::Number) == "0010");
}

TEST_CASE("counts that arrive later keep the place", "[source_view]") {
    Shown shown(tests::transposeSession());
    shown.click(shown.lines(), 21);
    session::Launch launch;
    launch.id = 2;
    launch.grid = {128, 128, 1};
    launch.block = {32, 8, 1};
    shown.hub.apply(launch);
    CHECK(tests::eventually([&] { return shown.view.source()->accesses.size() == 5; }));
    shown.hub.apply(session::LaunchLines{2,
                                         {shown.hub.session().lines(session::LaunchIndex{0}).begin(),
                                          shown.hub.session().lines(session::LaunchIndex{0}).end()}});
    CHECK(tests::eventually([&] { return shown.cell(shown.lines(), 21, CodeModel::Sectors) == "7.86 M"; }));
    CHECK(shown.view.chosenPlace() == "transpose.cu:22");
}

TEST_CASE("another session takes the source away at once", "[source_view]") {
    Shown shown(tests::transposeSession());
    shown.hub.setSession(tests::sampleSession());
    CHECK(shown.view.source() == nullptr);
    CHECK_FALSE(shown.lines().isVisible());
}

TEST_CASE("the model of code keeps Qt's rules", "[source_view]") {
    CodeModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    const session::Session session = tests::transposeSession();
    const std::vector launches{session::LaunchIndex{0}};
    const auto source = std::make_shared<const lines::KernelSource>(lines::kernelSource(session, launches));
    model.setSource(source, 0);
    CHECK(model.rowCount() == static_cast<int>(source->files[0].rows.size()));
    model.setMarked({1, 2});
    model.setSource(source, std::nullopt);
    CHECK(model.rowCount() == 19);
    CHECK_FALSE(model.hasColumn(CodeModel::Sectors));
    model.setSource(nullptr, std::nullopt);
    CHECK(model.rowCount() == 0);
}

TEST_CASE("20000 lines and 50000 instructions open and scroll at once", "[source_view]") {
    ui::sessions::SessionHub hub;
    ui::sources::SourceView view(hub);
    view.resize(1000, 700);
    view.show();
    hub.setSession(tests::hugeSource(20'000, 50'000));
    QElapsedTimer clock;
    clock.start();
    hub.select(session::LaunchIndex{0});
    view.flush();
    QApplication::processEvents();
    const qint64 shownMs = clock.restart();
    REQUIRE(view.lines().model().rowCount() == 20'000);
    REQUIRE(view.code().model().rowCount() == 50'000);
    constexpr int kSteps = 50;
    QScrollBar& bar = *view.lines().view().verticalScrollBar();
    for (int i = 0; i < kSteps; ++i) {
        bar.setValue(bar.maximum() / kSteps * i);
        view.lines().view().viewport()->repaint();
    }
    const double frameMs = static_cast<double>(clock.restart()) / kSteps;
    for (int i = 0; i < kSteps; ++i)
        view.stepHot(true);
    QApplication::processEvents();
    const double stepMs = static_cast<double>(clock.elapsed()) / kSteps;
    std::cout << "20000 lines, 50000 instructions: shown after " << shownMs << " ms, " << frameMs
              << " ms a scrolled frame, " << stepMs << " ms from hot line to hot line\n";
    // Room for a busy machine; what it guards against is work for rows nobody looks at.
    CHECK(shownMs < 5000);
    CHECK(frameMs < 100);
    CHECK(stepMs < 200);
}
