// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// The search over everything and the reader, with real keys.
#include "tests/support/catch.h"
#include "tests/support/launches.h"
#include "tests/support/sample_session.h"
#include "tests/ui/app_support.h"
#include "ui/explain/doc_pages.h"
#include "ui/explain/explained.h"
#include "ui/explain/palette.h"
#include "ui/explain/reader.h"
#include "ui/kernels/kernel_table_view.h"
#include "ui/sessions/session_control.h"
#include "ui/sessions/session_hub.h"
#include "ui/shell/chart_panel.h"
#include "ui/shell/explain_part.h"
#include "ui/shell/main_window.h"

#include <QDir>
#include <QHeaderView>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QTableView>
#include <QTextBlock>
#include <QTextBrowser>

#include <algorithm>

using namespace dormer;
using namespace dormer::ui::explain;
using Tab = ui::shell::ChartPanel::Tab;

namespace {

/// The window with the sample session in it.
struct Shown {
    QTemporaryDir folder;
    ui::shell::MainWindow window{tests::withoutGpu(folder)};
    Palette& palette = window.explain().palette();
    Reader& reader = window.explain().reader();
    QLineEdit& edit = *palette.findChild<QLineEdit*>("paletteSearch");

    Shown() {
        window.resize(1440, 900);
        window.show();
        window.activateWindow();
        REQUIRE(QTest::qWaitForWindowActive(&window));
        window.control().show(tests::sampleSession(), {});
    }
    /// Ctrl+K, the words, and what is listed first.
    QString search(const QString& words) {
        QTest::keyClick(&window, Qt::Key_K, Qt::ControlModifier);
        REQUIRE(palette.isVisible());
        REQUIRE(edit.hasFocus());
        QTest::keyClicks(&edit, words);
        return palette.listed().isEmpty() ? QString() : palette.listed().front().address;
    }
    void press(Qt::Key key) { QTest::keyClick(&edit, key); }
};

Item item(Kind kind, const QString& title, const QString& names = {}, const QString& text = {}) {
    return {.kind = kind, .title = title, .detail = {}, .names = names, .text = text, .address = title};
}

} // namespace

TEST_CASE("the best match comes first", "[explain]") {
    const QList<Item> items{item(Kind::Page, "Store", {}, "how dram is measured"),
                            item(Kind::Metric, "Loads from DRAM", "dram_bytes_read"),
                            item(Kind::Command, "Open a session"),
                            item(Kind::Kernel, "my_dram_kernel"),
                            item(Kind::Metric, "DRAM", "dram_bytes_per_second"),
                            item(Kind::Metric, "DRAM bytes", "dram_bytes")};
    const auto titles = [&](const QString& query) {
        QStringList all;
        for (const qsizetype at : found(items, query))
            all << items[at].title;
        return all;
    };
    // Begins so by title or name (the shorter first), has a word that begins so, says it in its text.
    CHECK(titles("dram") == QStringList{"DRAM", "DRAM bytes", "Loads from DRAM", "my_dram_kernel", "Store"});
    CHECK(titles("DRAM by") == QStringList{"DRAM bytes", "DRAM", "Loads from DRAM"});
    CHECK(titles("bytes_read") == QStringList{"Loads from DRAM"});
    CHECK(titles("measured dram") == QStringList{"Store"}); // in any order
    CHECK(titles("easured").isEmpty());                     // within a word of a text says nothing
    CHECK(titles("dram nothing").isEmpty());
    CHECK(titles("") == QStringList{"Open a session"});
    CHECK(found(items, "dram", 2).size() == 2);
}

TEST_CASE("the app carries each page of the documentation", "[explain]") {
    for (const QString& page : QDir(DORMER_SOURCE_DIR "/docs").entryList({"*.md"}, QDir::Files)) {
        INFO(page.toStdString() << " belongs into ui/explain/CMakeLists.txt");
        CHECK_FALSE(docPage(page).isEmpty());
    }
    CHECK(docPage("no-such-page.md").isEmpty());
    CHECK(docPage("../README.md").isEmpty());
    CHECK(anchorOf("Device, counters and options") == "device-counters-and-options");
    const auto& sections = docSections();
    const auto ceilings = std::ranges::find_if(sections, [](const DocSection& section) {
        return section.page == "verdicts.md" && section.heading == "Ceilings";
    });
    REQUIRE(ceilings != sections.end());
    CHECK(ceilings->title == "How Dormer judges a launch");
    CHECK(ceilings->text.contains("theoretical ceiling"));
    // Links lead to pages of the app, out, or nowhere.
    CHECK(docPage("verdicts.md").contains("(doc:metrics.md)"));
    CHECK(docPage("metrics.md").startsWith("# Metrics")); // without the comment above it
    for (const DocSection& section : sections)
        CHECK_FALSE(docPage(section.page).contains("](../"));
}

TEST_CASE("everything that is listed has something to show", "[explain]") {
    ui::sessions::SessionHub hub;
    hub.setSession(tests::sampleSession());
    QList<Kind> kinds;
    for (const Item& each : explainedItems(hub)) {
        if (!kinds.contains(each.kind)) kinds << each.kind;
        if (each.kind == Kind::Kernel) continue;
        INFO(each.address.toStdString());
        CHECK_FALSE(explanationOf(each.address, hub).markdown.isEmpty());
    }
    CHECK(kinds.size() == 6); // all but the commands, which are the window's
    for (const char* nothing :
         {"metric:none", "finding:none", "roof:none", "verdict:none", "doc:none.md", "x"})
        CHECK(explanationOf(nothing, hub).markdown.isEmpty());
}

TEST_CASE("Ctrl+K finds a metric and Enter explains it with the selected kernel's numbers", "[explain]") {
    Shown shown;
    shown.window.hub().select(tests::launchOf(shown.window.hub().session(), "roofline/vector_add"));
    CHECK(shown.search("dram_bytes_per_second") == "metric:dram_bytes_per_second");
    shown.press(Qt::Key_Return);
    CHECK_FALSE(shown.palette.isVisible());
    REQUIRE(shown.reader.isVisible());
    CHECK(shown.reader.text().contains("dram_bytes / duration_ns * 1e9"));
    CHECK(shown.reader.text().contains("roofline/vector_add"));
    CHECK(shown.reader.text().contains("2.96 TB/s"));

    // The numbers are those of what is selected; a link leads on, Alt+Left back.
    shown.window.hub().select(tests::launchOf(shown.window.hub().session(), "roofline/fma_chain"));
    CHECK(shown.reader.text().contains("roofline/fma_chain"));
    auto* text = shown.reader.findChild<QTextBrowser*>("readerText");
    REQUIRE(text->hasFocus());
    emit text->anchorClicked(QUrl("metric:dram_bytes"));
    CHECK(shown.reader.address() == "metric:dram_bytes");
    QTest::keyClick(text, Qt::Key_Left, Qt::AltModifier);
    CHECK(shown.reader.address() == "metric:dram_bytes_per_second");
    QTest::keyClick(text, Qt::Key_Right, Qt::AltModifier);
    CHECK(shown.reader.address() == "metric:dram_bytes");
    QTest::keyClick(text, Qt::Key_Escape);
    CHECK_FALSE(shown.reader.isVisible());
    CHECK(shown.window.chartPanel().isVisible());
}

TEST_CASE("kernels are selected, findings, roofs and verdicts explained, commands run", "[explain]") {
    Shown shown;
    const auto& session = shown.window.hub().session();
    CHECK(shown.search("uncoalesced global") == "finding:uncoalesced-global-access");
    shown.press(Qt::Key_Enter);
    CHECK(shown.reader.text().contains("consecutive elements"));
    CHECK(shown.reader.text().contains("vector_sum/uncoalesced"));

    CHECK(shown.search("fp32 roof") == "roof:fp32");
    shown.press(Qt::Key_Return);
    CHECK(shown.reader.text().contains("66.9 TFLOP/s"));

    CHECK(shown.search("memory-bound") == "verdict:memory");
    shown.press(Qt::Key_Return);
    CHECK(shown.reader.text().contains("highest utilization"));

    shown.search("roofline/vector_add");
    REQUIRE(shown.palette.listed().front().kind == Kind::Kernel);
    shown.press(Qt::Key_Return);
    REQUIRE(shown.window.hub().selected());
    CHECK(session.launch(*shown.window.hub().selected()).workload == "roofline/vector_add");
    CHECK_FALSE(shown.reader.isVisible()); // where it is, not what it is

    shown.search("show an access");
    REQUIRE(shown.palette.listed().front().kind == Kind::Command);
    shown.press(Qt::Key_Return);
    CHECK(shown.window.chartPanel().tab() == Tab::Pattern);
    CHECK(shown.search("filter kernels").startsWith("command:"));
    shown.press(Qt::Key_Return);
    CHECK(shown.window.focusWidget()->accessibleName() == "Filter");
    shown.search("stop, and keep");
    CHECK(std::ranges::none_of(shown.palette.listed(), // nothing runs
                               [](const Item& each) { return each.kind == Kind::Command; }));
}

TEST_CASE("numbers and verdicts lead to their explanations from where they stand", "[explain]") {
    Shown shown;
    QTableView& table = shown.window.kernels().table();
    table.setFocus();
    const auto columnOf = [&](const QString& title) {
        for (int column = 0; column < table.model()->columnCount(); ++column)
            if (table.model()->headerData(column, Qt::Horizontal).toString().startsWith(title)) return column;
        FAIL("no column " << title.toStdString());
        return -1;
    };
    const auto rowOf = [&](const QString& name) {
        for (int row = 0; row < table.model()->rowCount(); ++row)
            if (table.model()->index(row, 1).data().toString() == name) return row;
        FAIL("no row " << name.toStdString());
        return -1;
    };
    table.setCurrentIndex(table.model()->index(rowOf("roofline/vector_add"), columnOf("DRAM")));
    CHECK(table.currentIndex().column() == columnOf("DRAM")); // selecting the row moves it no further
    QTest::keyClick(&table, Qt::Key_F1, Qt::ShiftModifier);
    CHECK(shown.reader.address() == "metric:dram_bytes_per_second");
    CHECK(shown.reader.text().contains("roofline/vector_add"));
    CHECK(shown.reader.text().contains("201 MB")); // 12 bytes for each of 2^24 elements
    shown.window.explain().close();                // it covers the table
    table.setCurrentIndex(table.model()->index(rowOf("roofline/vector_add"), 1));
    table.setFocus();
    QTest::keyClick(&table, Qt::Key_F1, Qt::ShiftModifier);
    CHECK(shown.reader.address() == "verdict:memory");
    CHECK(shown.reader.text().contains("roofline/vector_add is Memory-bound (DRAM)"));
    // The head's menu explains its metric.
    shown.reader.open("doc:app.md");
    QHeaderView& head = *table.horizontalHeader();
    const int dram = columnOf("DRAM");
    emit head.customContextMenuRequested(
        {head.sectionViewportPosition(dram) + head.sectionSize(dram) / 2, head.height() / 2});
    auto* menu = shown.window.findChild<QMenu*>("columns");
    REQUIRE(menu != nullptr);
    menu->actions().front()->trigger();
    menu->close();
    CHECK(shown.reader.address() == "metric:dram_bytes_per_second");

    shown.window.hub().select(tests::launchOf(shown.window.hub().session(), "roofline/fma_chain"));
    QPushButton* link = nullptr;
    REQUIRE(tests::eventually([&] {
        for (QPushButton* each : shown.window.findChildren<QPushButton*>())
            if (each->property("explains").isValid() && each->text().contains("compute-bound")) link = each;
        return link != nullptr;
    }));
    QTest::mouseClick(link, Qt::LeftButton);
    CHECK(shown.reader.address() == "verdict:compute");
    shown.window.activateWindow(); // a menu was open
    REQUIRE(QTest::qWaitForWindowActive(&shown.window));
    QTest::keyClick(&shown.window, Qt::Key_F1);
    CHECK(shown.reader.address() == "doc:app.md");
}

TEST_CASE("the documentation is found by its own words and opens at the section", "[explain]") {
    Shown shown;
    shown.search("verdicts.md ceilings theoretical");
    const QList<Item> listed = shown.palette.listed();
    const auto at = std::ranges::find(listed, QString("doc:verdicts.md#ceilings"), &Item::address);
    REQUIRE(at != listed.end());
    for (auto steps = at - listed.begin(); steps > 0; --steps)
        shown.press(Qt::Key_Down);
    shown.press(Qt::Key_Return);
    REQUIRE(shown.reader.isVisible());
    auto* text = shown.reader.findChild<QTextBrowser*>("readerText");
    CHECK(text->textCursor().block().text() == "Ceilings");
    CHECK(text->cursorRect().top() >= 0);
    CHECK(text->cursorRect().top() < text->viewport()->height() / 2);
}

TEST_CASE("Esc leaves the search with what had the focus before, and stops no run", "[explain]") {
    Shown shown;
    QTest::keyClick(&shown.window, Qt::Key_F, Qt::ControlModifier);
    QWidget* before = shown.window.focusWidget();
    CHECK(shown.search("zzzzzz").isEmpty());
    CHECK(shown.palette.listed().isEmpty());
    shown.press(Qt::Key_Return); // nothing to choose
    CHECK(shown.palette.isVisible());
    shown.press(Qt::Key_Escape);
    CHECK_FALSE(shown.palette.isVisible());
    CHECK(shown.window.focusWidget() == before);

    // The first page of a list is walked by keys, to its ends and not beyond.
    shown.search("a");
    auto* list = shown.palette.findChild<QListView*>("paletteFound");
    shown.press(Qt::Key_Up);
    CHECK(list->currentIndex().row() == 0);
    shown.press(Qt::Key_PageDown);
    CHECK(list->currentIndex().row() == 12);
    for (int i = 0; i < 10; ++i)
        shown.press(Qt::Key_PageDown);
    CHECK(list->currentIndex().row() == list->model()->rowCount() - 1);
    CHECK(list->model()->index(0, 0).data(Qt::AccessibleTextRole).toString().contains(", "));
    for (QWidget* part : {static_cast<QWidget*>(&shown.edit), static_cast<QWidget*>(list),
                          static_cast<QWidget*>(&shown.reader)})
        CHECK_FALSE(part->accessibleName().isEmpty());
    // Going elsewhere ends the search.
    QTest::keyClick(&shown.edit, Qt::Key_Tab);
    CHECK_FALSE(shown.palette.isVisible());
}
