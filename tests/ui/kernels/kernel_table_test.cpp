// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/kernels/kernel_table_view.h"

#include "analysis/report/report.h"
#include "analysis/store/session_file.h"
#include "tests/support/catch.h"
#include "tests/support/painted_cells.h"
#include "tests/support/sample_session.h"
#include "tests/ui/app_support.h"
#include "ui/kernels/filter_field.h"
#include "ui/sessions/session_hub.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHeaderView>
#include <QRegularExpression>
#include <QStyle>
#include <QTableView>

#include <algorithm>

using namespace dormer;
using ui::kernels::KernelTableModel;

namespace {

int rowNamed(const QAbstractItemModel& model, const QString& name) {
    for (int row = 0; row < model.rowCount(); ++row)
        if (model.index(row, KernelTableModel::Name).data().toString() == name) return row;
    return -1;
}

QString cell(const QAbstractItemModel& model, const QString& name, KernelTableModel::Column column) {
    return model.index(rowNamed(model, name), column).data().toString();
}

void click(QTableView& table, int row) {
    const QRect area = table.visualRect(table.model()->index(row, KernelTableModel::Name));
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, area.center());
}

void clickHeader(QTableView& table, int column) {
    QHeaderView& header = *table.horizontalHeader();
    QTest::mouseClick(
        header.viewport(), Qt::LeftButton, {},
        {header.sectionViewportPosition(column) + header.sectionSize(column) / 2, header.height() / 2});
}

QStringList names(const QTableView& table) {
    QStringList all;
    for (int row = 0; row < table.model()->rowCount(); ++row)
        all << table.model()->index(row, KernelTableModel::Name).data().toString();
    return all;
}

} // namespace

TEST_CASE("model keeps its contract while a session grows", "[kernel_table]") {
    ui::sessions::SessionHub hub;
    KernelTableModel model(hub);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Warning);
    int applied = 0;
    for (const auto& [process, record] : store::recordsOf(tests::sampleSession())) {
        hub.apply(record, process);
        if (++applied % 7 == 0) model.flush();
    }
    model.flush();
    const int groups = model.rowCount();
    CHECK(groups == 11); // the kernels of the sample, one configuration each
    model.setGrouping(KernelTableModel::Grouping::AllLaunches);
    CHECK(model.rowCount() == static_cast<int>(hub.session().launches().size()));
    hub.setSession({});
    CHECK(model.rowCount() == 0);
}

TEST_CASE("rows show the sample's numbers", "[kernel_table]") {
    ui::sessions::SessionHub hub;
    KernelTableModel model(hub);
    hub.setSession(tests::sampleSession());
    CHECK(cell(model, "vector_sum/uncoalesced", KernelTableModel::Sectors) == "32 / 4 ld");
    CHECK(cell(model, "vector_sum/coalesced", KernelTableModel::Sectors) == "4 / 4 ld");
    CHECK(cell(model, "transpose/tiled", KernelTableModel::Conflicts) == "32-way");
    CHECK(cell(model, "transpose/tiled_padded", KernelTableModel::Conflicts) == "none");
    // Three launches of 68 us, each 1 % longer than the one before.
    CHECK(cell(model, "roofline/vector_add", KernelTableModel::Time) == "206.0");
    CHECK(cell(model, "roofline/vector_add", KernelTableModel::Calls) == "3");
    // The median launch: 201326592 B in 68.68 us against 2 x 2.619 GHz x 5120 bit / 8 = 3.352 TB/s.
    CHECK(cell(model, "roofline/vector_add", KernelTableModel::Dram) == "87");
    const int row = rowNamed(model, "vector_sum/uncoalesced");
    CHECK(model.index(row, KernelTableModel::Sectors).data(KernelTableModel::EmphasisRole).toInt() ==
          static_cast<int>(view::Emphasis::Bad));
    // 32 wavefronts (ideal one) is a finding with a gain; it can't exceed the kernel's own time.
    const int tiled = rowNamed(model, "transpose/tiled");
    const double gain = model.number(tiled, KernelTableModel::Savings).value_or(0);
    CHECK(gain > 0);
    CHECK(gain < *model.number(tiled, KernelTableModel::Time));
    CHECK(cell(model, "transpose/tiled", KernelTableModel::Savings).startsWith(QString::fromUtf8("\u2212")));
}

TEST_CASE("a gain below what is shown is not written as nothing", "[kernel_table]") {
    auto session = store::loadSession(DORMER_SOURCE_DIR "/samples/h100-lines.dormer");
    REQUIRE(session);
    ui::sessions::SessionHub hub;
    KernelTableModel model(hub);
    hub.setSession(std::move(*session));
    for (int row = 0; row < model.rowCount(); ++row) {
        const QString text = model.index(row, KernelTableModel::Savings).data().toString();
        INFO(text.toStdString());
        CHECK((text.isEmpty() || text.contains(QRegularExpression("[1-9]"))));
    }
}

TEST_CASE("a missing number is a dash that says why", "[kernel_table]") {
    ui::sessions::SessionHub hub;
    KernelTableModel model(hub);
    hub.setSession(tests::sampleSession());
    const QModelIndex hit = model.index(rowNamed(model, "fill"), KernelTableModel::L2Hit);
    CHECK(hit.data().toString() == QString::fromUtf8("\u2013"));
    CHECK(hit.data(Qt::ToolTipRole).toString().contains("excluded by --kernels"));
    const QModelIndex known = model.index(rowNamed(model, "roofline/scale"), KernelTableModel::L2Hit);
    CHECK(known.data(Qt::ToolTipRole).toString().contains("l2_hit_rate"));
}

TEST_CASE("a click on a head sorts, absent numbers last in both orders", "[kernel_table]") {
    ui::sessions::SessionHub hub;
    hub.setSession(tests::sampleSession());
    ui::kernels::KernelTableView view(hub);
    view.resize(1000, 500);
    view.show();
    QTableView& table = view.table();
    CHECK(names(table).front() == "roofline/vector_add"); // as launched
    clickHeader(table, KernelTableModel::L2Hit);
    CHECK(names(table).back() == "fill");
    clickHeader(table, KernelTableModel::L2Hit);
    CHECK(names(table).back() == "fill");
    clickHeader(table, KernelTableModel::Time);
    clickHeader(table, KernelTableModel::Time);
    CHECK(names(table).front() == "vector_sum/uncoalesced");
}

TEST_CASE("the filter keeps rows that hold all its words", "[kernel_table]") {
    ui::sessions::SessionHub hub;
    hub.setSession(tests::sampleSession());
    ui::kernels::KernelTableView view(hub);
    ui::sessions::LaunchFilter filter;
    filter.setText("TILED transpose");
    view.setFilter(filter);
    CHECK(names(view.table()) == QStringList{"transpose/tiled", "transpose/tiled_padded"});
    filter.setText("transpose nothing");
    view.setFilter(filter);
    CHECK(view.visibleRows() == 0);
    filter.setText({});
    view.setFilter(filter);
    CHECK(view.visibleRows() == 11);
}

TEST_CASE("the filter keeps rows that an expression holds for", "[kernel_table]") {
    ui::sessions::SessionHub hub;
    hub.setSession(tests::sampleSession());
    ui::kernels::KernelTableView view(hub);
    ui::sessions::LaunchFilter filter;
    filter.setText("kernel ~ transpose and not workload = transpose/tiled");
    CHECK(filter.problem().isEmpty());
    view.setFilter(filter);
    for (const QString& name : names(view.table()))
        CHECK((name.startsWith("transpose/") && name != "transpose/tiled"));
    CHECK(view.visibleRows() > 0);
    filter.setText("time >"); // while it is typed
    CHECK(filter.problem().contains("a value is missing"));
    view.setFilter(filter);
    CHECK(view.visibleRows() == 11);
}

TEST_CASE("fields, operators and verdicts are offered while they are typed", "[kernel_table]") {
    ui::kernels::FilterField field;
    field.show();
    QTest::keyClicks(&field, "verd");
    CHECK(field.offered() == QStringList{"verdict "});
    field.clear();
    QTest::keyClicks(&field, "verdict = l");
    CHECK(field.offered() == QStringList{"verdict = latency "});
    field.setProblem("filter: a value is missing at the end");
    CHECK(field.toolTip().contains("missing"));
    field.setProblem({});
    CHECK(field.toolTip().contains("time > 1ms"));
}

TEST_CASE("any metric may be a column, in one unit, and is remembered", "[kernel_table]") {
    ui::sessions::SessionHub hub;
    hub.setSession(tests::sampleSession());
    {
        ui::kernels::KernelTableView view(hub);
        view.setMetrics({"l2_hit_rate", "no_such_metric"});
        KernelTableModel& model = view.model();
        REQUIRE(model.columnCount() == KernelTableModel::ColumnCount + 1);
        const int column = KernelTableModel::ColumnCount;
        CHECK(model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().contains('%'));
        const int row = rowNamed(model, "roofline/scale");
        CHECK(model.number(row, column) == model.number(row, KernelTableModel::L2Hit));
        const QModelIndex fill = model.index(rowNamed(model, "fill"), column);
        CHECK(fill.data().toString() == QString::fromUtf8("–"));
        CHECK(fill.data(Qt::ToolTipRole).toString().contains("Not collected"));
        view.resize(1000, 500);
        view.show();
        clickHeader(view.table(), column);
        CHECK(names(view.table()).back() == "fill");
    }
    ui::kernels::KernelTableView again(hub);
    CHECK(again.metrics() == QStringList{"l2_hit_rate"});
    again.setMetrics({});
    CHECK(again.model().columnCount() == KernelTableModel::ColumnCount);
}

TEST_CASE("the table is copied as it is shown, as Markdown and as CSV", "[kernel_table]") {
    ui::sessions::SessionHub hub;
    hub.setSession(tests::sampleSession());
    ui::kernels::KernelTableView view(hub);
    view.resize(1200, 500);
    view.show();
    ui::sessions::LaunchFilter filter;
    filter.setText("tiled transpose");
    view.setFilter(filter);
    view.activateWindow();
    REQUIRE(QTest::qWaitForWindowActive(&view)); // or shortcuts are keys
    view.table().setFocus();
    QTest::keyClick(&view.table(), Qt::Key_C, Qt::ControlModifier);
    const QStringList csv = QApplication::clipboard()->text().trimmed().split('\n');
    REQUIRE(csv.size() == 3);
    CHECK(csv[0].startsWith("verdict,kernel,"));
    CHECK(csv[0].contains(",time ")); // and its unit
    CHECK(csv[1].contains(",transpose/tiled,"));
    QTest::keyClick(&view.table(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    const QStringList markdown = QApplication::clipboard()->text().trimmed().split('\n');
    REQUIRE(markdown.size() == 4);
    CHECK(markdown[0].startsWith("| verdict | kernel |"));
    CHECK(markdown[3].contains("| transpose/tiled\\_padded |") !=
          markdown[3].contains("| transpose/tiled_padded |"));
}

TEST_CASE("table and hub share one selection", "[kernel_table]") {
    ui::sessions::SessionHub hub;
    hub.setSession(tests::sampleSession());
    ui::kernels::KernelTableView view(hub);
    view.resize(1000, 500);
    view.show();
    click(view.table(), 1);
    REQUIRE(hub.selected());
    CHECK(hub.session().launch(*hub.selected()).workload == "roofline/scale");

    hub.select(session::LaunchIndex{0});
    CHECK(view.table().currentIndex().row() == 0);
    // A click on the row of the selected launch keeps that launch.
    click(view.table(), 0);
    CHECK(hub.selected() == session::LaunchIndex{0});

    QTest::keyClick(view.findChild<QComboBox*>("grouping"), Qt::Key_End);
    CHECK(view.model().grouping() == KernelTableModel::Grouping::AllLaunches);
    CHECK(view.table().currentIndex().row() == 0);
}

TEST_CASE("growth keeps order and selection", "[kernel_table]") {
    ui::sessions::SessionHub hub;
    ui::kernels::KernelTableView view(hub);
    view.resize(1000, 500);
    view.show();
    const auto records = store::recordsOf(tests::sampleSession());
    std::size_t next = 0;
    while (view.model().rowCount() < 4 && next < records.size()) {
        hub.apply(records[next].second, records[next].first);
        ++next;
        view.model().flush();
    }
    clickHeader(view.table(), KernelTableModel::Time);
    const QStringList before = names(view.table());
    click(view.table(), 2);
    const auto selected = hub.selected();
    REQUIRE(selected);
    for (; next < records.size(); ++next)
        hub.apply(records[next].second, records[next].first);
    view.model().flush();
    CHECK(names(view.table()).mid(0, before.size()) == before);
    CHECK(hub.selected() == selected);
    CHECK(view.table().currentIndex().row() == 2);
    CHECK(view.table().selectionModel()->selectedRows().size() == 1);
}

TEST_CASE("a launch selected before its row is there gets it selected", "[kernel_table]") {
    ui::sessions::SessionHub hub;
    ui::kernels::KernelTableView view(hub);
    for (const auto& [process, record] : store::recordsOf(tests::sampleSession()))
        hub.apply(record, process);
    hub.select(session::LaunchIndex{4});
    CHECK_FALSE(view.table().currentIndex().isValid());
    view.model().flush();
    CHECK(view.table().currentIndex().row() == view.model().rowOf(session::LaunchIndex{4}));
}

TEST_CASE("names stay readable in a narrow window", "[kernel_table]") {
    ui::sessions::SessionHub hub;
    hub.setSession(tests::sampleSession());
    ui::kernels::KernelTableView view(hub);
    view.show();
    for (const int width : {500, 900, 1400}) {
        view.resize(width, 400);
        QApplication::processEvents();
        QTableView& table = view.table();
        CHECK(table.columnWidth(KernelTableModel::Name) >= 140);
        if (width >= 900) CHECK(table.horizontalHeader()->length() == table.viewport()->width());
    }
}

TEST_CASE("the app shows the cells that the terminal shows", "[kernel_table]") {
    for (const char* sample : {"h100-basics.dormer", "h100-lines.dormer"}) {
        auto session = store::loadSession(std::string(DORMER_SOURCE_DIR "/samples/") + sample);
        REQUIRE(session);
        const diagnosis::Diagnosis diagnosis(*session);
        tests::CellTexts terminal =
            tests::terminalCells(report::tableText(diagnosis, {.rows = 100'000, .width = 1000}));
        ui::sessions::SessionHub hub;
        KernelTableModel model(hub);
        hub.setSession(std::move(*session));
        tests::CellTexts app;
        for (int row = 0; row < model.rowCount(); ++row) {
            app.emplace_back();
            for (int column = 0; column < KernelTableModel::ColumnCount; ++column) {
                // The marker is drawn.
                const int role =
                    column == KernelTableModel::Marker ? Qt::AccessibleTextRole : Qt::DisplayRole;
                app.back().push_back(model.index(row, column).data(role).toString().toStdString());
            }
        }
        std::ranges::sort(app); // the terminal sorts by time
        std::ranges::sort(terminal);
        CHECK(app == terminal);
    }
}

TEST_CASE("no figure or head is cut at any font size, columns go before that", "[kernel_table]") {
    auto session = store::loadSession(DORMER_SOURCE_DIR "/samples/h100-basics.dormer");
    REQUIRE(session);
    const QFont before = QApplication::font();
    for (const int points : {9, 10, 13}) {
        QFont font = before;
        font.setPointSize(points);
        QApplication::setFont(font);
        ui::sessions::SessionHub hub;
        hub.setSession(*session);
        ui::kernels::KernelTableView view(hub);
        view.show();
        for (const int width : {500, 760, 1000, 1400}) {
            view.resize(width, 600);
            QApplication::processEvents();
            const QTableView& table = view.table();
            QFont strong = table.font();
            strong.setWeight(QFont::DemiBold);
            const QFontMetrics figures(strong), heads(table.horizontalHeader()->font());
            const int padding = 2 * (table.style()->pixelMetric(QStyle::PM_FocusFrameHMargin) + 1);
            for (int column = KernelTableModel::Calls; column < KernelTableModel::ColumnCount; ++column) {
                if (table.isColumnHidden(column)) continue;
                INFO(points << " pt, " << width << " px, column " << column);
                const QString head = table.model()->headerData(column, Qt::Horizontal).toString();
                for (const QString& line : head.split('\n'))
                    CHECK(heads.horizontalAdvance(line) + padding <= table.columnWidth(column));
                for (int row = 0; row < table.model()->rowCount(); ++row)
                    CHECK(figures.horizontalAdvance(table.model()->index(row, column).data().toString()) +
                              padding <=
                          table.columnWidth(column));
            }
            CHECK_FALSE(table.isColumnHidden(KernelTableModel::Time));
            CHECK_FALSE(table.isColumnHidden(KernelTableModel::Savings));
            CHECK(table.rowHeight(0) >= figures.height());
        }
    }
    QApplication::setFont(before);
}
