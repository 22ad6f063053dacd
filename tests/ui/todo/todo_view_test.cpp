// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/todo/todo_view.h"

#include "analysis/store/session_file.h"
#include "tests/support/catch.h"
#include "tests/support/sample_session.h"
#include "tests/ui/app_support.h"
#include "tests/ui/sources/source_session.h"
#include "ui/details/finding_card.h"
#include "ui/pattern/pattern_panel.h"
#include "ui/sessions/session_control.h"
#include "ui/shell/chart_panel.h"
#include "ui/shell/list_panel.h"
#include "ui/shell/main_window.h"
#include "ui/sources/code_table.h"
#include "ui/sources/source_view.h"
#include "ui/tables/fact_table.h"
#include "ui/todo/todo_feed.h"

#include <QCheckBox>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>

#include <iostream>

using namespace dormer;

namespace {

session::Session recordedLines() {
    auto session = store::loadSession(DORMER_SOURCE_DIR "/samples/h100-lines.dormer");
    REQUIRE(session.has_value());
    return std::move(*session);
}

void clickRow(ui::tables::FactTable& table, int row) {
    const QModelIndex at = table.model()->index(row, 1);
    table.scrollTo(at);
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(at).center());
}

} // namespace

TEST_CASE("the list is ranked, and says what is to be gained of what", "[todo_view]") {
    ui::sessions::SessionHub hub;
    ui::todo::ToDoFeed feed(hub);
    ui::todo::ToDoView view(hub, feed);
    view.show();
    hub.setSession(tests::sampleSession());
    CHECK(tests::eventually([&] { return !feed.list().empty(); }));
    const auto& rows = view.table().facts().rows();
    CHECK(rows.size() == feed.withGain()); // the others wait behind their box
    view.findChild<QCheckBox*>("folded")->setChecked(true);
    REQUIRE(rows.size() == feed.list().size());
    double last = feed.list().front().item.gainNs.value();
    for (const view::Recommendation& row : feed.list()) {
        CHECK(row.item.gainNs.value_or(0) <= last);
        last = row.item.gainNs.value_or(0);
    }
    CHECK(rows[0].cells[2].text == "vector_sum/uncoalesced");
    CHECK(rows[0].cells[4].text.starts_with("−"));
    CHECK(rows[0].cells[4].emphasis == view::Emphasis::Bad);
    // Counted without lines: there is no place, and the reason is told.
    CHECK(rows[0].cells[3].text == "–");
    CHECK(rows[0].cells[3].tooltip.find("were not collected") != std::string::npos);
    // Another session, another list; none, none.
    hub.setSession({});
    CHECK(feed.list().empty());
    CHECK(view.table().facts().rows().empty());
}

TEST_CASE("a click on a to-do selects its launch everywhere and shows its line", "[todo_view]") {
    const QTemporaryDir folder;
    ui::shell::MainWindow window(tests::withoutGpu(folder));
    window.show();
    window.control().show(recordedLines(), {});
    window.lists().setTab(ui::shell::ListPanel::Tab::ToDo);
    ui::tables::FactTable& table = window.lists().toDo().table();
    REQUIRE(tests::eventually([&] { return !window.toDo().list().empty(); }));
    std::size_t row = 0;
    while (window.toDo().list()[row].item.finding.places.empty() ||
           window.toDo().list()[row].item.finding.places[0].line == 0)
        ++row;
    const diagnosis::ToDo item = window.toDo().list()[row].item;
    clickRow(table, static_cast<int>(row));
    CHECK(window.hub().selected() == item.launch);
    CHECK(window.chartPanel().tab() == ui::shell::ChartPanel::Tab::Source);
    CHECK(tests::eventually([&] {
        return window.chartPanel().source().chosenPlace().toStdString() == item.finding.places[0].place;
    }));
    // The list stays where it was, with the row chosen.
    CHECK(table.currentIndex().row() == static_cast<int>(row));
    CHECK(table.isVisible());
    // A launch of another kernel chosen elsewhere takes the choice away.
    std::uint32_t other = 0;
    while (window.hub().session().launches()[other].workload ==
           window.hub().session().launch(*item.launch).workload)
        ++other;
    window.hub().select(session::LaunchIndex{other});
    CHECK_FALSE(table.currentIndex().isValid());
}

TEST_CASE("columns fill the list, so that nothing is scrolled to sideways", "[todo_view]") {
    ui::sessions::SessionHub hub;
    ui::todo::ToDoFeed feed(hub);
    ui::todo::ToDoView view(hub, feed);
    for (const int width : {620, 720, 1000, 1400}) {
        view.resize(width, 200);
        view.show();
        hub.setSession(recordedLines());
        feed.flush();
        QTest::qWait(20);
        CHECK(view.table().horizontalHeader()->length() == view.table().viewport()->width());
        CHECK_FALSE(view.table().horizontalScrollBar()->isVisible());
    }
}

TEST_CASE("keys walk the list and select, Enter shows the line", "[todo_view]") {
    ui::sessions::SessionHub hub;
    ui::todo::ToDoFeed feed(hub);
    ui::todo::ToDoView view(hub, feed);
    view.show();
    hub.setSession(recordedLines());
    feed.flush();
    int asked = 0;
    QObject::connect(&hub, &ui::sessions::SessionHub::placeAsked, [&] { ++asked; });
    clickRow(view.table(), 0);
    const int afterClick = asked;
    CHECK(afterClick == (feed.list()[0].item.finding.places.empty() ? 0 : 1));
    QTest::keyClick(&view.table(), Qt::Key_Down);
    CHECK(hub.selected() == feed.list()[1].item.launch);
    CHECK(asked == afterClick);
    QTest::keyClick(&view.table(), Qt::Key_Return);
    CHECK(asked == afterClick + 1);
}

TEST_CASE("a place in the details leads to the line", "[todo_view]") {
    const QTemporaryDir folder;
    ui::shell::MainWindow window(tests::withoutGpu(folder));
    window.show();
    window.control().show(tests::transposeSession(), {});
    window.hub().select(session::LaunchIndex{0});
    QPushButton* link = nullptr;
    REQUIRE(tests::eventually([&] {
        for (QPushButton* button : window.findChildren<QPushButton*>("link"))
            if (button->property("place").toString() == "transpose.cu:22") link = button;
        return link != nullptr;
    }));
    QTest::mouseClick(link, Qt::LeftButton);
    CHECK(window.chartPanel().tab() == ui::shell::ChartPanel::Tab::Source);
    CHECK(tests::eventually([&] { return window.chartPanel().source().chosenPlace() == "transpose.cu:22"; }));
}

TEST_CASE("without a launch selected, the details say what to do first", "[todo_view]") {
    const QTemporaryDir folder;
    ui::shell::MainWindow window(tests::withoutGpu(folder));
    window.show();
    window.control().show(recordedLines(), {});
    REQUIRE(tests::eventually([&] { return window.findChild<ui::details::ToDoCard*>() != nullptr; }));
    CHECK(window.findChildren<ui::details::ToDoCard*>().size() == 6);
    auto* link = window.findChild<ui::details::ToDoCard*>()->findChild<QPushButton*>("link");
    REQUIRE(link != nullptr);
    QTest::mouseClick(link, Qt::LeftButton);
    CHECK(window.hub().selected() == window.toDo().list().front().item.launch);
}

TEST_CASE("Ctrl+F finds in the source while it is shown, and filters kernels else", "[todo_view]") {
    const QTemporaryDir folder;
    ui::shell::MainWindow window(tests::withoutGpu(folder));
    window.show();
    window.activateWindow();
    REQUIRE(QTest::qWaitForWindowActive(&window));
    window.control().show(tests::transposeSession(), {});
    window.hub().select(session::LaunchIndex{0});
    QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier);
    CHECK(QApplication::focusWidget()->accessibleName() == "Filter");
    window.chartPanel().pattern().form().expression().setFocus();
    window.chartPanel().setTab(ui::shell::ChartPanel::Tab::Pattern);
    window.chartPanel().setTab(ui::shell::ChartPanel::Tab::Source);
    // Keys go to the lines.
    CHECK(tests::eventually([] { return QApplication::focusWidget()->objectName() == "sourceCode"; }));
    QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier);
    CHECK(QApplication::focusWidget()->objectName() == "sourceFind");
}

TEST_CASE("the list of 100000 launches takes its turn", "[todo_view]") {
    ui::sessions::SessionHub hub;
    ui::todo::ToDoFeed feed(hub);
    hub.setSession(tests::generatedSession(100'000));
    feed.flush();
    std::cout << "to-do list of 100000 launches: " << feed.lastMs() << " ms\n";
    CHECK(feed.lastMs() < 5000);
    // While launches arrive it is not worked out for each of them.
    int times = 0;
    QObject::connect(&feed, &ui::todo::ToDoFeed::changed, [&] { ++times; });
    QElapsedTimer clock;
    clock.start();
    for (std::uint64_t id = 100'000; id < 100'200; ++id) {
        session::Launch launch;
        launch.id = id;
        launch.durationNs = 1e4;
        hub.apply(launch);
        QApplication::processEvents();
    }
    CHECK(times <= 1 + static_cast<double>(clock.elapsed()) / 250);
}
